// Merchants' pay-outs: those that the banks have not executed yet, and the merchants to pay out.
import type { PayoutRecord, Processor } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { Link } from '../../../components/link.tsx';
import type { ListDefinition } from '../../../components/list/definition.ts';
import { RecordList } from '../../../components/list/list.tsx';
import { Page, Panel } from '../../../components/page.tsx';
import { SmallTable } from '../../../components/small-table.tsx';
import { Empty, SectionTitle, Waiting } from '../../../components/states.tsx';
import { Instant, Money, Status, Titled } from '../../../components/values.tsx';
import { count, money } from '../../../format/money.ts';
import { date, zoneName } from '../../../format/time.ts';

export default function Payouts() {
  const { t } = useLingui();
  return (
    <Page
      title={t`Pay-outs`}
      description={t`A pay-out is in transit until a bank statement shows its debit and both are matched.`}
    >
      <InTransit />
      <div>
        <SectionTitle>{t`All pay-outs`}</SectionTitle>
        <RecordList definition={useAllPayouts()} />
      </div>
      <div>
        <SectionTitle>{t`By merchant`}</SectionTitle>
        <RecordList definition={useDefinition()} />
      </div>
    </Page>
  );
}

/** Pay-outs among the open items of the books. */
function InTransit() {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(['payouts', 'in-transit'], async (options) => {
    const [overview, open] = await Promise.all([
      kissi.reports.overview({}, options),
      kissi.reconciliation.list({ side: 'books', status: 'unmatched', limit: '100' }, options),
    ]);
    const items = open.items.filter(({ type }) => type === 'processor_payout');
    return { items, sum: overview.balances?.payouts_in_transit ?? 0, isPart: open.total_count > open.items.length };
  });
  const sum = money(data?.sum ?? 0);
  return (
    <Panel
      title={t`In transit`}
      flush
      aside={
        data && (
          <Text size="sm" fw={600}>
            {sum}
          </Text>
        )
      }
    >
      {!data && <Waiting error={error} retry={refetch} rows={3} />}
      {data?.items.length === 0 && <Empty icon="approve" title={t`No pay-out is in transit`} />}
      {data && data.items.length > 0 && (
        <SmallTable
          rows={data.items}
          columns={[
            {
              title: t`Merchant`,
              cell: ({ party_id, counterparty }) => (
                <Link to={`/finance/payouts/${party_id}`}>{counterparty ?? party_id}</Link>
              ),
            },
            { title: t`Reference`, rare: true, cell: ({ reference }) => reference },
            { title: t`Day`, cell: (item) => date(item.date) },
            { title: t`Age (days)`, end: true, rare: true, cell: ({ age_days }) => count(age_days) },
            { title: t`Amount (SLE)`, end: true, cell: ({ amount }) => <Money value={Math.abs(amount)} /> },
          ]}
        />
      )}
      {data?.isPart && (
        <Text size="sm" c="dimmed" p="sm">{t`The oldest are shown. Reconciliation has all of them.`}</Text>
      )}
    </Panel>
  );
}

function useAllPayouts(): ListDefinition<PayoutRecord> {
  const { t } = useLingui();
  const zone = zoneName();
  return {
    resource: 'payouts',
    noun: t`pay-outs`,
    fileName: 'payouts',
    items: 'payouts',
    pageSize: 10,
    read: (client, query, options) => client.processors.allPayouts(query as never, options),
    keyOf: ({ transaction_id }) => transaction_id,
    linkOf: ({ transaction_id }) => `/transactions/${transaction_id}`,
    filters: [{ kind: 'choice', name: 'state', label: t`State`, options: ['in_transit', 'cleared', 'returned'] }],
    columns: [
      {
        title: t`Merchant`,
        keep: 'title',
        cell: ({ processor_id, processor_name }) => (
          <Link to={`/finance/payouts/${processor_id}`}>{processor_name ?? processor_id}</Link>
        ),
      },
      { title: t`Requested (${zone})`, cell: ({ created_at }) => <Instant at={created_at} /> },
      { title: t`Bank account`, keep: 'desktop', cell: ({ bank_account }) => bank_account },
      { title: t`Reference`, keep: 'tablet', cell: ({ reference }) => reference },
      { title: t`State`, cell: ({ state }) => <Status value={state} /> },
      { title: t`Amount (SLE)`, align: 'end', cell: ({ amount }) => <Money value={amount} /> },
    ],
  };
}

function useDefinition(): ListDefinition<Processor> {
  const { t } = useLingui();
  return {
    resource: 'processors',
    name: 'merchants',
    noun: t`merchants`,
    fileName: 'merchants',
    items: 'processors',
    read: (client, query, options) => client.processors.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/finance/payouts/${id}`,
    filters: [
      { kind: 'text', name: 'search', label: t`Merchant`, placeholder: t`Name, merchant id or phone` },
      { kind: 'choice', name: 'status', label: t`Status`, options: ['active', 'suspended'] },
    ],
    columns: [
      { title: t`Merchant`, keep: 'title', cell: ({ business_name }) => <Titled name={business_name} /> },
      { title: t`Merchant id`, keep: 'tablet', cell: ({ merchant_id }) => merchant_id },
      { title: t`Status`, cell: ({ status }) => <Status value={status} /> },
      {
        title: t`Balance (SLE)`,
        align: 'end',
        cell: ({ balance }) => (balance === undefined ? null : <Money value={balance} />),
      },
    ],
  };
}
