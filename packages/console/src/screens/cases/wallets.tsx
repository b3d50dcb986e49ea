// The state of the customer's wallet and, in a recall, of the recipient's.
import { type CaseDetails, KissiError } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { Waiting } from '../../components/states.tsx';
import { Instant, Money, Status } from '../../components/values.tsx';
import classes from './cases.module.css';

export function WalletsPanel({ details: { subscriber_id, recall } }: { details: CaseDetails }) {
  const { t } = useLingui();
  const other = recall?.recipient_id;
  if (!useCan()('subscribers:read')) return null;
  return (
    <Panel title={other ? t`Both wallets` : t`The customer's wallet`}>
      <div className={classes.wallets}>
        <Wallet id={subscriber_id} side={t`Customer`} />
        {other && <Wallet id={other} side={t`Recipient`} />}
      </div>
    </Panel>
  );
}

function Wallet({ id, side }: { id: string; side: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(['subscribers', 'one', id], (options) => kissi.subscribers.get(id, options));
  if (!data) {
    const isHidden = error instanceof KissiError && error.code === 'PEP_ACCESS_REQUIRED';
    if (!isHidden) return <Waiting error={error} retry={refetch} rows={4} />;
    return <Text size="sm" c="dimmed">{t`${side}: a politically exposed person`}</Text>;
  }
  const { first_name, last_name, phone_number, status, balance, held, available, pin_locked_until } = data.subscriber;
  return (
    <Stack gap="xs">
      <div>
        <Text size="xs" c="dimmed">
          {side}
        </Text>
        <Text fw={600}>
          <Party id={id} name={`${first_name} ${last_name}`} />
        </Text>
        <Text size="sm" c="dimmed">
          {phone_number}
        </Text>
      </div>
      <Facts
        narrow
        facts={[
          [t`Status`, <Status key="status" value={status} />],
          balance === undefined ? null : [t`Balance (SLE)`, <Money key="balance" value={balance} />],
          held === undefined ? null : [t`Held (SLE)`, <Money key="held" value={held} />],
          available === undefined ? null : [t`Available (SLE)`, <Money key="available" value={available} />],
          pin_locked_until ? [t`Locked until`, <Instant key="locked" at={pin_locked_until} />] : null,
        ]}
      />
    </Stack>
  );
}
