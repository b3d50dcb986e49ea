// Approves a bulk payment: the approver is a second person and names the file; then the money is held, and the rows are paid.
import type { Actor } from '../../../audit/log.ts';
import type { DatabaseTransaction, Queries } from '../../../db/database.ts';
import { DAY_MS, iso } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { noSuchBulkPayment } from '../access.ts';
import { changeBulkPayment, findBulkPayment, lockBulkPayment } from '../store.ts';
import type { BulkPayment, MODES } from '../types.ts';
import { approverRefusal, credentialRefusal, roleRefusal } from './approver.ts';
import type { ExecutionContext } from './context.ts';
import { readAll, uploadedDigest } from './digest.ts';
import { createHolding, rowFee } from './hold.ts';
import type { createPayers, ReadyPayer } from './payers.ts';
import * as store from './store.ts';

export interface Approval {
  file_sha256: string;
  mode: (typeof MODES)[number];
  starts_at?: string | undefined;
}

const LATEST_START_MS = 90 * DAY_MS;

type ReadyPayerOf = ReturnType<typeof createPayers>;

export function createApproval(context: ExecutionContext, readyPayer: ReadyPayerOf, wake: () => void) {
  const { database, audit, clock } = context;
  const { queries } = database;
  const holding = createHolding(context);

  async function approve(actor: Actor, id: string, approval: Approval): Promise<BulkPayment | Refusal> {
    const payment = await findBulkPayment(queries, id);
    if (!payment) return noSuchBulkPayment();
    const refusal = roleRefusal(actor.caller, payment) ?? termsRefusal(payment, approval);
    if (refusal) return refusal;
    const payer = await readyPayer(payment, null);
    if (payer instanceof Refusal) return payer;
    const read = await readRows(payment, payer);
    const unfit = fileRefusal(approval, read);
    if (unfit) return unfit;
    const approved = await database.transact((trx) =>
      accept(trx, actor, { payment, payer, approval, fees: read.fees }),
    );
    if (approved instanceof Refusal) return approved;
    const held = await hold(approved, payer);
    if (!(held instanceof Refusal)) wake();
    return held;
  }

  /** Its rows as they are now: what they say, what they cost, and whether each can be paid. */
  async function readRows(payment: BulkPayment, payer: ReadyPayer): Promise<ReadRows> {
    const policies = await holding.policies(payer);
    const read = { fees: 0, unavailable: 0 };
    const digest = await readAll(queries, payment.id, async (rows) => {
      const valid = rows.filter(({ status }) => status === 'valid');
      for (const { amount, recipient_id } of valid) {
        read.fees += rowFee(policies, payer, { amount, isCode: recipient_id === null });
      }
      const lines = valid.map(({ line }) => line);
      read.unavailable += await store.countUnavailable(queries, payment.id, lines, payer.type);
    });
    return { ...read, isIntact: digest === (await uploadedDigest(queries, payment.id)) };
  }

  /** The decision, and nothing else: whichever gateway sees it next holds the money. */
  async function accept(
    trx: DatabaseTransaction,
    actor: Actor,
    { payment, payer, approval, fees }: Accepted,
  ): Promise<BulkPayment | Refusal> {
    const { caller } = actor;
    const locked = await lockBulkPayment(trx, payment.id);
    if (!locked || caller.kind !== 'user') return noSuchBulkPayment();
    const now = clock.now();
    const refusal =
      termsRefusal(locked, approval) ??
      (await approverRefusal(trx, caller, locked, now)) ??
      (await credentialRefusal(trx, locked, now)) ??
      (await limitRefusal(trx, locked, payer));
    if (refusal) return refusal;
    // The approver saw other fees.
    if (fees !== locked.valid_fees) {
      return refuse('QUOTE_CHANGED', 'The fees have changed since the rows were checked. Upload the file again.');
    }
    const approved = await changeBulkPayment(trx, payment.id, {
      ...{ status: 'approved', mode: approval.mode, approved_by: caller.id, approved_at: new Date(now) },
      starts_at: approval.starts_at === undefined ? null : new Date(approval.starts_at),
    });
    await audit.record(trx, actor, {
      action: 'bulk_payment.approve',
      ...{ resourceType: 'bulk_payment', resourceId: payment.id },
      details: {
        ...{ payer_id: payment.payer_id, file_sha256: approval.file_sha256.toLowerCase(), mode: approval.mode },
        ...{ amount: locked.valid_amount, fees, row_count: locked.valid_count },
        starts_at: approved.starts_at && iso(approved.starts_at),
      },
    });
    return approved;
  }

  /** The total is refused at once if the treasury may not issue as much today; each row counts when it is paid. */
  async function limitRefusal(trx: Queries, { valid_amount }: BulkPayment, { allowances }: ReadyPayer) {
    for (const { id, limit, refusal } of allowances) {
      const total = trx.selectFrom('allowances').select('used').where('id', '=', id);
      const available = limit - ((await total.executeTakeFirst())?.used ?? 0);
      if (valid_amount > available) return refusal({ available: Math.max(0, available), required: valid_amount });
    }
    return null;
  }

  /** A payer without the money: the bulk payment can be approved again. */
  async function hold(payment: BulkPayment, payer: ReadyPayer): Promise<BulkPayment | Refusal> {
    const held = await holding.open(payment, payer);
    const undone = { status: 'checked', mode: null, approved_by: null, approved_at: null, starts_at: null } as const;
    const after = await database.transact(async (trx) => {
      const locked = await lockBulkPayment(trx, payment.id);
      const isSame = locked?.approved_at?.getTime() === payment.approved_at?.getTime() && locked?.hold_id === null;
      if (!isSame) return locked ?? null;
      // Stopped or cancelled since: the runner releases it.
      if (!(held instanceof Refusal)) return changeBulkPayment(trx, payment.id, { hold_id: held, ended_at: null });
      return locked.status === 'approved' ? changeBulkPayment(trx, payment.id, undone) : locked;
    });
    if (held instanceof Refusal) return held;
    return after ?? noSuchBulkPayment();
  }

  return { approve, hold };
}

interface Accepted {
  payment: BulkPayment;
  payer: ReadyPayer;
  approval: Approval;
  fees: number;
}

interface ReadRows {
  /** They are those that were uploaded. */
  isIntact: boolean;
  fees: number;
  unavailable: number;
}

function fileRefusal({ mode }: Approval, { isIntact, unavailable }: ReadRows): Refusal | null {
  if (!isIntact) {
    return refuse('FILE_MISMATCH', 'The rows are no longer those of the uploaded file. They are not paid.');
  }
  if (mode === 'continue' || unavailable === 0) return null;
  return invalidRows(unavailable);
}

function termsRefusal(payment: BulkPayment, { file_sha256, mode, starts_at }: Approval): Refusal | null {
  const { status, invalid_count, valid_count } = payment;
  if (status !== 'checked') return notNow(status, 'approved');
  if (file_sha256.toLowerCase() !== payment.file_sha256?.toString('hex')) {
    return refuse('FILE_MISMATCH', 'file_sha256 is not the SHA-256 of the file that was uploaded.');
  }
  if (mode === 'all_or_nothing' && invalid_count > 0) return invalidRows(invalid_count);
  if (valid_count === 0) return refuse('ROWS_INVALID', 'No row of the bulk payment can be paid.');
  const latest = payment.created_at.getTime() + LATEST_START_MS;
  if (starts_at === undefined || Date.parse(starts_at) <= latest) return null;
  return refuse('INVALID_REQUEST', 'starts_at must be within 90 days of the upload.');
}

function invalidRows(count: number): Refusal {
  return refuse('ROWS_INVALID', `Of the rows, ${count} cannot be paid, and the mode is all_or_nothing.`);
}

export function notNow(status: string, what: string): Refusal {
  return refuse('BULK_PAYMENT_STATE', `The bulk payment is ${status}: it cannot be ${what}.`, {
    details: { bulk_status: status },
  });
}
