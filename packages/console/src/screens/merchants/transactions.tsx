// A merchant's payments, with a refund for each that can be refunded.
import type { ListProcessorTransactionsResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../api/user.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { usePaymentColumns, usePaymentFilters } from '../../components/list/payment-columns.tsx';
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
  const columns = usePaymentColumns<Row>();
  const filters = usePaymentFilters(TYPES);
  return {
    resource: `processor-transactions-${id}`,
    noun: t`payments`,
    fileName: 'merchant-payments',
    items: 'transactions',
    pageSize: 15,
    read: (client, query, options) => client.processors.transactions(id, query as never, options),
    keyOf: ({ transaction_id }) => transaction_id,
    linkOf: ({ transaction_id }) => `/transactions/${transaction_id}`,
    filters: [filters.type, filters.from, filters.to],
    columns: [
      columns.type,
      columns.time,
      columns.otherSide,
      columns.change,
      columns.fee,
      ...(can('processors:refund')
        ? [
            {
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
