// A recall as staff see it, and its state at an instant.
import { iso } from '../../../kernel/clock.ts';
import type { Recall } from '../store.ts';
import { type RecallState, RULE_TEXTS } from '../tables.ts';

/** Exact: nobody answers a recall from the instant of its expiry on, whether that is recorded yet or not. */
export function stateAt({ state, expires_at }: Pick<Recall, 'state' | 'expires_at'>, now: number): RecallState {
  return state === 'asked' && expires_at !== null && expires_at.getTime() <= now ? 'expired' : state;
}

export function recallView(recall: Recall, now: number) {
  const { outside_rule, transfer_id, sender_id, recipient_id, amount, held, hold_id, returned, decided_by } = recall;
  const time = (at: Date | null) => at && iso(at);
  return {
    state: stateAt(recall, now),
    outside_rule,
    reason: outside_rule && RULE_TEXTS[outside_rule],
    transaction_id: transfer_id,
    ...{ sender_id, recipient_id, amount, held, hold_id, returned, decided_by },
    confirmed_at: iso(recall.confirmed_at),
    asked_at: time(recall.asked_at),
    expires_at: time(recall.expires_at),
    contested_at: time(recall.contested_at),
    extended_until: time(recall.extended_until),
    extended_by: recall.extended_by ?? [],
  };
}
