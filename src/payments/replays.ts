// The reply to a repeated request: as it was stored, or without balances for a credential other than the first.
import { Refusal } from '../kernel/refusal.ts';
import type { FirstRequest } from '../ledger/posting/idempotency.ts';
import type { MovementActor } from '../ledger/types.ts';
import type { Executed } from './plan.ts';

/** What replies call an account's balance. Another credential may be allowed to pay, but not to read balances. */
const BALANCE_FIELDS = ['balance', 'from_balance', 'to_balance', 'partner_outstanding'];

/** Whether the credential gets the reply as it was stored. A key without a sender belongs to every credential. */
export function isSentBy(sender: MovementActor | undefined, first: Pick<FirstRequest, 'sender'> | null): boolean {
  return sender === undefined || (first?.sender.type === sender.type && first.sender.id === sender.id);
}

/** `isOwn`: the credential sent the request first. */
export function replayed(reply: string, isOwn: boolean): Executed {
  return { json: isOwn ? reply : JSON.stringify(withoutBalances(JSON.parse(reply))), replayed: true };
}

/** Whether the request id was used before: the reply does not depend on the PIN. */
export function isRepeated(outcome: Executed | Refusal): boolean {
  return outcome instanceof Refusal ? outcome.code === 'REQUEST_CONFLICT' : outcome.replayed;
}

export function withoutBalances(reply: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(reply).filter(([name]) => !BALANCE_FIELDS.includes(name)));
}
