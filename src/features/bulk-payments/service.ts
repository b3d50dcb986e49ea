// Bulk payments: one file, one decision, many payments. Upload and checking; approving and paying are in execution/.
import type { Actor } from '../../audit/log.ts';
import { isStaff } from '../../auth/caller.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Listed } from '../../db/counted-page.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { noSuchPartner, type PartnerRow, partnerStatusRefusal } from '../../parties/partner.ts';
import type { PepProtection } from '../../parties/pep-payments.ts';
import { noSuchProcessor, type PaidProcessor, processorStatusRefusal } from '../../parties/processor.ts';
import type { DeliveryRow } from '../../webhooks/event.ts';
import { merchantEventRows } from '../../webhooks/merchant-event.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import type { CustomerPayments } from '../customer-payments/service.ts';
import { changeRefusal, isVisible, noSuchBulkPayment } from './access.ts';
import { type CheckerContext, createChecker } from './checking/checker.ts';
import { createExecution, type ExecutionDependencies } from './execution/service.ts';
import { createRowLimits, type RowLimitContext } from './intake/row-limit.ts';
import { createUploads, type UploadContext } from './intake/upload.ts';
import { reportCsv } from './report/csv.ts';
import { MOST_ROWS_SHOWN, reportPdf } from './report/pdf.ts';
import { listRows, nextRows, type RowFilter, unpaidRows } from './row-store.ts';
import { type BulkFilter, changeBulkPayment, findBulkPayment, listBulkPayments, lockBulkPayment } from './store.ts';
import type { BulkPayment, BulkRow, Payer } from './types.ts';
import { bulkPaymentView, type RowView, rowView, type Viewer } from './view.ts';

export interface BulkPaymentsDependencies
  extends Omit<UploadContext, 'payerRefusal' | 'uploaded'>,
    Omit<CheckerContext, 'checked' | 'told' | 'findPartner'>,
    Omit<RowLimitContext, 'findProcessor' | 'findPartner'>,
    Omit<ExecutionDependencies, 'findProcessor' | 'findPartner' | 'ended' | 'told' | 'sendCode' | 'uploaded'>,
    Pick<PepProtection, 'pep'> {
  findProcessor: Load<string, PaidProcessor | null>;
  findPartner: Load<string, PartnerRow | null>;
  webhooks: Pick<Webhooks, 'wake'>;
  unclaimedCodes: CustomerPayments['unclaimedCodes'];
  operatorName: string;
}

type BulkEvent = 'bulk_payment.checked' | 'bulk_payment.completed';

export type BulkPayments = ReturnType<typeof createBulkPayments>;

const REPORT_PAGE = 1_000;

export function createBulkPayments(dependencies: BulkPaymentsDependencies) {
  const { database, audit, clock, findProcessor, findPartner, pep, webhooks, operatorName } = dependencies;

  async function payerRefusal({ kind, id }: Payer): Promise<Refusal | null> {
    if (kind === 'treasury') return null;
    if (kind === 'partner') {
      const partner = await findPartner(id);
      return partner ? partnerStatusRefusal(partner) : noSuchPartner();
    }
    const processor = await findProcessor(id);
    return processor ? processorStatusRefusal(processor) : noSuchProcessor();
  }

  async function payerName({ payer_kind: kind, payer_id: id }: BulkPayment): Promise<string | null> {
    if (kind === 'treasury') return operatorName;
    if (kind === 'partner') return (await findPartner(id))?.name ?? null;
    return (await findProcessor(id))?.business_name ?? null;
  }

  async function view(payment: BulkPayment, viewer: Viewer) {
    return bulkPaymentView(payment, await payerName(payment), viewer);
  }

  /** Events of a bulk payment, for its commit. */
  async function tell(trx: DatabaseTransaction, payment: BulkPayment, type: BulkEvent): Promise<void> {
    const { id, payer_kind: kind, payer_id: payerId } = payment;
    if (kind === 'treasury') return;
    const owner = kind === 'partner' ? await findPartner(payerId) : await findProcessor(payerId);
    if (!owner) return;
    const object = await view(payment, { isStaff: false });
    const event = { type, about: id, subscriberId: null, object: () => object };
    const rows = merchantEventRows(owner, event, clock).map(({ row }) => row as DeliveryRow);
    if (rows.length > 0) await trx.insertInto('webhook_deliveries').values(rows).execute();
  }

  const checker = createChecker({
    ...dependencies,
    checked: (trx, payment) => tell(trx, payment, 'bulk_payment.checked'),
    told: webhooks.wake,
  });
  const execution = createExecution({
    ...dependencies,
    uploaded: checker.wake,
    ended: (trx, payment) => tell(trx, payment, 'bulk_payment.completed'),
    told: webhooks.wake,
    async sendCode(payment, row, holdId) {
      const hold = await dependencies.findHold(holdId);
      if (!hold || row.phone_number === null)
        throw new Error(`the code of ${payment.id}, line ${row.line} has no hold`);
      const payerNamed = (await payerName(payment)) ?? operatorName;
      await dependencies.unclaimedCodes.send({ hold, phone: row.phone_number, payerName: payerNamed });
    },
  });
  const uploads = createUploads({ ...dependencies, payerRefusal, uploaded: checker.wake });

  async function find({ caller }: Pick<Actor, 'caller'>, id: string): Promise<BulkPayment | Refusal> {
    const payment = await findBulkPayment(database.queries, id);
    return payment && isVisible(caller, payment) ? payment : noSuchBulkPayment();
  }

  /** Staff do not see what goes to politically exposed persons, unless they uploaded it or have access. */
  async function rowViews(actor: Actor, payment: BulkPayment, rows: readonly BulkRow[]): Promise<RowView[]> {
    const viewer = { isStaff: isStaff(actor.caller) };
    const isGuarded = viewer.isStaff && payment.uploaded_by !== actor.caller.id;
    const recipients = rows.map(({ recipient_id }) => recipient_id);
    const hidden = isGuarded ? await pep.hidden(actor, recipients) : NOBODY;
    return rows.map((row) => rowView(row, viewer, row.recipient_id !== null && hidden.has(row.recipient_id)));
  }

  async function* reportPages(actor: Actor, payment: BulkPayment): AsyncGenerator<RowView[]> {
    for (let line = 0; ; ) {
      const rows = await nextRows(database.queries, payment.id, line, REPORT_PAGE);
      if (rows.length > 0) yield await rowViews(actor, payment, rows);
      if (rows.length < REPORT_PAGE) return;
      line = rows.at(-1)?.line ?? 0;
    }
  }

  function recordReport(actor: Actor, { id, payer_id }: BulkPayment, format: 'csv' | 'pdf'): Promise<void> {
    const about = { resourceType: 'bulk_payment', resourceId: id, details: { format, payer_id } };
    return audit.record(database.queries, actor, { action: 'bulk_payment.report', ...about });
  }

  async function cancel(actor: Actor, id: string): Promise<BulkPayment | Refusal> {
    if ((await findBulkPayment(database.queries, id))?.status === 'approved')
      return execution.cancelApproved(actor, id);
    const cancelled = await database.transact(async (trx) => {
      const payment = await lockBulkPayment(trx, id);
      if (!payment || payment.status === 'uploading') return noSuchBulkPayment();
      const refusal = changeRefusal(actor.caller, payment) ?? cancelRefusal(payment);
      if (refusal) return refusal;
      const changed = await changeBulkPayment(trx, id, {
        ...{ status: 'cancelled', rows_to_cancel: true, lease: null, leased_until: null },
        ...{ ended_by: String(actor.caller.id), ended_at: new Date(clock.now()) },
      });
      const about = { resourceType: 'bulk_payment', resourceId: id, details: { payer_id: payment.payer_id } };
      await audit.record(trx, actor, { action: 'bulk_payment.cancel', ...about });
      return changed;
    });
    if (!(cancelled instanceof Refusal)) checker.wake();
    return cancelled;
  }

  return {
    upload: uploads.upload,
    find,
    view,
    cancel,
    execution,
    rowLimits: createRowLimits(dependencies),

    list(filter: BulkFilter, page: Page): Promise<Listed<BulkPayment>> {
      return listBulkPayments(database.queries, filter, page);
    },

    async rows(actor: Actor, id: string, filter: RowFilter, page: Page): Promise<Listed<RowView> | Refusal> {
      const payment = await find(actor, id);
      if (payment instanceof Refusal) return payment;
      const { rows, total } = await listRows(database.queries, id, filter, page);
      return { rows: await rowViews(actor, payment, rows), total };
    },

    async csv(actor: Actor, id: string): Promise<AsyncIterable<string> | Refusal> {
      const payment = await find(actor, id);
      if (payment instanceof Refusal) return payment;
      await recordReport(actor, payment, 'csv');
      return reportCsv(reportPages(actor, payment));
    },

    async pdf(actor: Actor, id: string): Promise<Buffer | Refusal> {
      const payment = await find(actor, id);
      if (payment instanceof Refusal) return payment;
      await recordReport(actor, payment, 'pdf');
      const unpaid = await rowViews(actor, payment, await unpaidRows(database.queries, id, MOST_ROWS_SHOWN));
      const { caller, requestId } = actor;
      return reportPdf(await view(payment, { isStaff: isStaff(caller) }), unpaid, {
        ...{ operator: operatorName, documentId: requestId, generatedAt: clock.now() },
        generatedBy: `${caller.kind} ${caller.id}`,
      });
    },

    /** Checks what waits, cancels rows of cancelled payments, and deletes what killed gateways left. */
    async maintain(stopping?: AbortSignal): Promise<void> {
      await uploads.prune();
      await checker.run(stopping);
    },
  };
}

const NOBODY: ReadonlySet<string> = new Set();

function cancelRefusal({ status }: BulkPayment): Refusal | null {
  if (status === 'checking' || status === 'checked') return null;
  return refuse('BULK_PAYMENT_STATE', `The bulk payment is ${status} and cannot be cancelled.`, {
    details: { bulk_status: status },
  });
}
