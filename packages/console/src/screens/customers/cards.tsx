// The cards of a customer as pictures, with what can be done with each.
import type { ListedCard, SubscriberView } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import { amount } from '../../format/money.ts';
import { type CardDialog, CardDialogs } from './card-dialogs.tsx';
import classes from './cards.module.css';
import { useLimits } from './wallet.tsx';

const SHOWN = 100;

export function CardsPanel({ customer }: { customer: SubscriberView }) {
  const { t } = useLingui();
  const mayChange = useCan()('cards:write');
  const [dialog, setDialog] = useState<CardDialog | null>(null);
  const { data, error, refetch } = useRead(['cards', customer.id], (options) =>
    kissi.cards.list({ subscriber_id: customer.id, limit: SHOWN }, options),
  );
  const cards = data?.cards ?? [];
  return (
    <Panel
      title={t`Cards`}
      aside={
        mayChange && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setDialog({ kind: 'link', subscriberId: customer.id })}
          >
            <Trans>Link a card</Trans>
          </Button>
        )
      }
    >
      {!data && <Waiting error={error} retry={refetch} rows={3} />}
      {data && cards.length === 0 && <Text size="sm" c="dimmed">{t`No card is linked to this wallet.`}</Text>}
      <div className={classes.cards}>
        {cards.map((card) => (
          <CardView key={card.serial} card={card} customer={customer} open={mayChange ? setDialog : null} />
        ))}
      </div>
      {dialog && <CardDialogs dialog={dialog} onClose={() => setDialog(null)} />}
    </Panel>
  );
}

interface CardViewProps {
  card: ListedCard;
  customer: SubscriberView;
  /** Null: the role may not change cards. */
  open: ((dialog: CardDialog) => void) | null;
}

function CardView({ card, customer, open }: CardViewProps) {
  const { t } = useLingui();
  const { serial, type, status, label } = card;
  const isActive = status === 'active';
  return (
    <div className={classes.item}>
      <div className={classes.card} data-type={type} data-active={isActive}>
        <div className={classes.top}>
          <span>{label ?? (type === 'child' ? t`Child card` : t`Card`)}</span>
          {!isActive && (
            <span className={classes.state}>
              {card.retired_at ? <Trans>Blocked for good</Trans> : <Trans>Blocked</Trans>}
            </span>
          )}
        </div>
        <span className={classes.chip} aria-hidden="true" />
        <div className={classes.serial}>{serial}</div>
        <div className={classes.top}>
          <span className={classes.holder}>
            {customer.first_name} {customer.last_name}
          </span>
          {type === 'child' && card.parent_serial && <span>{t`of ${card.parent_serial}`}</span>}
        </div>
      </div>
      <DailyLimit card={card} customerId={customer.id} />
      {open && !card.retired_at && (
        <div className={classes.actions}>
          {isActive ? (
            <CardButton serial={serial} onClick={() => open({ kind: 'block', card })}>{t`Block`}</CardButton>
          ) : (
            <CardButton serial={serial} onClick={() => open({ kind: 'unblock', card })}>{t`Unblock`}</CardButton>
          )}
          <CardButton serial={serial} onClick={() => open({ kind: 'change', card })}>{t`Name and limit`}</CardButton>
          {type === 'parent' && (
            <CardButton serial={serial} onClick={() => open({ kind: 'child', card })}>{t`Add a child card`}</CardButton>
          )}
          <CardButton serial={serial} onClick={() => open({ kind: 'unlink', card })}>{t`Unlink`}</CardButton>
        </div>
      )}
    </div>
  );
}

/** The serial tells equal buttons of several cards apart for screen readers. */
function CardButton({ serial, onClick, children }: { serial: string; onClick: () => void; children: string }) {
  return (
    <Button variant="default" size="compact-sm" onClick={onClick} aria-label={`${children}: ${serial}`}>
      {children}
    </Button>
  );
}

function DailyLimit({ card, customerId }: { card: ListedCard; customerId: string }) {
  const { t } = useLingui();
  const used = useLimits(customerId)?.cards.find(({ serial }) => serial === card.serial)?.used;
  const limit = card.daily_limit ?? null;
  if (limit === null) return null;
  const written = amount(limit);
  return (
    <div>
      <Text size="xs" className={classes.limit}>
        {used === undefined ? t`At most ${written} a day` : t`${amount(used)} of ${written} today`}
      </Text>
      {used !== undefined && (
        <Progress
          value={Math.min(100, (used / Math.max(limit, 1)) * 100)}
          size="xs"
          aria-label={t`Card's daily limit`}
        />
      )}
    </div>
  );
}
