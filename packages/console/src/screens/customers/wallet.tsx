// The balance of a wallet, and what is used of its limits today.
import type { SubscriberLimits, SubscriberView } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Progress, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { Panel } from '../../components/page.tsx';
import { amount, minorUnitsOf, money } from '../../format/money.ts';
import { clockTime, zoneName } from '../../format/time.ts';
import classes from './customer.module.css';

/** Loaded when it is opened. */
const StatementDialog = lazyPart(async () => ({ default: (await import('./statement.tsx')).StatementDialog }));

/** Shared by the wallet and the cards. */
export function useLimits(id: string): SubscriberLimits | undefined {
  const mayRead = useCan()('balance:read');
  return useRead(['subscribers', 'limits', id], (options) => kissi.subscribers.limits(id, options), {
    enabled: mayRead,
  }).data;
}

export function Wallet({ customer }: { customer: SubscriberView }) {
  const { t } = useLingui();
  const can = useCan();
  const limits = useLimits(customer.id);
  const [isOpen, { open, close }] = useDisclosure(false);
  const hasBalance = customer.balance !== undefined;
  if (!hasBalance && !can('statements')) return null;
  return (
    <Panel
      title={t`Wallet`}
      aside={
        can('statements') && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="document" size={14} />}
            onClick={open}
          >{t`Statement`}</Button>
        )
      }
    >
      {hasBalance && (
        <div className={classes.wallet}>
          <div className={classes.balanceBox}>
            <Text size="xs" c="dimmed">{t`Balance`}</Text>
            <div className={classes.balance}>{money(minorUnitsOf(customer.balance ?? 0))}</div>
          </div>
          {limits && <Limits limits={limits} />}
        </div>
      )}
      {isOpen && (
        <Suspense>
          <StatementDialog customer={customer} onClose={close} />
        </Suspense>
      )}
    </Panel>
  );
}

function Limits({ limits }: { limits: SubscriberLimits }) {
  const { t } = useLingui();
  const { daily, balance } = limits;
  const [time, zone] = [clockTime(daily.resets_at), zoneName()];
  return (
    <>
      <Limit
        title={t`Paid today`}
        used={daily.used}
        limit={daily.limit}
        note={t`Starts again at ${time} ${zone}`}
        rest={daily.remaining}
      />
      <Limit title={t`Balance allowed`} used={balance.current} limit={balance.maximum} rest={balance.remaining} />
    </>
  );
}

interface LimitProps {
  title: string;
  used: number;
  limit: number | null;
  rest: number | null;
  note?: string;
}

function Limit({ title, used, limit, rest, note }: LimitProps) {
  const { t } = useLingui();
  if (limit === null) {
    return (
      <div>
        <Text size="xs" c="dimmed">
          {title}
        </Text>
        <Text size="sm">{t`${amount(used)}, without a limit`}</Text>
      </div>
    );
  }
  const share = limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  return (
    <div className={classes.limit}>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text size="sm" className={classes.figures}>
        <Trans>
          <strong>{amount(used)}</strong> of {amount(limit)}
        </Trans>
      </Text>
      <Progress
        value={share}
        color={share >= 90 ? 'red' : 'kissi'}
        size="sm"
        aria-label={t`${title}: ${Math.round(share)} per cent`}
      />
      <Text size="xs" c="dimmed">
        {t`${amount(rest ?? 0)} left`}
        {note ? ` · ${note}` : ''}
      </Text>
    </div>
  );
}
