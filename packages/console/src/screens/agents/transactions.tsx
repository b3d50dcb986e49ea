// The payments of an agent, with their balances.
import type { ListAgentTransactionsResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { kissi } from '../../api/session.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Party } from '../../components/party.tsx';
import { useTypeName } from '../../components/type-name.ts';
import { Absent, Instant, Money } from '../../components/values.tsx';
import { zoneName } from '../../format/time.ts';

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
  const typeName = useTypeName();
  const zone = zoneName();
  const definition: ListDefinition<Row> = {
    resource: `agent-transactions-${id}`,
    noun: t`payments`,
    fileName: 'agent-payments',
    items: 'transactions',
    pageSize: 15,
    read: (query, options) => kissi.agents.transactions(id, query as never, options),
    keyOf: ({ transaction_id }) => transaction_id,
    linkOf: ({ transaction_id }) => `/transactions/${transaction_id}`,
    filters: [
      {
        kind: 'choice',
        name: 'type',
        label: t`Type`,
        options: TYPES.map((value) => ({ value, label: typeName(value) })),
      },
      { kind: 'date', name: 'from', label: t`From` },
      { kind: 'date', name: 'to', label: t`To` },
    ],
    columns: [
      {
        name: 'type',
        title: t`Type`,
        keep: 'title',
        cell: (row) => (
          <Text fw={600} inherit miw="8rem">
            {'type' in row ? typeName(row.type) : t`Hidden: a politically exposed person`}
          </Text>
        ),
      },
      {
        name: 'time',
        title: t`Time (${zone})`,
        cell: (row) => ('type' in row ? <Instant at={row.created_at} /> : null),
      },
      {
        name: 'other',
        title: t`Other side`,
        keep: 'desktop',
        cell: (row) =>
          'type' in row && (
            <span style={{ whiteSpace: 'nowrap' }}>
              <Party id={row.counterparty} />
            </span>
          ),
      },
      {
        name: 'amount',
        title: t`Amount (SLE)`,
        align: 'end',
        cell: (row) =>
          'type' in row ? <Money value={row.direction === 'debit' ? -row.amount : row.amount} signed /> : <Absent />,
      },
      {
        name: 'balance',
        title: t`Float after (SLE)`,
        align: 'end',
        keep: 'tablet',
        cell: (row) => ('type' in row ? <Money value={row.balance_after ?? 0} /> : <Absent />),
      },
    ],
  };
  return <RecordList definition={definition} />;
}
