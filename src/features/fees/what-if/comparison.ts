// Prices past payments with the current and with proposed fee settings, as payments are priced, and sums both. Pure.
import type { AccountKind } from '../../../ledger/account-kinds.ts';
import { MOVEMENT_TYPES, type MovementType } from '../../../ledger/movement-types.ts';
import type { ReplayedMovement } from '../../../ledger/queries/history-replay.ts';
import { type CommissionTerms, type CommissionTiers, percentsOf } from '../../../payments/commission.ts';
import { type FeeSetting, type PaymentFees, paymentFees } from '../../../payments/fees.ts';

export interface Income {
  fees: number;
  commission: number;
}

/** One period or type: payments, and the income by both settings. */
export interface ComparedIncome {
  payments: number;
  current: Income;
  proposed: Income;
}

export interface Payer {
  id: string;
  kind: AccountKind;
  current: number;
  proposed: number;
}

export interface Prices {
  current: readonly FeeSetting[];
  proposed: readonly FeeSetting[];
  tiers: CommissionTiers;
  /** The terms of an agent; undefined for accounts that are not an agent's. */
  termsOf(accountId: string, kind: AccountKind): CommissionTerms | undefined;
}

export class FeeComparison {
  readonly total = newIncome();
  /** Fees that were really charged, by the settings of their time. */
  charged = 0;
  readonly byType = new Map<MovementType, ComparedIncome>();
  /** By the number of the UTC day since 1970. */
  readonly byDay = new Map<number, ComparedIncome>();
  private readonly payers = new Map<string, Payer>();
  private readonly prices: Prices;

  constructor(prices: Prices) {
    this.prices = prices;
  }

  add(movement: ReplayedMovement, day: number): void {
    const fees = { current: this.feesOf(movement, 'current'), proposed: this.feesOf(movement, 'proposed') };
    this.charged += movement.fee;
    for (const sums of [this.total, entryOf(this.byType, movement.type), entryOf(this.byDay, day)]) {
      sums.payments += 1;
      addTo(sums.current, fees.current);
      addTo(sums.proposed, fees.proposed);
    }
    const { fromAccount, fromKind, toAccount, toKind } = movement;
    this.charge(fromAccount, fromKind, fees.current.payer.charged, fees.proposed.payer.charged);
    this.charge(toAccount, toKind, fees.current.payee.charged, fees.proposed.payee.charged);
  }

  /** How many accounts pay more, less and the same. Those that pay no fee by either settings are not counted. */
  payerCounts(): { more: number; less: number; same: number } {
    const counts = { more: 0, less: 0, same: 0 };
    for (const { current, proposed } of this.payers.values()) {
      counts[proposed > current ? 'more' : proposed < current ? 'less' : 'same'] += 1;
    }
    return counts;
  }

  /** The largest increase first. */
  payingMore(limit: number): Payer[] {
    const increase = ({ current, proposed }: Payer) => proposed - current;
    const more = [...this.payers.values()].filter((payer) => increase(payer) > 0);
    return more.sort((a, b) => increase(b) - increase(a) || (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  private feesOf(movement: ReplayedMovement, settings: 'current' | 'proposed'): PaymentFees {
    const { type, amount, fromAccount, fromKind, toAccount, toKind } = movement;
    const [payer, payee] = MOVEMENT_TYPES[type].parties;
    const { tiers, termsOf } = this.prices;
    const percents = percentsOf(tiers, termsOf(fromAccount, fromKind), termsOf(toAccount, toKind));
    return paymentFees(this.prices[settings], { type, payer, payee, amount, percents });
  }

  private charge(id: string, kind: AccountKind, current: number, proposed: number): void {
    if (current === 0 && proposed === 0) return;
    const payer = this.payers.get(id) ?? { id, kind, current: 0, proposed: 0 };
    payer.current += current;
    payer.proposed += proposed;
    this.payers.set(id, payer);
  }
}

export function newIncome(): ComparedIncome {
  return { payments: 0, current: { fees: 0, commission: 0 }, proposed: { fees: 0, commission: 0 } };
}

function entryOf<Key>(map: Map<Key, ComparedIncome>, key: Key): ComparedIncome {
  const known = map.get(key) ?? newIncome();
  map.set(key, known);
  return known;
}

function addTo(income: Income, { payer, payee }: PaymentFees): void {
  income.fees += payer.charged + payee.charged;
  income.commission += payer.earned + payee.earned;
}
