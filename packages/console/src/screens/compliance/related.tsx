// What else is known about the subject of an alert: its last payments, and its other alerts.
import type { ListedAlert, Transaction } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { otherName } from '../../components/party.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { Waiting } from '../../components/states.tsx';
import { Absent, Instant, Money, Status } from '../../components/values.tsx';
import { AccountName } from './account-name.tsx';
import classes from './compliance.module.css';
import { alertTitle, severityTone, typeName } from './words.ts';

const PARAMETERS: Record<string, 'subscriber_id' | 'agent_id' | 'processor_id'> = {
  sub: 'subscriber_id',
  agent: 'agent_id',
  proc: 'processor_id',
};

const parameterOf = (id: string) => ({ [PARAMETERS[id.split('_')[0] ?? ''] ?? 'subscriber_id']: id });

export function SubjectPayments({ id, flagged }: { id: string; flagged?: string | null | undefined }) {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(['transactions', 'of', id], (options) =>
    kissi.transactions.list({ ...parameterOf(id), limit: '10' }, options),
  );
  return (
    <Panel
      title={t`Last payments`}
      aside={<Link to="/transactions" search={parameterOf(id) as Record<string, string>} size="sm">{t`Show all`}</Link>}
      flush
    >
      {!data && <Waiting error={error} retry={refetch} rows={4} />}
      {data && <PaymentTable payments={data.transactions} flagged={flagged} />}
    </Panel>
  );
}

function PaymentTable({ payments, flagged }: { payments: Transaction[]; flagged?: string | null | undefined }) {
  const { t } = useLingui();
  if (payments.length === 0) {
    return <Text size="sm" c="dimmed" px="md" pb="md">{t`No payments yet.`}</Text>;
  }
  return (
    <SmallTable
      wide
      rows={payments}
      columns={[
        { title: t`Time`, cell: ({ created_at }) => <Instant at={created_at} /> },
        {
          title: t`Payment`,
          cell: ({ transaction_id, type }) => (
            <>
              <Link to={`/transactions/${transaction_id}`}>{typeName(type)}</Link>{' '}
              {transaction_id === flagged && <Status value={t`This alert`} tone="yellow" />}
            </>
          ),
        },
        {
          title: t`With`,
          cell: (payment) =>
            payment.counterparty ? <AccountName id={payment.counterparty} name={otherName(payment)} /> : <Absent />,
        },
        {
          title: t`Amount (SLE)`,
          end: true,
          cell: ({ amount, direction }) => <Money value={direction === 'debit' ? -amount : amount} signed />,
        },
      ]}
    />
  );
}

export function OtherAlerts({ subject, except }: { subject: string; except: string }) {
  const { t } = useLingui();
  const { data } = useRead(['alerts', 'of', subject], (options) =>
    kissi.alerts.list({ ...parameterOf(subject), limit: '6' }, options),
  );
  const others = data?.alerts.filter(({ id }) => id !== except).slice(0, 5) ?? [];
  if (!data || others.length === 0) return null;
  const total = data.total_count - 1;
  return (
    <Panel title={t`Other alerts (${total})`}>
      <ul className={classes.events}>
        {others.map((alert) => (
          <OtherAlert key={alert.id} alert={alert} />
        ))}
      </ul>
    </Panel>
  );
}

function OtherAlert({ alert }: { alert: ListedAlert }) {
  const { severity = '', resolution } = alert;
  return (
    <li>
      <Link to={`/alerts/${alert.id}`}>{alertTitle(alert)}</Link>
      <Text size="xs" c="dimmed" mb={4}>
        <Instant at={alert.created_at} />
        {resolution ? ` · ${resolution}` : ''}
      </Text>
      <Status value={severity} tone={severityTone(severity)} /> <Status value={alert.status} />
    </li>
  );
}
