// Payments and refusals as orders to the ledger: the movement, and what is written with its outcome.
import type { Load } from '../db/batch-loader.ts';
import type { OutboxRow } from '../db/outbox-table.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { FirstRequest } from '../ledger/posting/idempotency.ts';
import type { Order, Recorded, Result } from '../ledger/posting/ledger.ts';
import type { Movement, Posted, Refused } from '../ledger/types.ts';
import { type AlertEntry, alertRows, blockedAlert, blockedAlertId, flaggedAlert } from './alerts.ts';
import { holdRows } from './holds.ts';
import { movementOf, type Policy, type Prices } from './movement.ts';
import { type DecidedRefusal, type Executed, type PaymentPlan, receiptOf } from './plan.ts';
import { checkedResult, withApprovalTotal } from './preview.ts';
import { conflict, refusalOf } from './refusals.ts';
import { isSentBy, replayed } from './replays.ts';

const NO_ROWS: readonly OutboxRow[] = [];

interface OrderContext {
  clock: Clock;
  alertEntry?: AlertEntry;
  firstRequest?: Load<string, FirstRequest | null>;
}

/** A planned payment as an order to the ledger: priced, with legs that sum to zero. */
export class PaymentOrder implements Order {
  readonly movement: Movement;
  private readonly plan: PaymentPlan;
  private readonly prices: Prices;
  private readonly context: OrderContext;
  private blockedAlertId: string | null = null;

  constructor(plan: PaymentPlan, { rules, ...prices }: Policy, feeAccount: string, context: OrderContext) {
    const planned = withApprovalTotal(plan);
    this.prices = prices;
    this.context = context;
    this.movement = movementOf(planned, prices, feeAccount, context.clock);
    if (rules) this.movement.velocityCheck = rules;
    this.plan = isAsQuoted(planned, this.movement) ? planned : endedPlan(planned, this.movement);
  }

  /** False: with its fees the payment exceeds 2^53, and so every limit there is. */
  isExact(): boolean {
    const { amount, legs } = this.movement;
    const total = amount + (legs[0]?.fee ?? 0);
    return Number.isSafeInteger(total) && legs.every((leg) => Number.isSafeInteger(leg.amount));
  }

  onPosted(posted: Posted): Recorded & { reply: string } {
    const { reply, rows: own = NO_ROWS } = this.plan.onPosted(receiptOf(this.movement, posted));
    const json = JSON.stringify(reply);
    const held = holdRows(this.plan, this.movement, this.prices, posted);
    const rows = held.length > 0 ? [...own, ...held] : own;
    if (!posted.triggered) return { reply: json, rows };
    return {
      reply: json,
      rows: [...rows, ...alertRows(flaggedAlert(this.movement, posted, this.context.clock), this.context.alertEntry)],
    };
  }

  /** An alert for every blocked payment; record and reply where the plan stores refusals and this one is stored. */
  onRefused(refused: Refused, at: number): Recorded {
    const alerts =
      refused.reason === 'compliance'
        ? alertRows(blockedAlert(this.movement, refused, at, this.alertId()), this.context.alertEntry)
        : NO_ROWS;
    if (!refused.balances || !this.plan.onRefused) return { reply: null, rows: alerts };
    const refusal = this.refusal(refused);
    const { reply, rows = NO_ROWS } = this.plan.onRefused(refusal, at, refused.balances[0] ?? 0);
    return { reply: JSON.stringify(reply), rows: [...rows, ...alerts] };
  }

  conclude(result: Result): Executed | Refusal | Promise<Executed> {
    switch (result.outcome) {
      case 'posted':
        return { json: result.reply, replayed: false };
      case 'replayed':
        return this.replayed(result);
      case 'conflict':
        return conflict();
      case 'refused': {
        if (result.reason === 'check_only') return checkedResult(this.plan, this.movement, result);
        const refusal = this.refusal(result);
        return result.reply === null ? refusal : { json: result.reply, replayed: false, refused: refusal };
      }
    }
  }

  private async replayed({ movementId, reply }: { movementId: string; reply: string }): Promise<Executed> {
    const sender = this.plan.key?.sender;
    return replayed(reply, isSentBy(sender, (sender && (await this.context.firstRequest?.(movementId))) ?? null));
  }

  private refusal(refused: Refused): Refusal {
    return refusalOf(this.plan, refused, () => this.alertId());
  }

  /** The batch may be attempted several times: the alert keeps its id. */
  private alertId(): string {
    this.blockedAlertId ??= blockedAlertId(this.movement, this.context.clock);
    return this.blockedAlertId;
  }
}

function isAsQuoted({ quoted }: PaymentPlan, { legs }: Movement): boolean {
  return quoted === undefined || quoted.total === -(legs[0]?.amount ?? 0);
}

/** Refused by the ledger and not before it: a repeated request that was paid at the old price gets its reply. */
function endedPlan(plan: PaymentPlan, movement: Movement): PaymentPlan {
  movement.validUntil = 0;
  return { ...plan, ...(plan.quoted ? { validUntil: { at: 0, refusal: plan.quoted.refusal } } : {}) };
}

/** An order that moves no money: the ledger stores the reply under its key, in a sealed batch. */
export function refusalOrder({ type, actor, key, amount, record }: DecidedRefusal, id: string): Order {
  const nothing = { fee: 0, legs: [], reference: null, narration: null, metadata: null, relatedId: null, details: {} };
  const movement: Movement = { id, type, actor, fromAccount: '', toAccount: '', amount, request: key, ...nothing };
  return {
    movement: { ...movement, isRefused: true, storesRefusal: true },
    onPosted: () => {
      throw new Error(`the refused payment ${id} was posted`);
    },
    onRefused(_refused, at) {
      const { reply, rows = NO_ROWS } = record(at);
      return { reply: JSON.stringify(reply), rows };
    },
  };
}
