// Settings of partners: the notifications of their cash-ins, and their webhooks.
import { Type } from 'typebox';
import { flag, integer, sharedSecret, text } from './variable.ts';

const DAY_SECONDS = 86_400;

export const partnerVariables = {
  PARTNER_CASHIN_WEBHOOK_SECRET: Type.Optional(
    sharedSecret({
      description: 'HMAC secret of `POST /webhooks/partner/cashin`. If unset, the route answers 500.',
    }),
  ),
  PARTNER_CASHIN_PARTNER_ID: Type.Optional(
    text({
      description:
        'Partner that owes the credits announced by these notifications. If unset, the suspense account is debited.',
    }),
  ),
  PARTNER_CASHIN_REPLAY_SECONDS: integer(1, 7 * DAY_SECONDS, {
    default: 300,
    description:
      'How long a repeated cash-in notification without a `reference` (the same body again) gets the first reply instead of a second credit.',
  }),
  PARTNER_CASHIN_DAILY_LIMIT: integer(1, Number.MAX_SAFE_INTEGER, {
    default: 1_000_000_000,
    description:
      'Maximum amount that cash-in notifications debit from the suspense account in one UTC day, over all gateways, in minor units. More is refused with 422.',
  }),
  WEBHOOK_ALLOW_PRIVATE: flag({
    default: false,
    description: 'Allows outbound webhooks to private and loopback addresses.',
  }),
};
