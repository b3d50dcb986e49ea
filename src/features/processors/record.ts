// A processor as the API returns it: the record with its balance.
import { iso } from '../../kernel/clock.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { ProcessorRow } from './store.ts';

export const STATUSES = ['active', 'suspended'] as const;

export type Processor = ProcessorRow & { balance: number };

/** Without the suspension's reason and author, which are in the audit log. */
export function recordOf(processor: Processor) {
  const { id, merchant_id, business_name, contact_name, phone_number, email, status, balance } = processor;
  return {
    id,
    merchant_id,
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
