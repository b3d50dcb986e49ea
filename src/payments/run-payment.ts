// Runs a payment request in the contract's order: PIN form, replay, existence, status, PIN, amount, then the ledger.
import type { Read, Rows } from '../db/keyed-lookup.ts';
import type { OutboxRow } from '../db/outbox-table.ts';
import { parseAmount } from '../kernel/money.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { MovementType } from '../ledger/movement-types.ts';
import type { FastPlan, MayAct, Payments, Policy } from './execute.ts';
import { policyOfCapture } from './holds.ts';
import {
  comparableAmount,
  type Executed,
  type IdempotencyKey,
  invalidAmount,
  movementActor,
  narrationOf,
  type PaymentOptions,
  type PaymentPlan,
  type Receipt,
  type Requester,
  requestKey,
} from './plan.ts';
import { isRepeated } from './replays.ts';

/** What one kind of payment consists of. `Found` are its parties as its look-ups return them. */
export interface PaymentSteps<Found> {
  type: MovementType;
  actor: Requester;
  options: Omit<PaymentOptions, 'amount'> & { amount?: number | string | undefined };
  /** Identifies the request across retries. */
  request: RequestIdentity | { key: IdempotencyKey | null };
  /** The request's text for the statements of both parties. */
  description?: string | undefined;
  /** Whether a credential other than the first sender gets the stored reply; absent: it does not. */
  mayAct?: MayAct;
  pin?: PaymentPin<Found>;
  /** The parties, or the refusal if one does not exist or the caller may not act for it. */
  find(): Promise<Found | Refusal>;
  /** Absent: there is no fast path. */
  fast?: FastSteps<Found>;
  /** Ids of the customer, merchant and agent who are told when the payment is refused. Null: not all parties were found. */
  about(found: Found | null): readonly (string | null | undefined)[];
  /** What prevents the payment, such as a status, in the contract's order. */
  refusal?(found: Found): Refusal | null;
  /** A refusal before the PIN tells something about a party: it may count as a look-up, and be refused as one. */
  asLookup?(refusal: Refusal): Promise<Refusal>;
  /** Absent: the request's amount. */
  amount?(found: Found): number | string;
  plan(found: Found, amount: number): PlannedPayment | Refusal;
  /** Only one request can ever succeed. So a refusal may be due to a concurrent duplicate, whose reply then counts. */
  happensOnce?: true;
}

/** Finds the parties in the round trip that locks their accounts; see `FastPlan`. */
export interface FastSteps<Found> extends Pick<FastPlan, 'accountIds' | 'allowanceIds' | 'reads'> {
  /** The parties without what the ledger checks under its locks; null: take the careful path. */
  find(rows: Rows): Found | Refusal | null;
}

/** The request's id belongs to the party for whom it acts; `details` must be the same in every retry. */
export interface RequestIdentity {
  party: string;
  details: readonly unknown[];
}

/** The PIN that confirms a payment. */
export interface PaymentPin<Found> {
  /** Why what was sent cannot be a PIN. */
  formRefusal: Refusal | null;
  /** Verifies it, and counts the attempt. */
  refusal(found: Found): Promise<Refusal | null>;
  /** For the fast path: the stored PIN. */
  read?: Read<unknown> | null;
  /** Does not count as an attempt unless `refusal` is called afterwards. */
  isRight?(found: Found, rows: Rows): boolean;
  /** Counts the PIN that `isRight` found right. */
  countRight?(): void;
  /** Called with the outcome if the PIN was right. */
  confirmed?(outcome: Executed | Refusal): Promise<void>;
  /** Called once the request is answered. */
  end?(): void;
}

/** The feature's part of a plan. */
export interface PlannedPayment
  extends Omit<PaymentPlan, 'type' | 'actor' | 'amount' | 'key' | 'approval' | 'onPosted' | 'metadata'> {
  metadata?: string | null;
  reply(receipt: Receipt): object;
  /** Rows for other tables, written in the same commit. */
  rows?(receipt: Receipt): readonly OutboxRow[];
}

/** Of operations between the operator's own accounts: its staff see why they were refused. */
export const nobody = () => [];

export async function runPayment<Found>(payments: Payments, steps: PaymentSteps<Found>): Promise<Executed | Refusal> {
  const { pin } = steps;
  if (pin?.formRefusal) {
    pin.end?.();
    return pin.formRefusal;
  }
  const seen: Seen<Found> = { found: null };
  try {
    const outcome = await run(payments, steps, seen);
    const refusal = outcome instanceof Refusal ? outcome : outcome.refused;
    if (refusal && !isRepeated(outcome)) noteRefusal(payments, steps, seen, refusal);
    return outcome;
  } finally {
    pin?.end?.();
  }
}

/** What a refusal is noted with. */
interface Seen<Found> {
  found: Found | null;
}

async function run<Found>(payments: Payments, steps: PaymentSteps<Found>, seen: Seen<Found>) {
  const { pin } = steps;
  const key = keyOf(steps);
  const fast = await runFast(payments, steps, key, seen);
  if (fast === null) return runStepByStep(payments, steps, key, seen);
  if (pin && !isRepeated(fast)) pin.countRight?.();
  return confirmed(pin, fast);
}

function noteRefusal<Found>(payments: Payments, steps: PaymentSteps<Found>, { found }: Seen<Found>, refusal: Refusal) {
  const { type, actor, options } = steps;
  payments.noteRefusal({
    type,
    caller: actor.caller,
    about: steps.about(found).filter((id) => id != null),
    amount: parseAmount((found && steps.amount?.(found)) ?? options.amount ?? ''),
    refusal,
  });
}

function keyOf<Found>({ type, actor, request, options, description }: PaymentSteps<Found>): IdempotencyKey | null {
  if ('key' in request) return request.key;
  const { requestId, amount } = options;
  if (requestId === null) return null;
  const comparable = amount === undefined ? null : comparableAmount(amount);
  const details = [...request.details, comparable, narrationOf(description)];
  return requestKey(type, actor, request.party, requestId, details);
}

async function runFast<Found>(
  payments: Payments,
  steps: PaymentSteps<Found>,
  key: IdempotencyKey | null,
  seen: Seen<Found>,
) {
  const { type, fast, pin } = steps;
  const amount = fast && parseAmount(steps.options.amount ?? '');
  if (!fast || amount == null || pin?.read === null) return null;
  const { accountIds, allowanceIds, reads, find } = fast;
  return payments.tryFastPath({
    ...{ type, key, accountIds, allowanceIds },
    reads: pin?.read ? [...reads, pin.read] : reads,
    prepare(rows) {
      const found = find(rows);
      if (found === null || found instanceof Refusal || steps.refusal?.(found)) return null;
      seen.found = found;
      if (pin && !pin.isRight?.(found, rows)) return null;
      const planned = steps.plan(found, amount);
      return planned instanceof Refusal ? null : planOf(steps, key, amount, planned);
    },
  });
}

async function runStepByStep<Found>(
  payments: Payments,
  steps: PaymentSteps<Found>,
  key: IdempotencyKey | null,
  seen: Seen<Found>,
) {
  const { type, mayAct, pin, happensOnce } = steps;
  const [replay, found, policy] = await Promise.all([
    payments.replay(key, mayAct),
    steps.find(),
    payments.policy(type),
  ]);
  if (replay) return replay;
  seen.found = found instanceof Refusal ? null : found;
  const unable = found instanceof Refusal ? found : steps.refusal?.(found);
  const refusal = unable ? await (steps.asLookup?.(unable) ?? unable) : await pin?.refusal(found as Found);
  if (refusal) return (happensOnce && (await payments.replay(key, mayAct))) || refusal;
  return confirmed(pin, await execute(payments, steps, key, found as Found, policy));
}

/** A repeated request is answered whatever the PIN is, so that its reply must not tell whether the PIN is right. */
async function confirmed<Found>(pin: PaymentPin<Found> | undefined, outcome: Executed | Refusal) {
  if (!isRepeated(outcome)) await pin?.confirmed?.(outcome);
  return outcome;
}

async function execute<Found>(
  payments: Payments,
  steps: PaymentSteps<Found>,
  key: IdempotencyKey | null,
  found: Found,
  policy: Policy,
) {
  const amount = parseAmount(steps.amount?.(found) ?? steps.options.amount ?? '');
  if (amount === null) return invalidAmount();
  const planned = steps.plan(found, amount);
  if (planned instanceof Refusal) return planned;
  const { captures } = planned;
  return payments.execute(planOf(steps, key, amount, planned), captures ? policyOfCapture(captures, policy) : policy);
}

function planOf<Found>(
  { type, actor, options, description }: PaymentSteps<Found>,
  key: IdempotencyKey | null,
  amount: number,
  { reply, rows, ...planned }: PlannedPayment,
): PaymentPlan {
  return {
    narration: narrationOf(description),
    ...planned,
    type,
    actor: movementActor(actor),
    amount,
    key,
    approval: options.approval,
    onPosted: (receipt) => ({ reply: reply(receipt), ...(rows ? { rows: rows(receipt) } : {}) }),
  };
}
