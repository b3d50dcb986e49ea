// The order in which a payment is refused, the same for every kind of it.
import { parseAmount } from '../kernel/money.ts';
import { Refusal, refuse } from '../kernel/refusal.ts';
import type { Executed, Payment, PaymentRequest, Payments } from './execute.ts';

/** A payment somebody asks for, whose body has the right shape; of what was found, it may need a part only. */
export interface Intent<Found extends Needed, Needed = Found> {
  type: string;
  request: PaymentRequest | null;
  /** As it was given, or as it follows from what was found. */
  amount: number | string | ((found: Found) => number);
  /**
   * The same as `find`, by as few look-ups as show that nothing stands against the payment that the ledger does not
   * look at anyway; its PIN is right, too. Null: something does, or may.
   */
  presume?(): Promise<Needed | null>;
  /** Everybody and everything it names. */
  find(): Promise<Found | Refusal>;
  statusRefusal(found: Found): Refusal | null;
  pinRefusal?(found: Found): Promise<Refusal | null>;
  /** Where not every amount will do. */
  amountRefusal?(amount: number): Refusal | null;
  payment(found: Needed, amount: number): IntendedPayment;
  /** Whatever came of it, it is over. */
  end?(): void;
}

/** All of it but the request, which is the intent's. */
export type IntendedPayment = Omit<Payment, 'request'>;

export async function carryOut<Found extends Needed, Needed = Found>(
  payments: Payments,
  intent: Intent<Found, Needed>,
): Promise<Executed | Refusal> {
  try {
    return (await presumed(payments, intent)) ?? (await stepByStep(payments, intent));
  } finally {
    intent.end?.();
  }
}

/**
 * Most payments are in order. Those need only be sent: whether they were answered before, and how the accounts stand, the
 * ledger sees under its locks. Whatever may not be in order is gone through again, step by step, and nothing has happened.
 */
async function presumed<Found extends Needed, Needed = Found>(
  payments: Payments,
  intent: Intent<Found, Needed>,
): Promise<Executed | Refusal | null> {
  const { type, presume, request } = intent;
  const amount = typeof intent.amount === 'function' ? null : parseAmount(intent.amount);
  if (!presume || amount === null || intent.amountRefusal?.(amount)) return null;
  const presuming = presume();
  const asked = Promise.all([presuming, payments.prices(), payments.watch(type)]);
  const [found, prices, watch] = await asked.catch(async (error) => {
    // It is not over before this is: what takes hold of something after `end` would never let go of it.
    await presuming.catch(() => undefined);
    throw error;
  });
  return found && payments.attempt({ ...intent.payment(found, amount), request }, prices, watch);
}

/** Replay → existence → status → PIN → amount; then compliance, limits and balance behind the one door for money. */
async function stepByStep<Found extends Needed, Needed = Found>(
  payments: Payments,
  intent: Intent<Found, Needed>,
): Promise<Executed | Refusal> {
  const { type, request } = intent;
  // Side by side, because a look-up leaves no trace; what was answered before still comes first.
  const [before, found, prices, watch] = await Promise.all([
    request && payments.replay(type, request),
    intent.find(),
    payments.prices(),
    payments.watch(type),
  ]);
  if (before) return before;
  if (found instanceof Refusal) return found;
  const refusal = intent.statusRefusal(found) ?? (await intent.pinRefusal?.(found));
  if (refusal) return refusal;
  const amount = parseAmount(typeof intent.amount === 'function' ? intent.amount(found) : intent.amount);
  if (amount === null) {
    return refuse('INVALID_AMOUNT', 'amount must be a positive whole number of minor units below 2^53.');
  }
  const outOfRange = intent.amountRefusal?.(amount);
  if (outOfRange) return outOfRange;
  // The very request that was looked up: what was made of it for the look-up is not made again.
  return payments.execute({ ...intent.payment(found, amount), request }, prices, watch);
}

/** "100" and 100 are the same amount, and what is no amount is only the same as itself. */
export function sameAmount(given: number | string): number | string {
  return parseAmount(given) ?? String(given);
}
