// What is asked of the ledger, and what it answers.
import type { Movement, Posted, Refused } from '../types.ts';

/** A row for another table, in the same commit. */
export interface OutboxRow {
  table: string;
  row: object;
}

/** A movement with what belongs into the same commit. */
export interface Order {
  movement: Movement;
  /** The bytes a repeated request is answered with. */
  reply(posted: Posted): string;
  /** Audit entries, events, records. */
  beside?(posted: Posted): OutboxRow[];
  /** For a movement that remembers its refusal: the bytes and the rows that are kept of it. */
  refused?(refused: Refused, at: number): { reply: string; beside: OutboxRow[] };
  /** For one that compliance refuses: the rows that are kept of it, remembered or not. */
  blocked?(refused: Refused, at: number): OutboxRow[];
}

export type Result =
  | (Pick<Posted, 'outcome' | 'at' | 'postings' | 'triggered'> & { reply: string })
  | { outcome: 'replayed'; reply: string }
  | (Refused & { reply: string | null })
  | { outcome: 'conflict' };
