// Daily limits of the operator's own accounts: one running total per UTC day, which all gateways check under lock.
import { type Clock, iso } from '../kernel/clock.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { Shortfall } from '../ledger/types.ts';
import type { Allowance } from './plan.ts';

export interface DailyLimitOptions {
  /** Names the running total, for example `treasury`. */
  name: string;
  /** Minor units. */
  limit: number;
  clock: Clock;
  refusal(shortfall: Shortfall): Refusal;
}

/** Returns the allowance of the current day. The total is never reduced, not even if the money is returned. */
export function dailyLimit({ name, limit, clock, refusal }: DailyLimitOptions): () => Allowance {
  return () => ({ id: dailyTotalId(name, clock), limit, refusal });
}

/** The running total of the current day. */
export function dailyTotalId(name: string, clock: Clock): string {
  return `${name}:${iso(clock.now()).slice(0, 'YYYY-MM-DD'.length)}`;
}
