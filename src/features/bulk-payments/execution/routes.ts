// Endpoints that approve, stop and retry bulk payments.
import { isStaff } from '../../../auth/caller.ts';
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { idParams } from '../../../http/fields.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { changedReply } from '../schemas.ts';
import type { BulkPayments } from '../service.ts';
import { approveBody } from './schemas.ts';

/** For logins: a key approves nothing. */
export function bulkApprovalRoutes(bulk: BulkPayments): Endpoint[] {
  return [
    endpoint({
      id: 'approveBulkPayment',
      clientMethod: 'bulkPayments.approve',
      method: 'POST',
      path: '/bulk-payments/:id/approve',
      permission: 'bulk-payments:approve',
      summary: 'Approve a checked bulk payment: total and fees are held, and the rows are paid',
      description:
        "By another login of the merchant, or by finance for partners and the treasury; never by whoever uploaded it or could use the uploading key. The hash binds the approval to the file. Each row is paid exactly once, with the checks and limits of any payment; what is not paid returns to the payer's balance.",
      action: 'bulk_payment.approve',
      params: idParams,
      body: approveBody,
      replies: { 200: changedReply },
      refusals: [
        ...(['NOT_FOUND', 'NOT_INDEPENDENT', 'BULK_PAYMENT_STATE', 'FILE_MISMATCH', 'ROWS_INVALID'] as const),
        ...(['QUOTE_CHANGED', 'PROCESSOR_SUSPENDED', 'PARTNER_SUSPENDED', 'INSUFFICIENT_BALANCE'] as const),
        ...(['PARTNER_EXPOSURE_LIMIT_EXCEEDED', 'TREASURY_LIMIT_EXCEEDED', 'MAX_BALANCE_EXCEEDED'] as const),
        { code: 'UNAUTHORIZED', status: 403 },
      ],
      handle: async (call) => {
        const approved = await bulk.execution.approve(call, call.params.id, call.body);
        if (approved instanceof Refusal) return approved;
        return changed(bulk, call, approved, 'The bulk payment was approved, and its money is held.');
      },
    }),
  ];
}

export function bulkChangeRoutes(bulk: BulkPayments): Endpoint[] {
  return [
    endpoint({
      id: 'stopBulkPayment',
      clientMethod: 'bulkPayments.stop',
      method: 'POST',
      path: '/bulk-payments/:id/stop',
      permission: 'bulk-payments:write',
      summary: 'Stop a bulk payment: what was paid stays paid, and nothing more is',
      description:
        'Rows that are being paid at this moment may still be paid. The rest of the money is available again.',
      action: 'bulk_payment.stop',
      params: idParams,
      replies: { 200: changedReply },
      refusals: ['NOT_FOUND', 'BULK_PAYMENT_STATE'],
      handle: async (call) => {
        const stopped = await bulk.execution.stop(call, call.params.id);
        if (stopped instanceof Refusal) return stopped;
        return changed(bulk, call, stopped, 'The bulk payment was stopped.');
      },
    }),
    endpoint({
      id: 'retryBulkPayment',
      clientMethod: 'bulkPayments.retryFailed',
      method: 'POST',
      path: '/bulk-payments/:id/retry-failed',
      permission: 'bulk-payments:write',
      summary: 'Make a new bulk payment of the rows that failed, linked with the first',
      description: 'It is checked and approved like an upload. Its file_sha256 is that of the first.',
      action: 'bulk_payment.retry',
      params: idParams,
      replies: { 200: changedReply },
      refusals: [
        ...(['NOT_FOUND', 'BULK_PAYMENT_STATE', 'BULK_PAYMENT_EXISTS', 'ROWS_INVALID'] as const),
        'BULK_ROW_LIMIT_EXCEEDED',
      ],
      handle: async (call) => {
        const created = await bulk.execution.retryFailed(call, call.params.id);
        if (created instanceof Refusal) return created;
        return changed(bulk, call, created, 'The failed rows are being checked.');
      },
    }),
  ];
}

type Call = Parameters<BulkPayments['execution']['stop']>[0];
type Payment = Parameters<BulkPayments['view']>[0];

async function changed(bulk: BulkPayments, { caller }: Call, payment: Payment, message: string) {
  const bulk_payment = await bulk.view(payment, { isStaff: isStaff(caller) });
  return ok({ success: true as const, message, bulk_payment });
}
