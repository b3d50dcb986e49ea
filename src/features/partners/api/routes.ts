// Signed endpoints for partners: account status, cash-in, and the history of their own movements.
import type { Caller } from '../../../auth/caller.ts';
import { type Endpoint, endpoint, ok, okJson } from '../../../http/endpoint.ts';
import { pageOf } from '../../../http/paging.ts';
import { executedReply } from '../../../http/payment-endpoint.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { historyJson } from '../../transactions/service.ts';
import * as schemas from './schemas.ts';
import type { PartnerApi } from './service.ts';

export function partnerApiRoutes(partnerApi: PartnerApi): Endpoint[] {
  return [
    endpoint({
      id: 'getAccountStatus',
      clientMethod: 'partner.accountStatus',
      method: 'POST',
      path: '/partner/account-status',
      permission: 'partner:read',
      summary: "Check whether a subscriber's account exists and can be credited",
      description:
        'Takes a phone number. Use it before a cash-in, to tell the customer if the account cannot be credited.',
      body: schemas.accountStatusBody,
      replies: { 200: schemas.accountStatusReply },
      refusals: [...SIGNATURE_REFUSALS, 'TOO_MANY_LOOKUPS'],
      handle: async ({ caller, body }) => {
        const status = await partnerApi.accountStatus(partnerOf(caller), body);
        return status instanceof Refusal ? status : ok({ success: true, ...status });
      },
    }),
    endpoint({
      id: 'partnerCashIn',
      clientMethod: 'partner.cashIn',
      method: 'POST',
      path: '/partner/cashin',
      permission: 'partner:cashin',
      summary: 'Credit a wallet for cash received by the partner; once per reference',
      description:
        'The beneficiary is named by phone number, card serial or account number. `reference` is the idempotency key: a repeated request returns the first reply. It increases what the partner owes, up to its `outstanding_limit`.',
      body: schemas.cashInBody,
      replies: { 200: schemas.cashInReply },
      refusals: [...SIGNATURE_REFUSALS, ...CASH_IN_REFUSALS],
      failure: refuse(
        'TRANSACTION_FAILED',
        'The cash-in could not be completed. Send it again with the same reference.',
      ),
      handle: async (call) => {
        const request = { partnerId: partnerOf(call.caller), body: call.body, amount: call.body.amount };
        const outcome = await partnerApi.cashIn(call, request);
        return outcome instanceof Refusal ? outcome : executedReply(outcome);
      },
    }),
    endpoint({
      id: 'listPartnerTransactions',
      clientMethod: 'partner.transactions',
      readsReplica: true,
      method: 'POST',
      path: '/partner/transaction-history',
      lane: 'reads',
      permission: 'partner:read',
      summary: "List the partner's own transactions, newest first",
      description: 'The body has the period and the page: `from`, `to`, `limit`, `offset`.',
      body: schemas.historyBody,
      bodyOptional: true,
      replies: { 200: schemas.historyReply },
      csv: { list: 'transactions' },
      refusals: SIGNATURE_REFUSALS,
      handle: async (call) => {
        const page = pageOf(call.body);
        const found = await partnerApi.history(call, partnerOf(call.caller), { ...call.body, ...page });
        if (found instanceof Refusal) return found;
        return okJson(historyJson(found, page, { success: true }));
      },
    }),
  ];
}

const SIGNATURE_REFUSALS = ['INVALID_SIGNATURE', 'EXPIRED_TIMESTAMP', 'PARTNER_MISMATCH', 'IP_NOT_ALLOWED'] as const;

const CASH_IN_REFUSALS = [
  'INVALID_AMOUNT',
  'TOO_MANY_LOOKUPS',
  'USER_NOT_FOUND',
  'SUBSCRIBER_BLOCKED',
  'CARD_BLOCKED',
  'TRANSACTION_TYPE_DISABLED',
  'PARTNER_SUSPENDED',
  'REFERENCE_CONFLICT',
  'AMOUNT_OUT_OF_RANGE',
  'MAX_BALANCE_EXCEEDED',
  'PARTNER_EXPOSURE_LIMIT_EXCEEDED',
  'COMPLIANCE_BLOCKED',
] as const;

/** Partner authentication accepts only keys that belong to a partner. */
function partnerOf(caller: Caller): string {
  if (caller.kind !== 'key' || caller.partnerId === null) throw new Error('a partner route was reached without one');
  return caller.partnerId;
}
