// An agent's payments, with their balances.
import type { ListAgentTransactionsResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { usePaymentColumns, usePaymentFilters } from '../../components/list/payment-columns.tsx';

type Row = ListAgentTransactionsResponse['transactions'][number];

const TYPES = [
  'agent_cashin',
  'wallet_withdraw',
  'agent_transfer',
  'agent_fund',
  'agent_return',
  'commission_settlement',
];

export function AgentTransactions({ id }: { id: string }) {
  const { t } = useLingui();
  const columns = usePaymentColumns<Row>();
  const filters = usePaymentFilters(TYPES);
  const definition: ListDefinition<Row> = {
    resource: `agent-transactions-${id}`,
    noun: t`payments`,
    fileName: 'agent-payments',
    items: 'transactions',
    pageSize: 15,
    read: (client, query, options) => client.agents.transactions(id, query as never, options),
    keyOf: ({ transaction_id }) => transaction_id,
    linkOf: ({ transaction_id }) => `/transactions/${transaction_id}`,
    filters: [filters.type, filters.from, filters.to],
    columns: [columns.type, columns.time, columns.otherSide, columns.change, columns.balance(t`Float after (SLE)`)],
  };
  return <RecordList definition={definition} />;
}
