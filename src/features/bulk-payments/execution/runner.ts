// Pays approved bulk payments in the background, a chunk of rows at a time. Any gateway goes on where a killed one left off.
import { randomUUID } from 'node:crypto';
import { delay } from '../../../db/leased-queue.ts';
import { boundedConcurrency } from '../../../kernel/bounded-concurrency.ts';
import { SECOND_MS } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { lockBulkPayment } from '../store.ts';
import type { BulkPayment, BulkRow } from '../types.ts';
import type { createApproval } from './approval.ts';
import { credentialRefusal } from './approver.ts';
import type { createChanges } from './changes.ts';
import type { ExecutionContext } from './context.ts';
import { isIntact } from './digest.ts';
import type { createEnding } from './ending.ts';
import { createHolding } from './hold.ts';
import { createPacing } from './pacing.ts';
import { changedRows, type createPayers, holdExpired, stopsPayer } from './payers.ts';
import { createRowPayment, type Paying, type RowOutcome, refused } from './row-payment.ts';
import * as store from './store.ts';

/** Of a killed gateway's work: another gateway goes on after it. */
const LEASE_MS = 10 * SECOND_MS;
const MOST_AT_ONCE = 4;
const CHUNK = 128;
const POLL_MS = SECOND_MS;

interface Parts {
  readyPayer: ReturnType<typeof createPayers>;
  approval: Pick<ReturnType<typeof createApproval>, 'hold'>;
  ending: ReturnType<typeof createEnding>;
  changes: Pick<ReturnType<typeof createChanges>, 'stopBySystem'>;
}

export function createRunner(context: ExecutionContext, { readyPayer, approval, ending, changes }: Parts) {
  const { database, findHold, clock, report } = context;
  const { queries } = database;
  const holding = createHolding(context);
  const payRow = createRowPayment(context);
  const pace = createPacing(context);
  // Bulk payments take turns, chunk by chunk: a small one does not wait for a large one.
  const inTurn = boundedConcurrency({ maxRunning: 1, maxWaiting: MOST_AT_ONCE });
  const active = new Map<string, Promise<void>>();

  const leaseNow = (lease: string) => {
    const now = clock.now();
    return { lease, now: new Date(now), until: new Date(now + LEASE_MS) };
  };

  /** Returns when there is nothing to pay, or once what was begun has stopped. */
  async function run(stopping?: AbortSignal): Promise<void> {
    do {
      const lease = randomUUID();
      const claimed = await store.claim(queries, leaseNow(lease), MOST_AT_ONCE - active.size);
      for (const { id } of claimed) active.set(id, work(id, lease, stopping));
      if (active.size > 0) await Promise.race([...active.values(), delay(POLL_MS)]);
    } while (active.size > 0 && !stopping?.aborted);
    await Promise.all(active.values());
  }

  async function work(id: string, lease: string, stopping: AbortSignal | undefined): Promise<void> {
    try {
      while (!stopping?.aborted && (await inTurn(() => step(id, lease))));
    } catch (error) {
      report('a bulk payment could not go on, and is tried again', { bulk_payment_id: id, error: String(error) });
    } finally {
      await store.release(queries, id, lease).catch(() => undefined);
      active.delete(id);
    }
  }

  /** False: there is nothing more to do now. */
  async function step(id: string, lease: string): Promise<boolean> {
    const payment = await store.renew(queries, id, leaseNow(lease));
    if (!payment) return false;
    if (payment.ended_at !== null) return false;
    if (payment.status === 'stopped' || payment.status === 'cancelled') return cancelRest(payment);
    if (payment.status === 'approved') return begin(payment);
    if (payment.status !== 'running') return false;
    const paying = await readyToPay(payment);
    if (paying instanceof Refusal) return stop(payment, paying);
    const rows = await store.takeRows(queries, id, CHUNK);
    if (rows.length === 0) {
      await ending.complete(payment);
      return false;
    }
    const stopped = await pace(rows.length, () => payRows(paying, rows));
    return stopped ? stop(payment, stopped) : true;
  }

  /** The hold of an approval whose gateway was killed; then, once its time has come, the first row. */
  async function begin(payment: BulkPayment): Promise<boolean> {
    if (payment.hold_id === null) {
      const payer = await readyPayer(payment, null);
      if (payer instanceof Refusal) return stop(payment, payer);
      return !((await approval.hold(payment, payer)) instanceof Refusal);
    }
    if (payment.starts_at !== null && payment.starts_at.getTime() > clock.now()) return false;
    const hold = await findHold(payment.hold_id);
    if (!hold) throw new Error(`the bulk payment ${payment.id} has no hold`);
    if (!(await isIntact(queries, payment, hold))) {
      report('the rows of a bulk payment were changed after its approval', { bulk_payment_id: payment.id });
      return stop(payment, changedRows());
    }
    return database.transact(async (trx) => {
      if ((await lockBulkPayment(trx, payment.id))?.status !== 'approved') return true;
      const started = { status: 'running', started_at: new Date(clock.now()) } as const;
      await trx.updateTable('bulk_payments').set(started).where('id', '=', payment.id).execute();
      return true;
    });
  }

  async function readyToPay(payment: BulkPayment): Promise<Paying | Refusal> {
    const hold = payment.hold_id === null ? null : await findHold(payment.hold_id);
    if (!hold) throw new Error(`the bulk payment ${payment.id} has no hold`);
    if (hold.outcome || hold.expires_at.getTime() <= clock.now()) return holdExpired();
    const refusal = await credentialRefusal(queries, payment, clock.now());
    if (refusal) return refusal;
    const payer = await readyPayer(payment, hold);
    if (payer instanceof Refusal) return payer;
    return { payment, hold, payer, policies: await holding.policies(payer) };
  }

  /** Returns the refusal of a payer that can pay no further row. Rows whose outcome is unknown are tried again. */
  async function payRows(paying: Paying, rows: readonly BulkRow[], unpaidAs = UNKNOWN): Promise<Refusal | null> {
    const settled = await Promise.allSettled(rows.map(async (row) => ({ row, outcome: await payRow(paying, row) })));
    const known = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const done = known.flatMap(({ row: { line }, outcome: found }) => {
      const outcome = found instanceof Refusal ? unpaidAs(found) : found;
      return outcome ? [{ line, outcome }] : [];
    });
    await store.recordOutcomes(queries, paying.payment.id, done);
    const failure = settled.find((each) => each.status === 'rejected');
    if (failure) throw failure.reason;
    const refusals = known.flatMap(({ outcome }) => (outcome instanceof Refusal ? [outcome] : []));
    return refusals.find(stopsPayer) ?? refusals[0] ?? null;
  }

  async function cancelRest(payment: BulkPayment): Promise<boolean> {
    if (payment.hold_id === null && payment.approved_at !== null) {
      // The gateway of the approval may have been killed after it held the money: the same request finds that hold.
      const payer = await readyPayer(payment, null, true);
      if (payer instanceof Refusal) throw new Error(`the payer of ${payment.id} cannot be found`);
      if (!((await approval.hold(payment, payer)) instanceof Refusal)) return true;
    }
    await ending.cancelRest(payment, (rows) => settleRows(payment, rows));
    return false;
  }

  /** The hold has ended: what was paid is answered from the ledger, and nothing else can be paid any more. */
  async function settleRows(payment: BulkPayment, rows: readonly BulkRow[]): Promise<void> {
    const hold = payment.hold_id === null ? null : await findHold(payment.hold_id);
    const payer = hold && (await readyPayer(payment, hold, true));
    if (!hold || !payer || payer instanceof Refusal) throw new Error(`the rows of ${payment.id} cannot be settled`);
    const paying = { payment, hold, payer, policies: await holding.policies(payer) };
    await payRows(paying, rows, unpaid);
  }

  async function stop(payment: BulkPayment, why: Refusal): Promise<boolean> {
    await changes.stopBySystem(payment.id, why);
    return true;
  }

  return { run };
}

/** What is not stored may be decided otherwise when the row is tried again. */
const UNKNOWN = (_refusal: Refusal): RowOutcome | null => null;

function unpaid(refusal: Refusal): RowOutcome {
  return { ...refused(refusal, 0), status: 'cancelled' };
}
