// Holds of payments: the rows that open and end them, what a capture costs, and the orders that release or expire one.
import type { OutboxRow } from '../db/outbox-table.ts';
import { type Clock, DAY_MS } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { endedHold, type Hold } from '../ledger/holds/lookup.ts';
import { drawsOf, HOLDS, type HoldOutcome, holdEndRow, isDrawn } from '../ledger/holds/tables.ts';
import type { MovementType } from '../ledger/movement-types.ts';
import type { Order } from '../ledger/posting/ledger.ts';
import type { Movement, MovementActor, MovementRequest, Posted } from '../ledger/types.ts';
import type { VelocityCheck } from '../ledger/velocity/rules.ts';
import type { Policy, Prices } from './movement.ts';
import type { Allowance, HoldTerms, PaymentPlan } from './plan.ts';

/** The rows that a payment which opens or captures a hold writes in its commit. */
export function holdRows(plan: PaymentPlan, movement: Movement, prices: Prices, posted: Posted): readonly OutboxRow[] {
  if (plan.hold) return [holdRow(plan.hold, movement, prices, posted), ...replacedRows(plan, movement, posted)];
  const { captures } = plan;
  if (!captures) return NO_ROWS;
  const { id, amount, actor, request } = movement;
  const end = { outcome: 'captured', captured: amount, requestId: request?.id ?? null } as const;
  return [holdEndRow({ holdId: captures.id, id, actor, at: posted.at, ...end })];
}

const NO_ROWS: readonly OutboxRow[] = [];

function replacedRows({ replaces }: PaymentPlan, { id, actor, request }: Movement, { at }: Posted): OutboxRow[] {
  if (!replaces) return [];
  const end = { outcome: 'released', captured: 0, requestId: request?.id ?? null } as const;
  return [holdEndRow({ holdId: replaces.id, id, actor, at, ...end })];
}

function holdRow(
  { purpose, expiresAt, priced }: HoldTerms,
  movement: Movement,
  { fees, tiers }: Prices,
  { at, day }: Posted,
): OutboxRow {
  const { id, type, actor, amount } = movement;
  const types: readonly MovementType[] = priced ?? [type];
  const row = {
    id,
    account_id: movement.fromAccount,
    payee_id: movement.toAccount,
    purpose,
    type,
    amount,
    reserved: movement.opensHold?.reserved ?? 0,
    daily_use: movement.legs[0]?.dailyUse ?? 0,
    daily_on: day ?? Math.floor(at / DAY_MS),
    expires_at: new Date(expiresAt),
    details: movement.details,
    prices: { fees: fees.filter(({ transactionType }) => types.includes(transactionType)), tiers },
    narration: movement.narration,
    metadata: movement.metadata,
    request_id: movement.request?.id ?? null,
    actor_type: actor.type,
    actor_id: actor.id,
    at: new Date(at),
    ended: false,
  };
  return { table: HOLDS, row };
}

/** The price at which the hold was made; limits and rules are those of the draw. */
export function policyOfDraw({ prices }: Pick<Hold, 'prices'>, { rules }: Policy): Policy {
  return { ...(prices as Prices), rules };
}

/** The price at which the hold was made, and no rules: all checks were made then. Activity is kept as long as ever. */
export function policyOfCapture({ prices }: Pick<Hold, 'prices'>, { rules }: Policy): Policy {
  return { ...(prices as Prices), rules: rules && withoutRules(rules) };
}

function withoutRules({ keepMs, payee }: VelocityCheck): VelocityCheck {
  return { rules: [], keepMs, ...(payee ? { payee: { rules: [], keepMs: payee.keepMs } } : {}) };
}

/** The running totals that a hold counts for, such as a card's day. What is not captured is given back to them. */
export function allowancesOfHold({ details }: Pick<Hold, 'details'>): readonly string[] {
  return (details.allowances as string[] | undefined) ?? [];
}

/** For a capture of the whole amount: it names them and adds nothing, because they were counted when the hold was made. */
export function countedTotals(hold: Pick<Hold, 'details'>, refusal: Allowance['refusal']): Allowance[] {
  return allowancesOfHold(hold).map((id) => ({ id, use: 0, limit: Number.MAX_SAFE_INTEGER, refusal }));
}

export interface Ending {
  actor: MovementActor;
  request: MovementRequest | null;
  outcome: Exclude<HoldOutcome, 'captured'>;
  /** The reply that a repeated request gets again, and further rows. */
  record(at: number): { reply: object; rows?: readonly OutboxRow[] };
}

/** An order that ends a hold without a capture. No money moves. */
export function endingOrder(hold: Hold, { actor, request, outcome, record }: Ending, clock: Clock): Order {
  const id = newId('txn', clock);
  const { account_id: payer, payee_id: payee, amount, type } = hold;
  const movement: Movement = {
    ...{ id, type, actor, amount, request, fee: 0, fromAccount: payer, toAccount: payee },
    ...{ reference: null, narration: null, metadata: null, relatedId: null, details: {} },
    legs: [{ accountId: payer, amount: 0, ignoresFrozen: true }],
    endsHold: endedHold(hold, 0),
    allowances: [...allowancesOfHold(hold).map((allowance) => givenBack(allowance, amount)), ...drawsOfHold(hold)],
    // From then on it has expired, whether that is recorded yet or not.
    ...(outcome === 'released' ? { validUntil: hold.expires_at.getTime() } : {}),
  };
  return {
    movement,
    onPosted({ at }) {
      const { reply, rows = NO_ROWS } = record(at);
      const end = { holdId: hold.id, id, outcome, captured: 0, requestId: request?.id ?? null, actor, at };
      return { reply: JSON.stringify(reply), rows: [...rows, holdEndRow(end)] };
    },
  };
}

/** Locked, so that what is left of the hold is known. */
function drawsOfHold({ id, purpose }: Hold) {
  return isDrawn(purpose) ? [givenBack(drawsOf(id), 0)] : [];
}

/** Never refused: it only lowers the total. */
function givenBack(id: string, amount: number) {
  return { id, amount: -amount, limit: Number.MAX_SAFE_INTEGER };
}
