// Endpoints for bulk payments: upload, progress, rows, reports and cancelling.
import { isStaff } from '../../auth/caller.ts';
import { readRange } from '../../http/date-range.ts';
import { type Endpoint, endpoint, fileReply, ok, streamed } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { putBody } from '../../http/put.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { payerFilter } from './access.ts';
import * as schemas from './schemas.ts';
import type { BulkPayments } from './service.ts';

export function bulkPaymentRoutes(bulk: BulkPayments): Endpoint[] {
  return [...readRoutes(bulk), ...reportRoutes(bulk), cancelRoute(bulk)];
}

/** Verified before the body is read: a key's signature covers the file's hash in the query. */
export function bulkUploadRoutes(bulk: BulkPayments): Endpoint[] {
  return [uploadRoute(bulk)];
}

function uploadRoute(bulk: BulkPayments): Endpoint {
  return endpoint({
    id: 'uploadBulkPayment',
    clientMethod: 'bulkPayments.create',
    method: 'POST',
    path: '/bulk-payments',
    permission: 'bulk-payments:write',
    summary: 'Upload a file of payments; it is checked, and paid only after an approval',
    description:
      "Checking moves no money and says for each row whether the number has an active wallet, whether the name is its holder's, and what it costs. A file that is wrong anywhere is refused with its line and column, and nothing is stored. The same file again is 409. A key signs the request without its body and sends `file_sha256`.",
    action: 'bulk_payment.create',
    query: schemas.uploadQuery,
    upload: schemas.upload,
    replies: { 202: schemas.changedReply },
    refusals: [
      ...(['NOT_FOUND', 'BULK_PAYMENT_EXISTS', 'BULK_ROW_LIMIT_EXCEEDED', 'INVALID_SIGNATURE'] as const),
      ...(['PROCESSOR_SUSPENDED', 'PARTNER_SUSPENDED'] as const),
    ],
    // A slow sender occupies its slot for the whole upload.
    lane: 'uploads',
    handle: async (call) => {
      const { treasury, ...query } = call.query;
      const file = { mediaType: call.fileType, chunks: call.file };
      const payment = await bulk.upload(call, { ...query, treasury: treasury === 'true' }, file);
      if (payment instanceof Refusal) return payment;
      const bulk_payment = await bulk.view(payment, { isStaff: isStaff(call.caller) });
      return { status: 202, body: { success: true, message: 'The file is being checked.', bulk_payment } };
    },
  });
}

function readRoutes(bulk: BulkPayments): Endpoint[] {
  return [
    endpoint({
      id: 'listBulkPayments',
      clientMethod: 'bulkPayments.list',
      method: 'GET',
      path: '/bulk-payments',
      permission: 'bulk-payments:read',
      summary: "List the caller's bulk payments, newest first",
      description: 'Staff see those of all payers.',
      query: schemas.listRequest,
      replies: { 200: schemas.bulkPaymentsReply },
      handle: async ({ caller, query }) => {
        const page = pageOf(query);
        const range = readRange(query);
        if (range instanceof Refusal) return range;
        const payers = payerFilter(caller, { ...query, treasury: query.treasury === 'true' });
        const from = range.from === undefined ? undefined : new Date(range.from);
        const to = range.to === undefined ? undefined : new Date(range.to);
        const { rows, total } = await bulk.list({ status: query.status, payers, from, to }, page);
        const viewer = { isStaff: isStaff(caller) };
        const bulk_payments = await Promise.all(rows.map((row) => bulk.view(row, viewer)));
        return ok({ bulk_payments, total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'getBulkPayment',
      clientMethod: 'bulkPayments.get',
      method: 'GET',
      path: '/bulk-payments/:id',
      permission: 'bulk-payments:read',
      summary: 'Get a bulk payment with its counts, sums and progress',
      params: idParams,
      replies: { 200: schemas.bulkPaymentReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const found = await bulk.find(call, call.params.id);
        if (found instanceof Refusal) return found;
        return ok({ bulk_payment: await bulk.view(found, { isStaff: isStaff(call.caller) }) });
      },
    }),
    endpoint({
      id: 'listBulkPaymentRows',
      clientMethod: 'bulkPayments.rows',
      method: 'GET',
      path: '/bulk-payments/:id/rows',
      permission: 'bulk-payments:read',
      summary: "List a bulk payment's rows in the order of the file",
      params: idParams,
      query: schemas.rowsQuery,
      replies: { 200: schemas.rowsReply },
      csv: { key: 'line' },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const page = pageOf(call.query);
        const { status, name_match } = call.query;
        const name_matches = name_match === undefined ? undefined : name_match === 'match';
        const found = await bulk.rows(call, call.params.id, { status, name_matches }, page);
        return found instanceof Refusal ? found : ok({ rows: found.rows, total_count: found.total, ...page });
      },
    }),
  ];
}

function reportRoutes(bulk: BulkPayments): Endpoint[] {
  return [
    endpoint({
      id: 'getBulkPaymentReport',
      clientMethod: 'bulkPayments.report',
      method: 'GET',
      path: '/bulk-payments/:id/report.csv',
      permission: 'bulk-payments:read',
      summary: 'Get all rows with their outcomes as a CSV file; the audit log records that it was produced',
      params: idParams,
      replies: { 200: schemas.csvReport },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const csv = await bulk.csv(call, call.params.id);
        // The id belongs to a stored payment, so it is safe in a header.
        const disposition = `attachment; filename="${call.params.id}.csv"`;
        if (csv instanceof Refusal) return csv;
        return streamed(csv, { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': disposition });
      },
    }),
    endpoint({
      id: 'getBulkPaymentReportPdf',
      clientMethod: 'bulkPayments.reportPdf',
      method: 'GET',
      path: '/bulk-payments/:id/report.pdf',
      permission: 'bulk-payments:read',
      summary: 'Get the report as a PDF: totals, decisions, and the rows that are not paid; the audit log records it',
      params: idParams,
      replies: { 200: schemas.pdfReport },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const pdf = await bulk.pdf(call, call.params.id);
        return pdf instanceof Refusal ? pdf : fileReply(pdf, 'application/pdf', `${call.params.id}.pdf`);
      },
    }),
  ];
}

function cancelRoute(bulk: BulkPayments): Endpoint {
  return endpoint({
    id: 'cancelBulkPayment',
    clientMethod: 'bulkPayments.cancel',
    method: 'POST',
    path: '/bulk-payments/:id/cancel',
    permission: 'bulk-payments:write',
    summary: 'Cancel a bulk payment that is not approved; its references and its file can be used again',
    action: 'bulk_payment.cancel',
    params: idParams,
    replies: { 200: schemas.changedReply },
    refusals: ['NOT_FOUND', 'BULK_PAYMENT_STATE'],
    handle: async (call) => {
      const payment = await bulk.cancel(call, call.params.id);
      if (payment instanceof Refusal) return payment;
      const bulk_payment = await bulk.view(payment, { isStaff: isStaff(call.caller) });
      return ok({ success: true, message: 'The bulk payment was cancelled.', bulk_payment });
    },
  });
}

export function rowLimitRoutes({ rowLimits }: BulkPayments): Endpoint[] {
  return [
    endpoint({
      id: 'getBulkRowLimit',
      clientMethod: 'bulkPayments.rowLimit',
      method: 'GET',
      path: '/admin/bulk-payment-limits/:payer_id',
      permission: 'bulk-payments:limits',
      summary: 'Get how many rows a payer may have checked without paying them',
      params: schemas.limitParams,
      replies: { 200: schemas.rowLimitReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ params }) => {
        const found = await rowLimits.get(params.payer_id);
        return found instanceof Refusal ? found : ok({ row_limit: found });
      },
    }),
    endpoint({
      id: 'updateBulkRowLimit',
      clientMethod: 'bulkPayments.updateRowLimit',
      method: 'PUT',
      path: '/admin/bulk-payment-limits/:payer_id',
      permission: 'bulk-payments:limits',
      summary: 'Set how many rows a payer may have checked without paying them',
      description: 'Checking tells which numbers have wallets: raise it for a payer whose first files are large.',
      action: 'bulk_row_limit.update',
      params: schemas.limitParams,
      body: putBody(schemas.rowLimitBody, schemas.rowLimitReply.properties.row_limit),
      current: async ({ params }) => rowLimits.get(params.payer_id),
      replies: { 200: schemas.rowLimitChangedReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const set = await rowLimits.set(call, call.params.payer_id, call.body.unpaid_rows);
        if (set instanceof Refusal) return set;
        return ok({ success: true, message: 'The limit was set.', row_limit: set });
      },
    }),
  ];
}
