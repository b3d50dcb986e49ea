// A list of payment requests for staff: its filters and columns, without the one that names the other party.
import type { PaymentRequest } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import type { Column, ListDefinition, Query } from './list/definition.ts';
import { Instant, Money, Status, Titled } from './values.tsx';

export const REQUEST_TONES = { open: 'yellow', paid: 'kissi', declined: 'red', expired: 'gray', cancelled: 'gray' };

export function useRequestList(resource: string, fixed: Query): Omit<ListDefinition<PaymentRequest>, 'columns'> {
  const { t } = useLingui();
  return {
    resource,
    noun: t`requests`,
    fileName: 'payment-requests',
    items: 'payment_requests',
    fixed,
    pageSize: 15,
    read: (client, query, options) => client.paymentRequests.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/requests/${id}`,
    filters: [
      {
        kind: 'choice',
        name: 'status',
        label: t`Status`,
        options: ['open', 'paid', 'declined', 'expired', 'cancelled'],
      },
    ],
  };
}

export function useRequestColumns(): Record<
  'what' | 'time' | 'payments' | 'amount' | 'status',
  Column<PaymentRequest>
> {
  const { t } = useLingui();
  return {
    what: {
      title: t`What for`,
      keep: 'title',
      cell: ({ description, reference }) => <Titled name={description} note={reference} />,
    },
    time: { title: t`Time`, cell: ({ created_at }) => <Instant at={created_at} /> },
    payments: { title: t`Payments`, align: 'end', keep: 'tablet', cell: ({ payment_count }) => payment_count },
    amount: {
      title: t`Amount (SLE)`,
      align: 'end',
      cell: ({ amount }) => (amount === null ? t`Any` : <Money value={amount} />),
    },
    status: { title: t`Status`, cell: ({ status }) => <Status value={status} tone={REQUEST_TONES[status]} /> },
  };
}
