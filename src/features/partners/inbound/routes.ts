// Endpoints for the inbound API, and the endpoint for staff that reverses a credit.
import { type Endpoint, endpoint, ok, type Reply } from '../../../http/endpoint.ts';
import { executedReply } from '../../../http/payment-endpoint.ts';
import { CATALOGUE, type Code, Refusal } from '../../../kernel/refusal.ts';
import type { Executed } from '../../../payments/plan.ts';
import { type Gate, pendingReply } from '../../approvals/service.ts';
import { partnerCallerOf } from './input.ts';
import * as schemas from './schemas.ts';
import type { Inbound } from './service.ts';

const SIGNATURE_REFUSALS = [
  'STALE_REQUEST',
  'INVALID_SIGNATURE',
  'PARTNER_MISMATCH',
  'IP_NOT_ALLOWED',
  'REPLAYED_REQUEST',
] as const;

export function inboundRoutes(inbound: Inbound): Endpoint[] {
  return [
    endpoint({
      id: 'enquireName',
      clientMethod: 'inbound.enquireName',
      method: 'POST',
      path: '/name-enquiry',
      permission: 'inbound:read',
      summary: 'Look up a beneficiary and how much it can be credited; changes nothing',
      description:
        'Call it before a credit, and show the masked name to the payer. `can_credit: false` means that the customer must not be debited. `beneficiary_ref` can name the beneficiary of a credit for 15 minutes.',
      body: schemas.enquiryBody,
      replies: { 200: schemas.enquiryReply },
      refusals: [...SIGNATURE_REFUSALS, 'BENEFICIARY_NOT_FOUND', 'CURRENCY_MISMATCH', 'TOO_MANY_LOOKUPS'],
      handle: async ({ caller, body }) => {
        const found = await inbound.enquire(partnerCallerOf(caller), body);
        return found instanceof Refusal ? found : okReply('The beneficiary was found.', found);
      },
    }),
    endpoint({
      id: 'creditWallet',
      clientMethod: 'inbound.credit',
      method: 'POST',
      path: '/credit',
      permission: 'inbound:write',
      summary: 'Credit a wallet; the same reference with the same details never credits twice',
      description:
        'The outcome is stored under `reference`, even if the credit is refused: repeating the request returns it, and GET /inbound/transactions/{reference} shows it. The same reference with other details gets 409 `REFERENCE_CONFLICT`. If no reply arrives, repeat the request with the same reference and a new nonce, or ask for its status. A webhook announces the outcome.',
      hot: true,
      idempotencyKey: true,
      body: schemas.creditBody,
      replies: { 200: schemas.creditReply },
      refusals: [...SIGNATURE_REFUSALS, ...CREDIT_REFUSALS],
      handle: async (call) => {
        const { caller, body, idempotencyKey } = call;
        const partner = partnerCallerOf(caller);
        const outcome = await inbound.credit(call, { caller: partner, body, amount: body.amount, idempotencyKey });
        return outcome instanceof Refusal ? outcome : storedReply(outcome);
      },
    }),
    endpoint({
      id: 'getCredit',
      clientMethod: 'inbound.get',
      method: 'GET',
      path: '/transactions/:reference',
      permission: 'inbound:read',
      summary: "Get a credit's outcome by its reference",
      description:
        'For a credit whose reply did not arrive. 404 means that no such credit was recorded: it is safe to send it.',
      params: schemas.referenceParams,
      replies: { 200: schemas.statusReply },
      refusals: [...SIGNATURE_REFUSALS, 'NOT_FOUND', 'REFERENCE_CONFLICT'],
      handle: async ({ caller, params }) => {
        const found = await inbound.outcome(partnerCallerOf(caller), params.reference);
        return found instanceof Refusal ? found : okReply('The credit was received.', found);
      },
    }),
  ];
}

const CREDIT_REFUSALS = [
  'INVALID_AMOUNT',
  'TOO_MANY_LOOKUPS',
  'REFERENCE_CONFLICT',
  'BENEFICIARY_NOT_FOUND',
  'CARD_NOT_ASSIGNED',
  'BENEFICIARY_BLOCKED',
  'BENEFICIARY_MISMATCH',
  'CURRENCY_MISMATCH',
  'AMOUNT_OUT_OF_RANGE',
  'COMPLIANCE_BLOCKED',
  'MAX_BALANCE_EXCEEDED',
  'PARTNER_EXPOSURE_LIMIT_EXCEEDED',
  'PROCESSING_FAILED',
] as const;

export function inboundReversalRoutes(inbound: Inbound, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'reverseInboundCredit',
      clientMethod: 'credits.reverse',
      method: 'POST',
      path: '/admin/inbound/:inbound_id/reverse',
      permission: 'inbound:reverse',
      summary: 'Reverse an inbound credit: debits the wallet and reduces what the partner owes',
      description:
        'For a credit that the partner sent by mistake. The wallet must hold the amount; the wallet of an erased customer is never debited. An approval policy may apply (202).',
      action: 'inbound.reverse',
      params: schemas.reversalParams,
      body: schemas.reversalBody,
      replies: { 200: schemas.reversalReply, 202: pendingReply },
      refusals: [
        'NOT_FOUND',
        'ARCHIVED',
        'PEP_ACCESS_REQUIRED',
        'NOT_REVERSIBLE',
        'ALREADY_REVERSED',
        'SUBSCRIBER_BLOCKED',
        'COMPLIANCE_BLOCKED',
        'INSUFFICIENT_BALANCE',
        'REQUEST_CONFLICT',
      ],
      handle: (call) => gate.pay(call, inbound.reverseOperation),
    }),
  ];
}

function okReply(message: string, data: object): Reply {
  return ok({ success: true, code: 'OK', message, data });
}

/** The stored reply, which may be a refusal. The HTTP status follows from its code. */
function storedReply(outcome: Executed): Reply {
  const { code } = JSON.parse(outcome.json) as { code: Code | 'COMPLETED' };
  const reply = executedReply(outcome);
  return code === 'COMPLETED' ? reply : { ...reply, status: CATALOGUE[code].status, refusedWith: code };
}
