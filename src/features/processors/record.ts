// A processor as the wire shows it: the record with what the books say.
import { iso } from '../../kernel/clock.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { ProcessorRow } from './store.ts';

export const STATUSES = ['active', 'suspended'] as const;

export type Processor = ProcessorRow & { balance: number };

/** Why it was suspended and by whom is in the audit log, for those who may read that. */
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
