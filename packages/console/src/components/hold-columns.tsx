// The columns of a list of holds, without the one that names the other party.
import type { Hold } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import type { ListDefinition } from './list/definition.ts';
import { Instant, Money, Status } from './values.tsx';

const TONES = { active: 'yellow', captured: 'kissi', released: 'gray', expired: 'gray' };

export function useHoldList(resource: string, query: object): Omit<ListDefinition<Hold>, 'columns'> {
  const { t } = useLingui();
  return {
    resource,
    noun: t`holds`,
    fileName: 'holds',
    items: 'holds',
    pageSize: 15,
    read: (client, filters, options) => client.holds.list({ ...filters, ...query } as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ capture_transaction_id: id }) => (id ? `/transactions/${id}` : null),
    filters: [
      { kind: 'choice', name: 'status', label: t`Status`, options: ['active', 'captured', 'released', 'expired'] },
    ],
  };
}

export function useHoldColumns(): Record<
  'amount' | 'until' | 'captured' | 'status',
  ListDefinition<Hold>['columns'][number]
> {
  const { t } = useLingui();
  return {
    amount: { title: t`Held (SLE)`, align: 'end', cell: ({ reserved }) => <Money value={reserved} /> },
    until: { title: t`Until`, cell: ({ expires_at }) => <Instant at={expires_at} /> },
    captured: {
      title: t`Captured (SLE)`,
      align: 'end',
      keep: 'tablet',
      cell: ({ captured_amount }) => (captured_amount === null ? '–' : <Money value={captured_amount} />),
    },
    status: { title: t`Status`, cell: ({ status }) => <Status value={status} tone={TONES[status]} /> },
  };
}
