// The list of all transactions.
import type { ListTransactionsReply } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { kissi } from '../../api/session.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { useTypeName } from '../../components/type-name.ts';
import { Absent, Id, Instant, Money } from '../../components/values.tsx';
import { zoneName } from '../../format/time.ts';
import { TYPES } from './types.ts';

type Row = ListTransactionsReply['transactions'][number];

export default function Transactions() {
  const { t } = useLingui();
  return (
    <Page title={t`Transactions`}>
      <RecordList definition={useDefinition()} />
    </Page>
  );
}

function useDefinition(): ListDefinition<Row> {
  const { t } = useLingui();
  const typeName = useTypeName();
  const zone = zoneName();
  return {
    resource: 'transactions',
    noun: t`transactions`,
    items: 'transactions',
    read: (query, options) => kissi.transactions.list(query as never, options),
    keyOf: ({ transaction_id }) => transaction_id,
    linkOf: ({ transaction_id }) => `/transactions/${transaction_id}`,
    filters: [
      {
        kind: 'choice',
        name: 'type',
        label: t`Type`,
        options: TYPES.map((value) => ({ value, label: typeName(value) })),
      },
      { kind: 'text', name: 'reference', label: t`Reference`, placeholder: t`Reference of the partner` },
      { kind: 'date', name: 'from', label: t`From` },
      { kind: 'date', name: 'to', label: t`To` },
      { kind: 'amount', name: 'min_amount', label: t`At least (SLE)`, rare: true },
      { kind: 'amount', name: 'max_amount', label: t`At most (SLE)`, rare: true },
      { kind: 'text', name: 'transaction_id', label: t`Transaction id`, placeholder: 'txn_…', rare: true },
      { kind: 'text', name: 'request_id', label: t`Request id`, placeholder: t`Request id`, rare: true },
      { kind: 'text', name: 'authorization_code', label: t`Code on the receipt`, rare: true },
      { kind: 'text', name: 'subscriber_id', label: t`Customer`, placeholder: t`Customer: sub_…`, rare: true },
      { kind: 'text', name: 'agent_id', label: t`Agent`, placeholder: t`Agent: agent_…`, rare: true },
      { kind: 'text', name: 'processor_id', label: t`Merchant`, placeholder: t`Merchant: proc_…`, rare: true },
      { kind: 'text', name: 'partner_id', label: t`Partner`, placeholder: t`Partner: ptn_…`, rare: true },
    ],
    columns: [
      {
        name: 'type',
        title: t`Type`,
        keep: 'title',
        cell: (row) => (
          <Text fw={600} inherit>
            {'type' in row ? typeName(row.type) : t`Hidden: a politically exposed person`}
          </Text>
        ),
      },
      {
        name: 'time',
        title: t`Time (${zone})`,
        cell: (row) => ('type' in row ? <Instant at={row.created_at} /> : null),
      },
      { name: 'payer', title: t`Paid by`, cell: (row) => ('type' in row ? <Party id={row.payer_id} /> : null) },
      { name: 'payee', title: t`Received by`, cell: (row) => ('type' in row ? <Party id={row.payee_id} /> : null) },
      {
        name: 'reference',
        title: t`Reference`,
        keep: 'desktop',
        cell: (row) => ('type' in row && row.reference ? <Id value={row.reference} short /> : <Absent />),
      },
      {
        name: 'fee',
        title: t`Fee (SLE)`,
        align: 'end',
        keep: 'tablet',
        cell: (row) => ('type' in row && row.fee > 0 ? <Money value={row.fee} /> : <Absent />),
      },
      {
        name: 'amount',
        title: t`Amount (SLE)`,
        align: 'end',
        cell: (row) => ('type' in row ? <Money value={row.amount} /> : <Absent />),
      },
    ],
  };
}
