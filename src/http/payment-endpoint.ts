// Shared by all payment endpoints: amount, request id, reply schema and idempotent replay.
import { Type } from 'typebox';
import { Refusal, refuse } from '../kernel/refusal.ts';
import type { Call, Endpoint, Reply } from './endpoint.ts';
import { minorUnits, textOrNull, timestamp } from './fields.ts';
import { ERROR_MESSAGE, RAW_TEXT } from './validation.ts';

/**
 * The schema accepts any number or string; invalid amounts are refused later with INVALID_AMOUNT. Numbers are passed on
 * as raw text, so that 1e3 and 100.0, which JSON parsing turns into integers, can be refused.
 */
export const amountField = (description = 'Minor units: a whole number, or a string of digits.') =>
  Type.Unsafe<string>({
    anyOf: [{ type: 'number' }, { type: 'string' }],
    description,
    examples: [12500, '12500'],
    [ERROR_MESSAGE]: 'must be a whole number or a string of digits',
    [RAW_TEXT]: 'number',
  });

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
const REQUEST_ID_RULE = 'must be 1 to 128 visible ASCII characters';

const requestId = (description: string) =>
  Type.String({ pattern: REQUEST_ID.source, description, [ERROR_MESSAGE]: REQUEST_ID_RULE });

/** The id of a request that was sent before. */
export const sentRequestIdField = () => requestId('The request_id or X-Request-ID of the request.');

/** Optional; the header X-Request-ID is an alternative. */
export const requestIdField = () => requestId('Makes retries safe. The header X-Request-ID is an alternative.');

/** For the routes of `keyRequestIdOf`. `exception`: the keys that need none. */
export const keyRequestIdField = (exception = '') =>
  requestId(`Makes retries safe. Required for API keys${exception}. The header X-Request-ID is an alternative.`);

/** Required in the body, because the signature does not cover headers. */
export const signedRequestIdField = () => requestId('Makes retries safe. Required in the body: no header replaces it.');

/** The partner's reference of a payment, used as the request id. */
export const referenceField = () =>
  Type.String({
    pattern: REQUEST_ID.source,
    description: 'Makes retries safe: requests with the same reference are executed once.',
    [ERROR_MESSAGE]: REQUEST_ID_RULE,
  });

/** Another credential that repeats a request gets no balance. */
export const balanceAfter = (description: string) =>
  Type.Optional(minorUnits(`${description} Absent if another credential sent the request.`));

/** The reply to a completed payment. */
export const paymentReply = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    transaction_id: Type.String(),
    request_id: textOrNull(),
    status: Type.Literal('COMPLETED'),
    amount: minorUnits(),
    fee: minorUnits('Fee paid by the payer, in addition to the amount.'),
    total_debited: minorUnits('Amount plus fee.'),
    currency: Type.String(),
    balance: balanceAfter('Balance of the wallet after the payment.'),
    created_at: timestamp(),
  },
  { title: 'Payment' },
);

/** From the body, else from the header. An invalid header is refused, because a retry would not be recognized. */
export function requestIdOf({ body, clientRequestId }: Call<{ request_id?: string }>): string | null | Refusal {
  const id = body.request_id ?? clientRequestId;
  if (id === null || REQUEST_ID.test(id)) return id;
  return refuse('INVALID_REQUEST', `The request_id in X-Request-ID ${REQUEST_ID_RULE}.`);
}

interface PaymentBody {
  amount: string;
  request_id?: string;
}

interface PaymentResult {
  json: string;
  replayed: boolean;
}

type ExecutePayment<Body, Params> = (
  call: Call<Body, Params>,
  body: Body,
  options: { amount: string; requestId: string | null },
) => Promise<PaymentResult | Refusal>;

/** Calls `execute` with the body, the amount and the request id, and converts its result into a reply. */
export async function pay<Body extends PaymentBody, Params>(
  call: Call<Body, Params>,
  execute: ExecutePayment<Body, Params>,
): Promise<Reply | Refusal> {
  const requestId = requestIdOf(call);
  if (requestId instanceof Refusal) return requestId;
  const outcome = await execute(call, call.body, { amount: call.body.amount, requestId });
  return outcome instanceof Refusal ? outcome : executedReply(outcome);
}

/**
 * For routes of the scopes treasury:write and payouts:write: an API key must send a request id, so that a retry cannot
 * issue the money twice. A partner's own key uses neither scope.
 */
export function keyRequestIdOf(call: Call<{ request_id?: string }>): string | null | Refusal {
  const { caller } = call;
  const requestId = requestIdOf(call);
  if (requestId !== null || caller.kind !== 'key' || caller.partnerId !== null) return requestId;
  return refuse('INVALID_REQUEST', 'request_id is required for API keys on this route.');
}

/** The reply exactly as it was stored with the payment. */
export function executedReply({ json, replayed }: PaymentResult): Reply {
  return { status: 200, body: undefined, json, ...(replayed ? { headers: { 'idempotent-replayed': 'true' } } : {}) };
}

/** Its body has an amount that moves, or a quote that says it. A compliance check has an amount too, but moves nothing. */
export function isPaymentRoute({ body, permission }: Endpoint): boolean {
  const { properties = {} } = (body ?? {}) as { properties?: object };
  // A void names no amount, and an agent's redemption a code.
  if (permission === 'cards:pay' || permission === 'agents:cashin') return true;
  if (Object.hasOwn(properties, 'quote_id')) return true;
  return Object.hasOwn(properties, 'amount') && permission !== 'compliance:check';
}
