// The operator's treasury as a payer: its side of a payment, and what it may issue on one UTC day.
import type { Clock } from '../kernel/clock.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Shortfall } from '../ledger/types.ts';
import { dailyLimit } from './daily-limit.ts';
import type { Side } from './plan.ts';

const exceeded = () => refuse('MAX_BALANCE_EXCEEDED', 'The amount exceeds what the treasury account can hold.');

/** `accountId`: of one of the treasury's accounts. */
export function treasurySide(accountId: string): Side {
  return { accountId, kind: 'treasury', party: 'sender', refusals: { floor: exceeded, ceiling: exceeded } };
}

/** The running total of everything that the treasury issues on the current day. */
export function issuedToday(limit: number, clock: Clock) {
  return dailyLimit({ name: 'treasury', limit, clock, refusal: overDailyLimit });
}

function overDailyLimit({ available, required }: Shortfall) {
  const message = 'The amount exceeds what the treasury may still issue today.';
  return refuse('TREASURY_LIMIT_EXCEEDED', message, { details: { available, required } });
}
