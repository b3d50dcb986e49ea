// The events that were sent to partners and merchants.
import type { ListedWebhookDelivery } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { deliveryTone } from '../../components/delivery/delivery-tone.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { Absent, Instant, Status, Titled } from '../../components/values.tsx';
import { PartnerName, usePartnerOptions } from './partner-name.tsx';

export default function Deliveries() {
  const { t } = useLingui();
  return (
    <Page
      title={t`Webhook deliveries`}
      description={t`Events that are sent to partners and merchants. Each is sent again until the receiver answers with 2xx.`}
    >
      <RecordList definition={useDefinition()} />
    </Page>
  );
}

function useDefinition(): ListDefinition<ListedWebhookDelivery> {
  const { t } = useLingui();
  return {
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
      { kind: 'choice', name: 'partner_id', label: t`Partner`, options: usePartnerOptions() },
      { kind: 'text', name: 'reference', label: t`Reference` },
    ],
    columns: [
      {
        title: t`Event`,
        keep: 'title',
        cell: ({ event, reference }) => <Titled name={event ?? t`Hidden`} note={reference} />,
      },
      {
        title: t`Receiver`,
        cell: ({ partner_id, processor_id }) =>
          processor_id ? <Party id={processor_id} /> : <PartnerName id={partner_id} />,
      },
      { title: t`Attempts`, align: 'end', keep: 'tablet', cell: ({ attempt_count = 0 }) => attempt_count },
      { title: t`Last reply`, keep: 'desktop', cell: (delivery) => <LastReply delivery={delivery} /> },
      { title: t`Created`, cell: ({ created_at }) => <Instant at={created_at} /> },
      { title: t`Status`, cell: ({ status }) => <Status value={status} tone={deliveryTone(status)} /> },
    ],
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
