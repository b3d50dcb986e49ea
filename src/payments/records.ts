// Orders that move no money and yet are decided by the ledger: once per request, within running totals and before their expiry.

import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { MovementType } from '../ledger/movement-types.ts';
import type { Order } from '../ledger/posting/ledger.ts';
import type { MovementActor, Refused } from '../ledger/types.ts';
import type { Allowance, IdempotencyKey, Outcome } from './plan.ts';

/** What is recorded, and what may prevent it. */
export interface RecordedChange {
  /** The id that the stored reply refers to; by default a new one. */
  id?: string;
  /** Of the payments that the change is about. */
  type: MovementType;
  actor: MovementActor;
  /** Null: it is not repeated, or repeating it does no harm. */
  key: IdempotencyKey | null;
  /** The account of the payments that use the same totals. */
  account?: string;
  allowances?: readonly (Allowance & { use: number })[];
  validUntil?: { at: number; refusal(): Refusal };
  /**
   * Called inside the commit: the reply that a repeated request gets again, and rows of other tables. `used`: the total
   * of each allowance, this change included.
   */
  onRecorded(at: number, used: readonly number[]): Outcome;
}

export function recordOrder(change: RecordedChange, clock: Clock): Order {
  const { id = newId('txn', clock), type, actor, key, account, allowances = [], validUntil, onRecorded } = change;
  return {
    movement: {
      ...{ id, type, actor, request: key, fromAccount: '', toAccount: '', amount: 0, fee: 0, legs: [] },
      ...{
        reference: null,
        narration: null,
        metadata: null,
        relatedId: null,
        details: {},
        isRecord: true,
        locks: account,
      },
      allowances: allowances.map(({ id: total, use, limit }) => ({ id: total, amount: use, limit })),
      ...(validUntil ? { validUntil: validUntil.at } : {}),
    },
    onPosted({ at, used }) {
      const { reply, rows = [] } = onRecorded(at, used);
      return { reply: JSON.stringify(reply), rows };
    },
  };
}

export function recordRefusal({ allowances = [], validUntil }: RecordedChange, refused: Refused): Refusal {
  const { reason, subject } = refused;
  if (reason === 'expired' && validUntil) return validUntil.refusal();
  const allowance = allowances.find(({ id }) => reason === 'allowance' && id === subject);
  if (!allowance) throw new Error(`a change that moves no money was refused: ${reason}`);
  return allowance.refusal(refused);
}
