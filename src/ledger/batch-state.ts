// What a batch of movements is decided on: the locked accounts and what else was read with them.
import type { Account, KnownRequest } from './types.ts';
import type { ActivityWindow, Run } from './velocity/activity-window.ts';

/** By account, then by hold. */
export type ActiveHolds = ReadonlyMap<string, ReadonlyMap<string, Run>>;

export interface BatchState {
  accounts: ReadonlyMap<string, Account>;
  /** Keyed by requestMapKey. */
  known: ReadonlyMap<string, KnownRequest>;
  /** The totals of the allowances in the batch; a missing one is zero. */
  allowances: ReadonlyMap<string, number>;
  /** Activity windows that were already decoded or read from the postings; otherwise the account rows have them. */
  activity?: ReadonlyMap<string, ActivityWindow>;
  received?: ReadonlyMap<string, ActivityWindow>;
  /** Which of the batch's holds have ended. */
  endedHolds?: ReadonlySet<string>;
  /** The active holds of accounts that have any, by account, then by hold: they count like payments that were made. */
  activeHolds?: ActiveHolds;
  /** Milliseconds since 1970. */
  now: number;
}
