// Checks uploaded bulk payments in the background, in batches. Any gateway goes on where another one stopped: a batch and its
// counts are one transaction, under a lease that a killed gateway loses.
import { randomUUID } from 'node:crypto';
import type { Database, DatabaseTransaction } from '../../../db/database.ts';
import { LEASE_MS } from '../../../db/leased-queue.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import { HOLDERS_BY_ACCOUNT_NUMBER, HOLDERS_BY_PHONE, type Holder } from '../../../parties/subscriber.ts';
import { dailyTotalId } from '../../../payments/daily-limit.ts';
import { changeBulkPayment, lockBulkPayment, lockPayer } from '../store.ts';
import { type BulkPayment, TREASURY } from '../types.ts';
import { type Outcome, outcomeOf, type PendingRow, withoutDuplicates, withRepeated } from './outcome.ts';
import * as store from './store.ts';
import { batchTerms, type TermsContext } from './terms.ts';

export interface CheckerContext extends TermsContext {
  database: Database;
  treasuryDailyLimit: number;
  /** In the transaction that ends checking. */
  checked(trx: DatabaseTransaction, payment: BulkPayment): Promise<void>;
  /** After it. */
  told(): void;
}

const BATCH_ROWS = 1_000;
/** Then others have their turn. */
const BATCHES_PER_TURN = 5;
const CANCELLED_AT_ONCE = 2_000;
/** How long a reference stays taken. */
export const REFERENCE_DAYS = 90;

type Progress = 'more' | 'done';

export function createChecker(context: CheckerContext) {
  const { database, clock } = context;
  let running: Promise<void> | null = null;

  async function holdersOf(rows: readonly PendingRow[]): Promise<(row: PendingRow) => Holder | null> {
    const [phones, accounts] = [distinct(rows, 'phone_number'), distinct(rows, 'account_number')];
    const [byPhone, byAccount] = await Promise.all([
      phones.length > 0 ? HOLDERS_BY_PHONE.fetch(database.pool, phones) : null,
      accounts.length > 0 ? HOLDERS_BY_ACCOUNT_NUMBER.fetch(database.pool, accounts) : null,
    ]);
    return ({ phone_number, account_number }) =>
      (phone_number === null ? byAccount?.get(account_number ?? '') : byPhone?.get(phone_number)) ?? null;
  }

  async function checkBatch(payment: BulkPayment, lease: string): Promise<Progress> {
    const rows = await store.pendingRows(database.queries, payment.id, BATCH_ROWS);
    if (rows.length === 0) return finish(payment, lease);
    const [terms, holderOf] = await Promise.all([batchTerms(context, payment), holdersOf(rows)]);
    const outcomes = rows.map((row) => outcomeOf(row, holderOf(row), terms));
    return database.transact(async (trx) => {
      await lockPayer(trx, payment.payer_id);
      if (!(await isMine(trx, payment.id, lease))) return 'done';
      const valid = outcomes.filter(({ reason }) => reason === null);
      const since = new Date(clock.now() - REFERENCE_DAYS * DAY_MS);
      const used = await store.usedReferences(
        trx,
        payment,
        valid.map(({ reference }) => reference),
        since,
      );
      const recipients = valid.flatMap(({ recipientId }) => recipientId ?? []);
      const known = await store.knownRecipients(trx, payment.id, recipients);
      const decided = withRepeated(withoutDuplicates(outcomes, used), known);
      await store.storeOutcomes(trx, payment.id, decided);
      await store.addFound(trx, payment.id, foundIn(decided), new Date(clock.now() + LEASE_MS));
      return 'more';
    });
  }

  async function isMine(trx: DatabaseTransaction, id: string, lease: string): Promise<boolean> {
    const locked = await lockBulkPayment(trx, id);
    return locked?.status === 'checking' && locked.lease === lease;
  }

  async function finish(payment: BulkPayment, lease: string): Promise<Progress> {
    const available = await availableTo(payment);
    const isChecked = await database.transact(async (trx) => {
      if (!(await isMine(trx, payment.id, lease))) return false;
      const checked = await changeBulkPayment(trx, payment.id, {
        ...{ status: 'checked', checked_at: new Date(clock.now()), available_at_check: available },
        ...{ lease: null, leased_until: null },
      });
      await context.checked(trx, checked);
      return true;
    });
    if (isChecked) context.told();
    return 'done';
  }

  /** The treasury has no balance of its own to run out of, but a limit per day. */
  async function availableTo({ payer_id: payerId }: BulkPayment): Promise<number | null> {
    if (payerId !== TREASURY) return store.availableBalance(database.queries, payerId);
    const used = await store.usedAllowance(database.queries, dailyTotalId(TREASURY, clock));
    return Math.max(0, context.treasuryDailyLimit - used);
  }

  /** False if there was nothing to check. */
  async function takeTurn(stopping?: AbortSignal): Promise<boolean> {
    const now = clock.now();
    const lease = { lease: randomUUID(), now: new Date(now), until: new Date(now + LEASE_MS) };
    const payment = await store.claimUnchecked(database.queries, lease);
    if (!payment) return false;
    try {
      for (let batch = 0; batch < BATCHES_PER_TURN && !stopping?.aborted; batch++) {
        if ((await checkBatch(payment, lease.lease)) === 'done') break;
      }
    } finally {
      await store.releaseLease(database.queries, payment.id, lease.lease).catch(() => undefined);
    }
    return true;
  }

  /** False if there was nothing to cancel. */
  function cancelSome(): Promise<boolean> {
    return database.transact(async (trx) => {
      const payment = await store.lockCancelled(trx);
      if (!payment) return false;
      const amounts = await store.cancelRows(trx, payment.id, CANCELLED_AT_ONCE);
      await changeBulkPayment(trx, payment.id, {
        cancelled_count: payment.cancelled_count + amounts.length,
        cancelled_amount: amounts.reduce((sum, amount) => sum + amount, payment.cancelled_amount),
        rows_to_cancel: amounts.length === CANCELLED_AT_ONCE,
      });
      return true;
    });
  }

  async function runOnce(stopping?: AbortSignal): Promise<void> {
    while (!stopping?.aborted && (await cancelSome()));
    while (!stopping?.aborted && (await takeTurn(stopping)));
  }

  function run(stopping?: AbortSignal): Promise<void> {
    running ??= runOnce(stopping).finally(() => {
      running = null;
    });
    return running;
  }

  return {
    run,
    /** Without waiting; the background task makes up for a failure. */
    wake: () => void run().catch(() => undefined),
  };
}

function distinct(rows: readonly PendingRow[], column: 'phone_number' | 'account_number'): string[] {
  return [...new Set(rows.flatMap((row) => row[column] ?? []))];
}

function foundIn(outcomes: readonly Outcome[]): store.Found {
  const valid = outcomes.filter(({ reason }) => reason === null);
  const invalid = outcomes.filter(({ reason }) => reason !== null);
  const count = (test: (outcome: Outcome) => boolean) => valid.filter(test).length;
  return {
    checked: outcomes.length,
    valid: valid.length,
    validAmount: sum(valid, ({ amount }) => amount),
    fees: sum(valid, ({ fee }) => fee ?? 0),
    invalid: invalid.length,
    invalidAmount: sum(invalid, ({ amount }) => amount),
    codes: count(({ recipientId }) => recipientId === null),
    mismatches: count(({ nameMatches }) => nameMatches === false),
    repeated: count(({ warnings }) => warnings.includes('REPEATED_RECIPIENT')),
    compliance: count(({ warnings }) => warnings.some((warning) => warning.startsWith('COMPLIANCE'))),
  };
}

function sum(outcomes: readonly Outcome[], of: (outcome: Outcome) => number): number {
  return outcomes.reduce((total, outcome) => total + of(outcome), 0);
}
