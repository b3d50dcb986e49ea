// The list of all transactions.
import type { ListTransactionsReply } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import type { ListDefinition, Query } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { usePaymentColumns, usePaymentFilters } from '../../components/list/payment-columns.tsx';
import { Page } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { Absent, Id } from '../../components/values.tsx';
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
  const columns = usePaymentColumns<Row>();
  const filters = usePaymentFilters(TYPES);
  return {
    resource: 'transactions',
    noun: t`transactions`,
    items: 'transactions',
    read: (client, query, options) => client.transactions.list(query as never, options),
    sums: { isBounded, read: (client, query, options) => client.transactions.sums(query as never, options) },
    keyOf: ({ transaction_id }) => transaction_id,
    linkOf: ({ transaction_id }) => `/transactions/${transaction_id}`,
    filters: [
      filters.type,
      {
        kind: 'choice',
        name: 'group',
        label: t`Kind`,
        options: [
          { value: 'payments', label: t`Payments` },
          { value: 'refunds', label: t`Refunds` },
        ],
        rare: true,
      },
      { kind: 'text', name: 'reference', label: t`Reference`, placeholder: t`Partner's reference` },
      filters.from,
      filters.to,
      { kind: 'amount', name: 'min_amount', label: t`At least (SLE)`, rare: true },
      { kind: 'amount', name: 'max_amount', label: t`At most (SLE)`, rare: true },
      { kind: 'text', name: 'transaction_id', label: t`Transaction id`, placeholder: 'txn_…', rare: true },
      { kind: 'text', name: 'request_id', label: t`Request id`, placeholder: t`Request id`, rare: true },
      { kind: 'text', name: 'authorization_code', label: t`Code on the receipt`, rare: true },
      { kind: 'party', name: 'subscriber_id', label: t`Customer`, types: ['subscriber'], rare: true },
      { kind: 'party', name: 'agent_id', label: t`Agent`, types: ['agent'], rare: true },
      { kind: 'party', name: 'processor_id', label: t`Merchant`, types: ['processor'], rare: true },
      { kind: 'party', name: 'partner_id', label: t`Partner`, types: ['partner'], rare: true },
    ],
    columns: [
      columns.type,
      columns.time,
      { title: t`Paid by`, cell: (row) => ('type' in row ? <Party id={row.payer_id} name={row.payer_name} /> : null) },
      {
        title: t`Received by`,
        cell: (row) => ('type' in row ? <Party id={row.payee_id} name={row.payee_name} /> : null),
      },
      {
        title: t`Reference`,
        keep: 'desktop',
        cell: (row) => ('type' in row && row.reference ? <Id value={row.reference} short /> : <Absent />),
      },
      columns.fee,
      columns.amount,
    ],
  };
}

const MOST_DAYS = 31;
const DAY_MS = 24 * 3_600_000;
const PARTIES = ['subscriber_id', 'agent_id', 'processor_id', 'partner_id'];
/** Name a few transactions, which need no sum. */
const SLIP = ['reference', 'transaction_id', 'request_id', 'authorization_code'];

/** The service adds up a month, or the transactions of one party. */
function isBounded(query: Query): boolean {
  const has = (name: string) => query[name] !== undefined;
  if (SLIP.some(has)) return false;
  const days = (Date.parse(query.to ?? '') - Date.parse(query.from ?? '')) / DAY_MS;
  return PARTIES.some(has) || (days >= 0 && days < MOST_DAYS);
}
