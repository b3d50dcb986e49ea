// Orders to the ledger and their results.
import type { OutboxRow } from '../../db/outbox-table.ts';
import type { Movement, Posted, Refused } from '../types.ts';

/** A movement, and what is written with it in the same commit. */
export interface Order {
  movement: Movement;
  /** The reply, which is stored and returned again to a repeated request, and rows for other tables. */
  onPosted(posted: Posted): Recorded & { reply: string };
  /** The reply and rows of a refusal. A reply is stored only for a movement with `storesRefusal`. */
  onRefused?(refused: Refused, at: number): Recorded;
}

export interface Recorded {
  /** Null: nothing is stored under the idempotency key, and a retry is decided afresh. */
  reply: string | null;
  rows: readonly OutboxRow[];
}

export type Result =
  | (Pick<Posted, 'outcome' | 'at' | 'postings' | 'triggered'> & { reply: string })
  | { outcome: 'replayed'; reply: string }
  | (Refused & { reply: string | null })
  | { outcome: 'conflict' };
