// The events that were sent to partners and merchants.
import type { ListedWebhookDelivery } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { useDeliveryList } from './delivery-list.tsx';
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
  const { list, columns } = useDeliveryList();
  const receiver = {
    title: t`Receiver`,
    cell: ({ partner_id, processor_id }: ListedWebhookDelivery) =>
      processor_id ? <Party id={processor_id} /> : <PartnerName id={partner_id} />,
  };
  const partner = { kind: 'choice' as const, name: 'partner_id', label: t`Partner`, options: usePartnerOptions() };
  return {
    ...list,
    filters: [...list.filters, partner],
    columns: [columns.event, receiver, columns.attempts, columns.lastReply, columns.created, columns.status],
  };
}
