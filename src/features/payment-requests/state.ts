// The state of a payment request at an instant, and the running total that decides between its payments and its end.
import { type Clock, DAY_MS } from '../../kernel/clock.ts';
import { type Code, type Refusal, refuse, refuseForNow } from '../../kernel/refusal.ts';
import type { Allowance } from '../../payments/plan.ts';
import { PAYMENTS_OF_REQUEST, REQUESTS_OF_DAY } from '../../payments/verification.ts';
import type { PaymentRequest, RequestLookups } from './store.ts';
import { MOST_PAYMENTS, type Outcome, type Status } from './tables.ts';

const MOST_REQUESTS_A_DAY = 10;

type Stated = Pick<PaymentRequest, 'outcome' | 'expires_at'>;
type Counted = Pick<PaymentRequest, 'id' | 'single_use'>;

/** Exact: a request whose time is over has expired, whether that is recorded yet or not. */
export function statusAt({ outcome, expires_at }: Stated, now: number): Status {
  return outcome ?? (expires_at.getTime() <= now ? 'expired' : 'open');
}

const ENDED: Record<Outcome, readonly [Code, string]> = {
  paid: ['ALREADY_PAID', 'The payment request has already been paid.'],
  declined: ['DECLINED', 'The payer has declined the payment request.'],
  expired: ['EXPIRED', 'The payment request has expired.'],
  cancelled: ['CANCELLED', 'The payee has cancelled the payment request.'],
};

export function refusalOf(outcome: Outcome): Refusal {
  return refuse(...ENDED[outcome]);
}

/** Null while it is open. */
export function endedRefusal(request: Stated, now: number): Refusal | null {
  const status = statusAt(request, now);
  return status === 'open' ? null : refusalOf(status);
}

/** The refusal of an order that came too late, by what ended the request after it was read. */
export async function howItEnded(
  { lookups, clock }: { lookups: Pick<RequestLookups, 'byId'>; clock: Clock },
  id: string,
  refusal: Refusal,
): Promise<Refusal> {
  if (refusal.code !== 'ALREADY_PAID' && refusal.code !== 'EXPIRED') return refusal;
  const request = await lookups.byId(id);
  return (request && endedRefusal(request, clock.now())) ?? refusal;
}

export const hasExpired = () => refusalOf('expired');
const hasEnded = () => refusalOf('paid');

const totalOf = ({ id }: Counted) => `${PAYMENTS_OF_REQUEST}${id}`;

/** Each payment uses one. `howItEnded` words the refusal if none is left. */
export function paymentUse(request: Counted): Allowance & { use: number } {
  return { id: totalOf(request), use: 1, limit: request.single_use ? 1 : MOST_PAYMENTS, refusal: hasEnded };
}

/** An end uses all that is left, so that it is refused after a payment that ended the request, and after another end. */
export function endUse(request: Counted): Allowance & { use: number } {
  const [use, limit] = request.single_use ? [1, 1] : [MOST_PAYMENTS, 2 * MOST_PAYMENTS - 1];
  return { id: totalOf(request), use, limit, refusal: hasEnded };
}

export function requestOfDay(subscriberId: string, now: number): Allowance & { use: number } {
  const day = Math.floor(now / DAY_MS);
  const refusal = () =>
    refuseForNow('RATE_LIMITED', `A customer makes ${MOST_REQUESTS_A_DAY} requests a day.`, (day + 1) * DAY_MS - now);
  return { id: `${REQUESTS_OF_DAY}${subscriberId}:${day}`, use: 1, limit: MOST_REQUESTS_A_DAY, refusal };
}
