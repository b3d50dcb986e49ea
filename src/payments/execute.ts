// Executes payments: pricing, compliance rules, posting and the stored reply. All money moves through this module.
import type { Load } from '../db/batch-loader.ts';
import { fixedTable, type Read, type Rows, type TableReader } from '../db/keyed-lookup.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { Metrics } from '../kernel/metrics.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { Hold } from '../ledger/holds/lookup.ts';
import { MOVEMENT_TYPES, type MovementType, type Party } from '../ledger/movement-types.ts';
import type { AnsweredRequest, FirstRequest, RequestKey } from '../ledger/posting/idempotency.ts';
import type { Draft, Ledger, Result } from '../ledger/posting/ledger.ts';
import { feeAccountOf, isSystemAccount } from '../ledger/system-accounts.ts';
import type { RefusalReason } from '../ledger/types.ts';
import type { VelocityCheck } from '../ledger/velocity/rules.ts';
import type { AlertEntry } from './alerts.ts';
import { type CommissionTiers, DEFAULT_TIERS } from './commission.ts';
import { type ComplianceMetrics, complianceMetrics, countChecked } from './compliance-rules.ts';
import { type FeeSetting, isDeposit } from './fees.ts';
import { type Ending, endingOrder } from './holds.ts';
import { type Policy, type PricedPlan, type Prices, pricedTerms } from './movement.ts';
import { PaymentOrder, refusalOrder } from './orders.ts';
import type { DecidedRefusal, Executed, IdempotencyKey, PaymentPlan } from './plan.ts';
import { otherWalletRefusal } from './preview.ts';
import { type Quote, quoteOf } from './quote.ts';
import { type RecordedChange, recordOrder, recordRefusal } from './records.ts';
import { conflict, holdEnded, tooLarge } from './refusals.ts';
import type { NoteRefusal } from './refused-payment.ts';
import { isSentBy, replayed } from './replays.ts';

export type { Policy } from './movement.ts';

export interface Payments {
  /** Call it in parallel with other look-ups, to save a round trip. Rejects when the rules cannot be read. */
  policy(type: MovementType): Promise<Policy>;
  /**
   * The stored reply to the same request, or a conflict when the details differ; null: the request is new. A credential
   * other than the one that sent it first gets them only if `mayAct` does not refuse it: otherwise it must learn nothing,
   * and the caller goes on as if the request were new.
   */
  replay(key: IdempotencyKey | null, mayAct?: MayAct): Promise<Executed | Refusal | null>;
  execute(plan: PaymentPlan, policy: Policy): Promise<Executed | Refusal>;
  /** See `FastPlan`. Null: nothing happened, and the caller goes through the checks one by one. */
  tryFastPath(plan: FastPlan): Promise<Executed | Refusal | null>;
  /**
   * Stores a refusal that the caller decided without the ledger, with rows for other tables. If the request has
   * already been answered, that reply counts.
   */
  storeRefusal(refusal: DecidedRefusal): Promise<Executed | Refusal>;
  /** Ends an authorisation without a capture. Once it has ended or expired, the refusals are the ledger's. */
  endHold(hold: Hold, ending: Ending): Promise<Executed | Refusal>;
  /** Records a change that moves no money, in a sealed batch like a payment. */
  record(change: RecordedChange): Promise<Executed | Refusal>;
  /** Prices a payment with the settings in force, and makes none. `usedBefore`: of a refund, what was refunded before. */
  quote(plan: PricedPlan, usedBefore?: number): Promise<Quote | Refusal>;
  noteRefusal: NoteRefusal;
}

/** Why the caller may not act for the party of the request that was answered first, or not see it; null if it may. */
export type MayAct = (first: FirstRequest) => Refusal | null | Promise<Refusal | null>;

/**
 * Most payments are valid, so the fast path posts first: all rows that a payment needs are read in the round trip that locks
 * its accounts. It relies on the ledger for these checks, made under its locks: the idempotency key, that both accounts
 * exist, are not frozen and allow the type, that the card is not blocked, and then compliance, limits and balance. `prepare`
 * checks the rest: that the parties are linked as the request says and that the PIN is right. Whenever something may be
 * wrong it returns null, and the caller checks step by step to refuse in the contract's order.
 */
export interface FastPlan extends Pick<Draft, 'accountIds' | 'reads'> {
  type: MovementType;
  key: IdempotencyKey | null;
  /** See `Draft`. */
  allowanceIds?: readonly string[] | undefined;
  prepare(rows: Rows): PaymentPlan | null;
}

export interface PaymentsDependencies {
  ledger: Ledger;
  clock: Clock;
  /** Stored replies by idempotency key. */
  answered: Load<RequestKey, AnsweredRequest | null>;
  /** Who sent an answered request first, by its movement; without it, every repeated request is another credential's. */
  firstRequest?: Load<string, FirstRequest | null>;
  /** The compliance rules of a type; rejects when they cannot be read, and then no money moves. */
  rules(type: MovementType): Promise<VelocityCheck | null>;
  /** Read for every batch of payments: a change applies to the next one. */
  feeSettings: TableReader<readonly FeeSetting[]>;
  /** The same for payments with an agent, and for deposits, which an agent may pay out. */
  commissionTiers?: TableReader<CommissionTiers>;
  metrics?: ComplianceMetrics;
  /** The audit entry of an alert, written in the same commit. */
  alertEntry?: AlertEntry;
  /** Releases the account's expired holds that still reserve money; false: there were none. */
  expireHolds?(accountId: string): Promise<boolean>;
  noteRefusal?: NoteRefusal;
  /** The stripe of the system accounts that this process uses. */
  stripe: number;
  /** True by default. */
  fastPath?: boolean;
}

export function createPayments(dependencies: PaymentsDependencies): Payments {
  const {
    ledger,
    clock,
    answered,
    feeSettings,
    commissionTiers = BUILT_IN_TIERS,
    stripe,
    fastPath = true,
  } = dependencies;
  const { metrics = complianceMetrics(new Metrics()), firstRequest = async () => null } = dependencies;
  const { expireHolds = async () => false, noteRefusal = () => undefined } = dependencies;
  const feeAccount = feeAccountOf(stripe);

  async function policy(type: MovementType): Promise<Policy> {
    const [prices, rules] = await Promise.all([pricesOf(type), rulesOf(type)]);
    return { ...prices, rules };
  }

  async function pricesOf(type: MovementType): Promise<Prices> {
    const { priced } = MOVEMENT_TYPES[type];
    const [fees, tiers] = await Promise.all([
      priced ? feeSettings.load() : NO_FEES,
      needsTiers(type) ? commissionTiers.load() : null,
    ]);
    return { fees, tiers };
  }

  async function rulesOf(type: MovementType): Promise<VelocityCheck | null> {
    try {
      return await dependencies.rules(type);
    } catch (error) {
      metrics.checks.failed.value += 1;
      throw error;
    }
  }

  /** The same as `pricesOf`, from the rows that were read with a payment. */
  function pricesIn(rows: Rows, type: MovementType): Prices {
    const { priced } = MOVEMENT_TYPES[type];
    return {
      fees: priced ? present(rows.get(feeSettings.read)) : NO_FEES,
      tiers: needsTiers(type) ? present(rows.get(commissionTiers.read)) : null,
    };
  }

  function priceReads(type: MovementType): Read<unknown>[] {
    const { priced } = MOVEMENT_TYPES[type];
    return [...(priced ? [feeSettings.read] : []), ...(needsTiers(type) ? [commissionTiers.read] : [])];
  }

  /** Whether the payer's balance is too low and part of it was reserved by holds that had expired, which it no longer is. */
  function lacksOnlyExpired(result: Result): Promise<boolean> | false {
    if (result.outcome !== 'refused' || !result.held || result.reply !== null) return false;
    return expireHolds(result.subject);
  }

  return {
    policy,
    noteRefusal,

    async replay(key, mayAct) {
      const stored = key && (await answered(key));
      if (!stored) return null;
      const first = key.sender ? await firstRequest(stored.movementId) : null;
      const isOwn = isSentBy(key.sender, first);
      if (!isOwn && (!first || !mayAct || (await mayAct(first)))) return null;
      return stored.hash === key.hash ? replayed(stored.reply, isOwn) : conflict();
    },

    async execute(plan, policy) {
      const order = new PaymentOrder(plan, policy, feeAccount, dependencies);
      if (!order.isExact()) return tooLarge(plan);
      const refusal = otherWalletRefusal(plan);
      if (refusal) return refusal;
      const posted = await ledger.post(order);
      const result = (await lacksOnlyExpired(posted)) ? await ledger.post(order) : posted;
      if (policy.rules) countChecked(metrics, result);
      return order.conclude(result);
    },

    async tryFastPath({ type, key, accountIds, allowanceIds = [], reads, prepare }) {
      // A request that names one would lock it for all gateways before anything of it is checked.
      if (!fastPath || accountIds.some(isSystemAccount)) return null;
      const rules = await rulesOf(type);
      let isUndecided = false;
      const settled = await ledger.postDraft<PaymentOrder>({
        request: key,
        reads: [...reads, ...priceReads(type)],
        accountIds: MOVEMENT_TYPES[type].priced ? [...accountIds, feeAccount] : accountIds,
        allowanceIds,
        complete(rows) {
          // When the batch is repeated, a payment that was not completed is not tried again: a wrong PIN is compared once.
          const plan = isUndecided ? null : prepare(rows);
          const order = plan && new PaymentOrder(plan, { ...pricesIn(rows, type), rules }, feeAccount, dependencies);
          isUndecided = !order?.isExact();
          return isUndecided ? null : order;
        },
      });
      if (!settled) return null;
      const { order, result } = settled;
      if (await lacksOnlyExpired(result)) return null;
      if (rules) countChecked(metrics, result);
      return isStatusRefusal(result) && result.reply === null ? null : order.conclude(result);
    },

    async storeRefusal(refusal) {
      const result = await ledger.post(refusalOrder(refusal, newId('txn', clock)));
      if (result.outcome === 'conflict') return conflict();
      if (result.reply === null) throw new Error('a refusal without a reply cannot be stored');
      return { json: result.reply, replayed: result.outcome === 'replayed' };
    },

    async endHold(hold, ending) {
      const result = await ledger.post(endingOrder(hold, ending, clock));
      switch (result.outcome) {
        case 'posted':
          return { json: result.reply, replayed: false };
        case 'replayed':
          return replayed(result.reply, true);
        case 'conflict':
          return conflict();
        case 'refused':
          return holdEnded();
      }
    },

    async record(change) {
      const result = await ledger.post(recordOrder(change, clock));
      switch (result.outcome) {
        case 'posted':
          return { json: result.reply, replayed: false };
        case 'replayed':
          return replayed(result.reply, true);
        case 'conflict':
          return conflict();
        case 'refused':
          return recordRefusal(change, result);
      }
    },

    async quote(plan, usedBefore) {
      const termsAt = pricedTerms(plan, await pricesOf(plan.type), feeAccount);
      return quoteOf(plan.amount, termsAt(usedBefore));
    },
  };
}

/** Refusals that the feature words itself, after looking at the parties' status. */
const STATUS_REASONS: readonly RefusalReason[] = ['account_missing', 'account_frozen', 'type_disabled', 'card_blocked'];

function isStatusRefusal(result: Result): result is Extract<Result, { outcome: 'refused' }> {
  return result.outcome === 'refused' && STATUS_REASONS.includes(result.reason);
}

const NO_FEES: readonly FeeSetting[] = [];

/** A payment is never priced without its prices. */
function present<Table>(table: Table | null): Table {
  if (table === null) throw new Error('the prices were not read');
  return table;
}

const BUILT_IN_TIERS = fixedTable<CommissionTiers>({ ...DEFAULT_TIERS, highest: DEFAULT_TIERS.standard });

/** An agent earns on it, or on paying out the deposit. */
function needsTiers(type: MovementType): boolean {
  const { parties, priced }: { parties: readonly Party[]; priced: boolean } = MOVEMENT_TYPES[type];
  if (!priced) return false;
  return parties.includes('agent') || isDeposit(type);
}
