// What belongs to a transaction: refunds and reversals, alerts, webhooks, and its timeline.
import type { TransactionDetails } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Table } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../components/lazy-part.ts';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { Loading } from '../../components/states.tsx';
import { useTypeName } from '../../components/type-name.ts';
import { Instant, label, Money, Status } from '../../components/values.tsx';
import classes from './transaction.module.css';

/** Loaded after the rest. */
const RecordTimeline = lazyPart(() => import('../timeline/record-timeline.tsx'));

type Cells = { key: string; cells: ReactNode[] };

export function Records({ transaction }: { transaction: TransactionDetails }) {
  const { t } = useLingui();
  const typeName = useTypeName();
  const { related, alerts = [], webhook_deliveries: deliveries = [] } = transaction;
  return (
    <>
      <Section
        title={t`Refunds and reversals (SLE)`}
        rows={related.map(({ relation, transaction_id, type, amount, created_at }) => ({
          key: transaction_id,
          cells: [
            <Link key="link" to={`/transactions/${transaction_id}`}>
              {label(relation)}: {typeName(type)}
            </Link>,
            <Instant key="at" at={created_at} />,
            <Money key="amount" value={amount} />,
          ],
        }))}
      />
      <Section
        title={t`Alerts`}
        rows={alerts.map(({ id, description, severity, status, created_at }) => ({
          key: id,
          cells: [
            <Link key="link" to={`/alerts/${id}`}>
              {description}
            </Link>,
            <Instant key="at" at={created_at} />,
            <span key="status" className={classes.badges}>
              <Status value={severity} /> <Status value={status} />
            </span>,
          ],
        }))}
      />
      <Section
        title={t`Webhooks`}
        rows={deliveries.map(({ id, event, status, attempt_count, created_at }) => ({
          key: id,
          cells: [
            <Link key="link" to={`/deliveries/${id}`}>
              {event}
            </Link>,
            <Instant key="at" at={created_at} />,
            <span key="status" className={classes.badges}>
              {t`${attempt_count} attempts`} <Status value={status} />
            </span>,
          ],
        }))}
      />
      <Panel title={t`Timeline`}>
        <Suspense fallback={<Loading />}>
          <RecordTimeline record={{ kind: 'transaction', id: transaction.transaction_id }} transaction={transaction} />
        </Suspense>
      </Panel>
    </>
  );
}

function Section({ title, rows }: { title: string; rows: Cells[] }) {
  if (rows.length === 0) return null;
  return (
    <Panel title={title} flush>
      <Table.ScrollContainer minWidth={400} type="native">
        <Table verticalSpacing="xs" horizontalSpacing="md" className={classes.table}>
          <Table.Tbody>
            {rows.map(({ key, cells: [what, when, last] }) => (
              <Table.Tr key={key}>
                <Table.Td>{what}</Table.Td>
                <Table.Td>{when}</Table.Td>
                <Table.Td ta="end">{last}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}
