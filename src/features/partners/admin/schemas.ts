// Request and response schemas for partner administration and settlements.
import { type Static, Type } from 'typebox';
import { description, line, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';
import { amountField, balanceAfter, requestIdField } from '../../../http/payment-endpoint.ts';
import { putBody } from '../../../http/put.ts';
import { ERROR_MESSAGE } from '../../../http/validation.ts';
import { iso } from '../../../kernel/clock.ts';
import type { Partner } from './store.ts';

const STATUSES = ['active', 'suspended'] as const;
const MAX_BLOCKS = 100;

const amount = (description: string) => amountField(`${description} Minor units.`);

export const partnerFields = {
  name: Type.Optional(line()),
  webhook_url: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description: 'Must be https in production. Empty text removes it.',
      [ERROR_MESSAGE]: 'must be an http or https URL, or empty',
    }),
  ),
  ip_allowlist: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: MAX_BLOCKS,
      description: 'CIDR blocks or addresses, IPv4 or IPv6. Empty: any address is allowed.',
    }),
  ),
  min_amount: Type.Optional(amount('The minimum for one inbound credit or cash-in. Default: 1.')),
  max_amount: Type.Optional(amount('The maximum for one inbound credit or cash-in. Default: 50,000,000.')),
  outstanding_limit: Type.Optional(
    amount('The most it may owe from credits, cash-ins and fundings. Default: 1,000,000,000.'),
  ),
  status: Type.Optional(Type.Enum(STATUSES)),
};
const fields = Type.Object(partnerFields);
export type PartnerFields = Static<typeof fields>;

export const createPartnerBody = Type.Object({ ...partnerFields, name: line() });
export type NewPartner = Static<typeof createPartnerBody>;

const partnerRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    webhook_url: Type.Union([Type.String(), Type.Null()]),
    ip_allowlist: Type.Array(Type.String()),
    min_amount: Type.Integer(),
    max_amount: Type.Integer(),
    outstanding_limit: Type.Integer(),
    outstanding: Type.Integer({ description: 'What it owes now. Minor units.' }),
    status: Type.Enum(STATUSES),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { title: 'Partner' },
);

export const updatePartnerBody = putBody(fields, partnerRecord);

const done = { success: Type.Literal(true), message: Type.String() };
const webhook_secret = Type.String({ description: 'Signs outgoing webhooks. Shown once.' });

export const createPartnerReply = Type.Object({ ...done, partner: partnerRecord, webhook_secret });
export const updatePartnerReply = Type.Object({ ...done, partner: partnerRecord });
export const partnerReply = Type.Object({ partner: partnerRecord });

export const partnersQuery = listQuery({
  status: Type.Optional(Type.Enum(STATUSES)),
  search: Type.Optional(line()),
});
export const partnersReply = listReply('partners', partnerRecord);

export const rotateSecretQuery = Type.Object({
  overlap_seconds: Type.Optional(
    Type.String({
      pattern: '^\\d{1,7}$',
      description:
        'How long X-Hook-Signature-Previous carries the signature of the old secret after the activation. Default: 86400. 0: not at all.',
      [ERROR_MESSAGE]: 'must be a whole number from 0, of at most 7 digits',
    }),
  ),
});
export const rotateSecretBody = Type.Object({
  activate_at: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'When the new secret begins to sign X-Hook-Signature, at most 90 days ahead. Default: at once.',
    }),
  ),
});
export const rotateSecretReply = Type.Object({
  ...done,
  webhook_secret,
  activate_at: timestamp(),
  previous_valid_until: timestamp(),
});

export const settleBody = Type.Object({
  amount: amountField(),
  reference: Type.Optional(line()),
  request_id: Type.Optional(requestIdField()),
  description: Type.Optional(description()),
});
export type Settlement = Static<typeof settleBody>;

export const settleReply = Type.Object({
  ...done,
  transaction_id: Type.String(),
  request_id: Type.Union([Type.String(), Type.Null()]),
  partner_id: Type.String(),
  reference: Type.Union([Type.String(), Type.Null()]),
  amount: Type.Integer(),
  currency: Type.String(),
  partner_outstanding: balanceAfter('What it owes after the settlement. Minor units.'),
  created_at: timestamp(),
});

export function partnerView(partner: Partner): Static<typeof partnerRecord> {
  const { id, name, webhook_url, ip_allowlist, min_amount, max_amount, outstanding_limit, outstanding } = partner;
  return {
    id,
    name,
    webhook_url,
    ip_allowlist,
    min_amount,
    max_amount,
    outstanding_limit,
    outstanding,
    status: partner.status as (typeof STATUSES)[number],
    created_at: iso(partner.created_at),
    updated_at: iso(partner.updated_at),
  };
}
