// The payments of a merchant, with a refund for each that can be refunded.
import type { ListProcessorTransactionsResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Party } from '../../components/party.tsx';
import { useTypeName } from '../../components/type-name.ts';
import { Absent, Instant, Money } from '../../components/values.tsx';
import { zoneName } from '../../format/time.ts';
import { RefundDialog } from './refund.tsx';

type Row = ListProcessorTransactionsResponse['transactions'][number];

const TYPES = ['pos_payment', 'pos_refund', 'processor_transfer', 'processor_payout', 'payout_returned'];

export function MerchantTransactions({ id }: { id: string }) {
  const [refunded, setRefunded] = useState<string | null>(null);
  const definition = useDefinition(id, setRefunded);
  return (
    <>
      <RecordList definition={definition} />
      {refunded && <RefundDialog processorId={id} transactionId={refunded} onClose={() => setRefunded(null)} />}
    </>
  );
}

function useDefinition(id: string, refund: (transaction: string) => void): ListDefinition<Row> {
  const { t } = useLingui();
  const can = useCan();
  const typeName = useTypeName();
  const zone = zoneName();
  return {
    resource: `processor-transactions-${id}`,
    noun: t`payments`,
    fileName: 'merchant-payments',
    items: 'transactions',
    pageSize: 15,
    read: (query, options) => kissi.processors.transactions(id, query as never, options),
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
        name: 'fee',
        title: t`Fee (SLE)`,
        align: 'end',
        keep: 'tablet',
        cell: (row) => ('type' in row && row.fee > 0 ? <Money value={row.fee} /> : <Absent />),
      },
      ...(can('processors:refund')
        ? [
            {
              name: 'refund',
              title: '',
              align: 'end' as const,
              cell: (row: Row) =>
                'type' in row && row.type === 'pos_payment' ? (
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={(event) => {
                      event.stopPropagation();
                      refund(row.transaction_id);
                    }}
                  >
                    <Trans>Refund</Trans>
                  </Button>
                ) : null,
            },
          ]
        : []),
    ],
  };
}
