// A list of webhook deliveries for staff: its filters and columns, without the one that names the receiver.
import type { ListedWebhookDelivery } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useCan } from '../../api/user.ts';
import { deliveryTone } from '../../components/delivery/delivery-tone.ts';
import type { BulkAction, Column, ListDefinition } from '../../components/list/definition.ts';
import { Absent, Instant, Status, Titled } from '../../components/values.tsx';

type Name = 'event' | 'attempts' | 'lastReply' | 'created' | 'status';

interface DeliveryList {
  list: Omit<ListDefinition<ListedWebhookDelivery>, 'columns'> & Required<Pick<ListDefinition<unknown>, 'filters'>>;
  columns: Record<Name, Column<ListedWebhookDelivery>>;
}

export function useDeliveryList(): DeliveryList {
  const { t } = useLingui();
  const mayReplay = useCan()('partners');
  const replay: BulkAction<ListedWebhookDelivery> = {
    label: t`Replay`,
    description: t`Each is sent again at once under the same event id. The receivers must ignore what they have processed before.`,
    nameOf: ({ event, reference }) => [event ?? t`Hidden`, reference].filter(Boolean).join(' · '),
    call: (client, { id }) => client.webhookDeliveries.replay(id),
  };
  return {
    list: {
      bulk: mayReplay ? [replay] : [],
      resource: 'deliveries',
      noun: t`deliveries`,
      fileName: 'webhook-deliveries',
      items: 'deliveries',
      everyMs: 15_000,
      read: (client, query, options) => client.webhookDeliveries.list(query as never, options),
      keyOf: ({ id }) => id,
      linkOf: ({ id }) => `/deliveries/${id}`,
      filters: [
        { kind: 'choice', name: 'status', label: t`Status`, options: ['pending', 'delivered', 'abandoned'] },
        { kind: 'text', name: 'reference', label: t`Reference` },
      ],
    },
    columns: {
      event: {
        title: t`Event`,
        keep: 'title',
        cell: ({ event, reference }) => <Titled name={event ?? t`Hidden`} note={reference} />,
      },
      attempts: {
        title: t`Attempts`,
        align: 'end',
        keep: 'tablet',
        cell: ({ attempt_count = 0 }) => attempt_count,
      },
      lastReply: { title: t`Last reply`, keep: 'desktop', cell: (delivery) => <LastReply delivery={delivery} /> },
      created: { title: t`Created`, cell: ({ created_at }) => <Instant at={created_at} /> },
      status: { title: t`Status`, cell: ({ status }) => <Status value={status} tone={deliveryTone(status)} /> },
    },
  };
}

function LastReply({ delivery: { attempts = [] } }: { delivery: ListedWebhookDelivery }) {
  const last = attempts.at(-1);
  if (!last) return <Absent />;
  return (
    <span>
      {last.status ?? last.error} · {last.duration_ms} ms
    </span>
  );
}
