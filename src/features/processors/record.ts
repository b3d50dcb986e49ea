// A processor as the API returns it: the record with its balance.
import type { Caller } from '../../auth/caller.ts';
import { isAllowed } from '../../auth/permissions.ts';
import { iso } from '../../kernel/clock.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { ProcessorRow } from './store.ts';

export const STATUSES = ['active', 'suspended'] as const;

export type Processor = ProcessorRow & { balance: number };

/** The fields that every caller with access to the record sees. */
function recordOf(processor: Processor) {
  const { id, merchant_id, merchant_number, business_name, contact_name, phone_number, email, status, balance } =
    processor;
  return {
    id,
    merchant_id,
    merchant_number,
    business_name,
    contact_name,
    phone_number,
    email,
    status,
    balance,
    balance_formatted: formatMoney(balance),
    created_at: iso(processor.created_at),
  };
}

/** With the reason of a suspension, for users who decide on processors. */
export function recordFor(caller: Caller, processor: Processor) {
  const { suspend_reason } = processor;
  const isDecider = caller.kind === 'user' && isAllowed(caller, 'processors:reasons');
  return { ...recordOf(processor), ...(isDecider ? { suspend_reason } : {}) };
}
