// The tables of holds and of how they ended. The ledger writes their rows in its batches, and the seals cover them.
import { OutboxTable } from '../../db/outbox-table.ts';
import type { MovementActor } from '../types.ts';

export const HOLD_PURPOSES = ['card_payment', 'cash_out_code', 'bulk', 'unclaimed', 'recall'] as const;
export type HoldPurpose = (typeof HOLD_PURPOSES)[number];

export const HOLD_OUTCOMES = ['captured', 'released', 'expired'] as const;
export type HoldOutcome = (typeof HOLD_OUTCOMES)[number];

export const HOLDS = new OutboxTable('holds', {
  sealed: {
    id: 'text',
    account_id: 'text',
    payee_id: 'text',
    purpose: 'text',
    type: 'text',
    amount: 'text',
    reserved: 'text',
    daily_use: 'text',
    daily_on: 'text',
    expires_at: 'timestamp',
    details: 'json',
    prices: 'json',
    narration: 'text',
    metadata: 'text',
    request_id: 'text',
    actor_type: 'text',
    actor_id: 'text',
    at: 'timestamp',
  },
});

export const HOLD_ENDS = new OutboxTable('hold_ends', {
  sealed: {
    hold_id: 'text',
    id: 'text',
    outcome: 'text',
    captured: 'text',
    request_id: 'text',
    actor_type: 'text',
    actor_id: 'text',
    at: 'timestamp',
  },
});

/** The running total of what was drawn from a hold. */
export function drawsOf(holdId: string): string {
  return `${DRAWS}${holdId}`;
}

export const DRAWS = 'draws-of:';

/** Many payments draw from it, each counted for itself. Any other hold is captured by one. */
export function isDrawn(purpose: HoldPurpose): boolean {
  return purpose === 'bulk';
}

interface Ending {
  holdId: string;
  /** The movement's id. */
  id: string;
  outcome: HoldOutcome;
  captured: number;
  requestId: string | null;
  actor: MovementActor;
  /** Milliseconds since 1970. */
  at: number;
}

export function holdEndRow({ holdId, id, outcome, captured, requestId, actor, at }: Ending) {
  const row = {
    hold_id: holdId,
    id,
    outcome,
    captured,
    request_id: requestId,
    actor_type: actor.type,
    actor_id: actor.id,
    at: new Date(at),
  };
  return { table: HOLD_ENDS, row };
}
