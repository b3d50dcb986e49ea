// What every body and reply that moves money has in common: the amount, the request id, the reply that is given again.
import { Type } from 'typebox';
import { Refusal, refuse } from '../kernel/refusal.ts';
import type { Call, Reply } from './endpoint.ts';
import { minorUnits, textOrNull, timestamp } from './fields.ts';
import { ERROR_MESSAGE, RAW_TEXT } from './validation.ts';

/**
 * Any number and any text have the shape of an amount; whether it is one is said later, as INVALID_AMOUNT. A number comes
 * as it was written: 1e3 and 100.0 are whole numbers once JSON is parsed, and are refused as amounts.
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
const REQUEST_ID_SAYS = 'must be 1 to 128 visible ASCII characters';

const requestId = (description: string) =>
  Type.String({ pattern: REQUEST_ID.source, description, [ERROR_MESSAGE]: REQUEST_ID_SAYS });

/** Where it may be left out, or sent as a header. */
export const requestIdField = () => requestId('Makes a retry safe. The header X-Request-ID serves as well.');

/** Where it is required, in the body: a header is not covered by the signature. */
export const signedRequestIdField = () => requestId('Makes a retry safe. It must be here: no header serves instead.');

/** A partner's own name for a payment, which serves as its request id. */
export const referenceField = () =>
  Type.String({
    pattern: REQUEST_ID.source,
    description: 'Makes a retry safe: whatever is sent again under it is carried out once.',
    [ERROR_MESSAGE]: REQUEST_ID_SAYS,
  });

/** The reply to a completed payment. */
export const paymentReply = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    transaction_id: Type.String(),
    request_id: textOrNull(),
    status: Type.Literal('COMPLETED'),
    amount: minorUnits(),
    fee: minorUnits('What the payer paid beyond the amount.'),
    total_debited: minorUnits('What left the payer.'),
    currency: Type.String(),
    balance: minorUnits('The balance of the wallet after it.'),
    created_at: timestamp(),
  },
  { title: 'Payment' },
);

/** Of the body, else of the header, else none; a header that is no id is refused, for a retry would not be recognised. */
export function requestIdOf({ body, clientRequestId }: Call<{ request_id?: string }>): string | null | Refusal {
  const id = body.request_id ?? clientRequestId;
  if (id === null || REQUEST_ID.test(id)) return id;
  return refuse('INVALID_REQUEST', `The request_id in X-Request-ID ${REQUEST_ID_SAYS}.`);
}

interface Money {
  amount: string;
  request_id?: string;
}

interface Moved {
  json: string;
  replayed: boolean;
}

type Verb<Body, Params> = (
  call: Call<Body, Params>,
  given: Body,
  terms: { amount: string; requestId: string | null },
) => Promise<Moved | Refusal>;

/** Hands the verb the body, its amount, and the id under which a retry is recognised. */
export async function pay<Body extends Money, Params>(
  call: Call<Body, Params>,
  verb: Verb<Body, Params>,
): Promise<Reply | Refusal> {
  const requestId = requestIdOf(call);
  if (requestId instanceof Refusal) return requestId;
  const outcome = await verb(call, call.body, { amount: call.body.amount, requestId });
  return outcome instanceof Refusal ? outcome : paid(outcome);
}

/** The bytes as they were made when the money moved. */
export function paid({ json, replayed }: Moved): Reply {
  return { status: 200, body: undefined, json, ...(replayed ? { headers: { 'idempotent-replayed': 'true' } } : {}) };
}
