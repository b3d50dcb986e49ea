// Endpoints to request and list pay-outs, and to return one that the bank sent back.
import { isStaff } from '../../auth/caller.ts';
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { type Page, pageOf } from '../../http/paging.ts';
import { requestIdOf } from '../../http/payment-endpoint.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { GATE_REFUSALS, type Gate, pendingReply } from '../approvals/service.ts';
import type { BankEvidence } from '../finance/reconciliation/service.ts';
import * as schemas from './payout-schemas.ts';
import type { PayoutRecord } from './payout-store.ts';
import type { Processors } from './service.ts';

export function payoutRoutes(processors: Processors, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'payOut',
      clientMethod: 'processors.payOut',
      method: 'POST',
      path: '/processors/:id/payout',
      permission: 'processors:payout',
      summary: 'Pay out from a processor to a bank account; the amount is in transit until the bank has executed it',
      description:
        'The amount leaves the balance now and is in transit until a bank statement shows the debit. An approval policy may apply (202).',
      action: 'processor.payout',
      params: idParams,
      body: schemas.payoutBody,
      replies: { 200: schemas.payoutReply, 202: pendingReply },
      refusals: [
        ...GATE_REFUSALS,
        'INVALID_AMOUNT',
        'REQUEST_CONFLICT',
        'NOT_FOUND',
        'PROCESSOR_SUSPENDED',
        'COMPLIANCE_BLOCKED',
        'INSUFFICIENT_BALANCE',
      ],
      handle: (call) => {
        if (requestIdOf(call) === null) return refuse('INVALID_REQUEST', 'request_id is required for a pay-out.');
        return gate.pay(call, processors.payoutOperation);
      },
    }),
    endpoint({
      id: 'listPayouts',
      clientMethod: 'processors.payouts',
      method: 'GET',
      path: '/processors/:id/payouts',
      permission: 'processors:history',
      summary: "List a processor's pay-outs, newest first",
      params: idParams,
      query: schemas.payoutsQuery,
      csv: { key: 'transaction_id' },
      replies: { 200: schemas.payoutsReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ caller, params, query }) => {
        const page = pageOf(query);
        const found = await processors.payouts(caller, params.id, { ...page, state: query.state });
        if (found instanceof Refusal) return found;
        return ok(payoutsView(found, page, isStaff(caller)));
      },
    }),
    endpoint({
      id: 'listAllPayouts',
      clientMethod: 'processors.allPayouts',
      method: 'GET',
      path: '/admin/payouts',
      permission: 'reconciliation:read',
      summary: 'List the pay-outs of all processors, newest first; total_count stops at 100,000',
      query: schemas.payoutsQuery,
      csv: { key: 'transaction_id' },
      replies: { 200: schemas.payoutsReply },
      handle: async ({ query }) => {
        const page = pageOf(query);
        return ok(payoutsView(await processors.allPayouts({ ...page, state: query.state }), page, true));
      },
    }),
    endpoint({
      id: 'getPayoutAtBank',
      clientMethod: 'processors.payoutAtBank',
      method: 'GET',
      path: '/processors/:id/payouts/:transaction_id/bank-entries',
      permission: 'payouts:return',
      summary: 'Get the bank entries for a pay-out, and the credits that a return can use',
      params: schemas.payoutReturnParams,
      replies: { 200: schemas.payoutAtBankReply },
      refusals: ['NOT_FOUND', 'ARCHIVED'],
      handle: async ({ params }) => {
        const found = await processors.payoutAtBank(params);
        if (found instanceof Refusal) return found;
        const { entries, credits } = found;
        return ok({ credit_required: entries.some(showsExecution), bank_entries: entries, credits });
      },
    }),
    endpoint({
      id: 'returnPayout',
      clientMethod: 'processors.returnPayout',
      method: 'POST',
      path: '/processors/:id/payouts/:transaction_id/return',
      permission: 'payouts:return',
      summary: 'Return a pay-out that the bank sent back to the processor',
      description:
        "For a transfer that the bank rejected. The amount goes back to the processor's balance. If the bank has executed the pay-out, or seems to have, the return needs the bank's credit (PAYOUT_CLEARED). That is so if a bank entry is matched with the pay-out, or was matched before and has not since been matched with something else by another user; or if a debit has the pay-out's reference, even truncated to 10 characters or more. Under the pay-out policy, the user who uploaded the credit may neither request nor approve the return (NOT_INDEPENDENT).",
      action: 'processor.return_payout',
      params: schemas.payoutReturnParams,
      body: schemas.payoutReturnBody,
      replies: { 200: schemas.payoutReturnReply, 202: pendingReply },
      refusals: [
        'REQUEST_CONFLICT',
        'NOT_FOUND',
        'ARCHIVED',
        'ALREADY_RETURNED',
        'PAYOUT_CLEARED',
        'ALREADY_MATCHED',
        'MATCH_DOES_NOT_BALANCE',
        'CREDIT_BEFORE_PAYOUT',
        'NOT_INDEPENDENT',
        'COMPLIANCE_BLOCKED',
      ],
      handle: (call) => gate.pay(call, processors.returnPayoutOperation),
    }),
  ];
}

/**
 * A credit with the reference does not count, because a returned payment carries it too. An undone match counts until
 * the entry is matched with something else.
 */
function showsExecution({ amount, status, relations }: BankEvidence): boolean {
  if (relations.includes('matched')) return true;
  if (amount < 0 && relations.includes('reference')) return true;
  return relations.includes('match_undone') && (status === 'unmatched' || status === 'suggested');
}

interface ListedPayouts {
  payouts: PayoutRecord[];
  total: number;
  archivedBefore: number | null;
}

function payoutsView({ payouts, total, archivedBefore }: ListedPayouts, page: Page, showsMatch: boolean) {
  const archived = archivedBefore === null ? {} : { archived_before: iso(archivedBefore) };
  return { payouts: payouts.map((each) => payoutView(each, showsMatch)), total_count: total, ...page, ...archived };
}

/** The match with the bank entry is shown to staff only. */
function payoutView({ match_id, created_at, ...rest }: PayoutRecord, showsMatch: boolean) {
  return { ...rest, match_id: showsMatch ? match_id : null, created_at: iso(created_at.getTime()) };
}
