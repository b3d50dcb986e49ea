// A hold as the API returns it.
import { iso } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import type { Hold } from '../../ledger/holds/lookup.ts';

export const HOLD_STATUSES = ['active', 'captured', 'released', 'expired'] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

/** Names are undefined for keys, which know the parties by their ids. */
export interface ShownParties {
  payerId: string | null;
  payerName: string | null | undefined;
  payeeName: string | null | undefined;
}

/** `drawn`: what payments have taken out of it. */
export function holdRecord(hold: Hold, drawn: number, { payerId, payerName, payeeName }: ShownParties, now: number) {
  const { outcome, ended_at } = hold;
  return {
    id: hold.id,
    status: holdStatus(hold, now),
    purpose: hold.purpose,
    type: hold.type,
    amount: hold.amount,
    reserved: hold.reserved,
    remaining: outcome === null ? hold.reserved - drawn : 0,
    captured_amount: outcome === 'captured' ? hold.captured : null,
    capture_transaction_id: outcome === 'captured' ? hold.end_id : null,
    currency: CURRENCY,
    payer_id: payerId,
    payer_name: payerName,
    payee_id: hold.payee_id || null,
    payee_name: payeeName,
    narration: hold.narration,
    request_id: hold.request_id,
    created_at: iso(hold.at),
    expires_at: iso(hold.expires_at),
    ended_at: ended_at && iso(ended_at),
  };
}

/** It has expired at its instant, even before that is recorded. */
function holdStatus({ outcome, expires_at }: Hold, now: number): HoldStatus {
  return outcome ?? (expires_at.getTime() <= now ? 'expired' : 'active');
}
