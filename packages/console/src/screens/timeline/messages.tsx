// What was sent: webhooks to partners and merchants, and the SMS of a test system. In production nobody keeps a copy of an SMS.
import type { ListedWebhookDelivery, OutboxMessage, TransactionDetails } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { kissi } from '../../api/session.ts';
import { useCan, useUser } from '../../api/user.ts';
import { deliveryTone } from '../../components/delivery/delivery-tone.ts';
import { label, Status } from '../../components/values.tsx';
import { paged, type TimelineRecord, type TimelineSource } from './entry.ts';

export function useMessages({ phone }: TimelineRecord): TimelineSource<OutboxMessage>[] {
  const { t } = useLingui();
  const isProduction = useUser().service.environment === 'production';
  if (!useCan()('messages') || isProduction || !phone) return [];
  return [
    {
      id: 'messages',
      kind: 'messages',
      read: paged(
        (page, options) => kissi.messages.list({ to: phone, ...page }, options),
        ({ messages }) => messages,
      ),
      at: ({ created_at }) => created_at,
      key: (message) => message.id,
      show: ({ kind, text }) => ({ what: t`Message: ${label(kind)}`, note: text, by: t`the service` }),
    },
  ];
}

type Delivery = ListedWebhookDelivery & { created_at: string };

export function useDeliveries({ kind, id }: TimelineRecord): TimelineSource<Delivery>[] {
  const { t } = useLingui();
  const receiver = { partner: { partner_id: id }, merchant: { processor_id: id } }[kind as string];
  if (!useCan()('partners') || !receiver) return [];
  return [
    {
      id: 'deliveries',
      kind: 'messages',
      read: paged(
        (page, options) => kissi.webhookDeliveries.list({ ...receiver, ...page }, options),
        ({ deliveries }) => deliveries.filter((each): each is Delivery => each.created_at !== undefined),
      ),
      at: ({ created_at }) => created_at,
      key: (delivery) => delivery.id,
      show: ({ event = t`Hidden`, reference, status, ...delivery }) => ({
        what: t`Webhook: ${event}`,
        note: reference,
        by: t`the service`,
        to: `/deliveries/${delivery.id}`,
        status: <Status value={status} tone={deliveryTone(status)} />,
      }),
    },
  ];
}

type Sent = NonNullable<TransactionDetails['webhook_deliveries']>[number];

export function useSent(transaction: TransactionDetails | undefined): TimelineSource<Sent>[] {
  const { t } = useLingui();
  const sent = transaction?.webhook_deliveries;
  const mayOpen = useCan()('partners');
  if (!sent) return [];
  return [
    {
      id: 'sent',
      kind: 'messages',
      read: async () => ({
        rows: sent.toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at)),
      }),
      at: ({ created_at }) => created_at,
      key: (delivery) => delivery.id,
      show: ({ id, event, status }) => ({
        what: t`Webhook: ${event}`,
        by: t`the service`,
        to: mayOpen ? `/deliveries/${id}` : undefined,
        status: <Status value={status} tone={deliveryTone(status)} />,
      }),
    },
  ];
}
