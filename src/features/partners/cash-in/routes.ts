// The webhook endpoint for cash-in notifications of a partner.
import { type Endpoint, endpoint } from '../../../http/endpoint.ts';
import { executedReply } from '../../../http/payment-endpoint.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { notificationBody, notificationReply } from './schemas.ts';
import type { PartnerCashin } from './service.ts';

export function partnerCashinRoutes(partnerCashin: PartnerCashin): Endpoint[] {
  return [
    endpoint({
      id: 'receivePartnerCashIn',
      clientMethod: 'partner.notifyCashIn',
      method: 'POST',
      path: '/webhooks/partner/cashin',
      permission: 'anyone',
      summary: 'Receive a cash-in notification and credit the cardholder',
      description:
        'A partner that cannot sign requests with a key sends this notification. With `reference` it is executed once. Without it, the same bytes within PARTNER_CASHIN_REPLAY_SECONDS (300 by default) get the first reply. The partner is not identified: the amount is owed by the suspense account until finance resolves it.',
      body: notificationBody,
      replies: { 200: notificationReply },
      refusals: [
        'INVALID_SIGNATURE',
        'INVALID_AMOUNT',
        { code: 'CARD_NOT_FOUND', status: 400 },
        { code: 'CARD_BLOCKED', status: 400 },
        'SUBSCRIBER_BLOCKED',
        'TRANSACTION_TYPE_DISABLED',
        'REFERENCE_CONFLICT',
        'AMOUNT_OUT_OF_RANGE',
        'DAILY_LIMIT_EXCEEDED',
        'MAX_BALANCE_EXCEEDED',
        'PARTNER_EXPOSURE_LIMIT_EXCEEDED',
        'COMPLIANCE_BLOCKED',
      ],
      handle: async (call) => {
        const outcome = await partnerCashin.notify(call, call.body, call.body.amount);
        return outcome instanceof Refusal ? outcome : executedReply(outcome);
      },
    }),
  ];
}
