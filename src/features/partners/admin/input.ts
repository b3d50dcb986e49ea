// Validates and normalizes the partner fields that an administrator sends.
import { isAllowlistEntry } from '../../../auth/allowlist.ts';
import { parseAmount } from '../../../kernel/money.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { type UrlRules, webhookUrlFault } from '../../../webhooks/address.ts';
import { type PartnerFields, partnerFields } from './schemas.ts';
import type { PartnerTerms } from './store.ts';

export interface Rules {
  webhookUrls: UrlRules;
}

const FIELDS = Object.keys(partnerFields) as (keyof PartnerFields)[];
const AMOUNTS = ['min_amount', 'max_amount', 'outstanding_limit'] as const;

/** Returns only the fields that were sent. Unknown fields are ignored. */
export function readTerms(input: PartnerFields, rules: Rules): Partial<PartnerTerms> | Refusal {
  const refusal = allowlistRefusal(input.ip_allowlist) ?? webhookRefusal(input.webhook_url, rules);
  if (refusal) return refusal;
  const amounts = readAmounts(input);
  if (amounts instanceof Refusal) return amounts;
  const sent = Object.fromEntries(
    FIELDS.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]]])),
  );
  const { name, webhook_url } = input;
  return {
    ...sent,
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(webhook_url === undefined ? {} : { webhook_url: webhook_url || null }),
    ...amounts,
  };
}

function allowlistRefusal(entries: readonly string[] = []): Refusal | null {
  const bad = entries.find((entry) => !isAllowlistEntry(entry));
  if (bad === undefined) return null;
  return refuse('INVALID_REQUEST', `ip_allowlist contains ${bad}, which is neither an address nor a CIDR block.`);
}

function webhookRefusal(url: string | undefined, { webhookUrls }: Rules): Refusal | null {
  const fault = url ? webhookUrlFault(url, webhookUrls) : null;
  return fault === null ? null : refuse('INVALID_REQUEST', `webhook_url ${fault}.`);
}

function readAmounts(input: PartnerFields): Partial<PartnerTerms> | Refusal {
  const read: Partial<PartnerTerms> = {};
  for (const field of AMOUNTS) {
    const value = input[field];
    if (value === undefined) continue;
    const amount = field === 'outstanding_limit' && /^0+$/.test(String(value)) ? 0 : parseAmount(value);
    if (amount === null) return refuse('INVALID_AMOUNT', `${field} must be a whole number of minor units below 2^53.`);
    read[field] = amount;
  }
  return read;
}

/** Checks the whole record, because a change of one bound may conflict with the other. */
export function boundsRefusal({
  min_amount,
  max_amount,
}: Pick<PartnerTerms, 'min_amount' | 'max_amount'>): Refusal | null {
  return min_amount <= max_amount ? null : refuse('INVALID_REQUEST', 'min_amount must not be larger than max_amount.');
}
