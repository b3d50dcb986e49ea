// What every body and reply that moves money has in common: the amount, the request id, the reply that is given again.
import { Type } from 'typebox';
import { amountAsWritten } from '../kernel/money.ts';
import { Refusal, refuse } from '../kernel/refusal.ts';
import type { Call, Reply } from './endpoint.ts';
import { SAYS } from './validation.ts';

/** Any number and any text have the shape of an amount; whether it is one is said later, as INVALID_AMOUNT. */
export const amountField = () =>
  Type.Union([Type.Number(), Type.String()], {
    description: 'Minor units: a whole number, or a string of digits.',
    examples: [12500, '12500'],
    [SAYS]: 'must be a whole number or a string of digits',
  });

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
const REQUEST_ID_SAYS = 'must be 1 to 128 visible ASCII characters';

export const requestIdField = () =>
  Type.String({
    pattern: REQUEST_ID.source,
    description: 'Makes a retry safe. The header X-Request-ID serves as well.',
    [SAYS]: REQUEST_ID_SAYS,
  });

/** A partner's own name for a payment, which serves as its request id. */
export const referenceField = () =>
  Type.String({
    pattern: REQUEST_ID.source,
    description: 'Makes a retry safe: whatever is sent again under it is carried out once.',
    [SAYS]: REQUEST_ID_SAYS,
  });

/** Of the body, else of the header, else none; a header that is no id is refused, for a retry would not be recognised. */
export function requestIdOf({ body, clientRequestId }: Call<{ request_id?: string }>): string | null | Refusal {
  const id = body.request_id ?? clientRequestId;
  if (id === null || REQUEST_ID.test(id)) return id;
  return refuse('INVALID_REQUEST', `The request_id in X-Request-ID ${REQUEST_ID_SAYS}.`);
}

export function amountOf({ body, rawBody }: Call<{ amount: number | string }>): number | string {
  return amountAsWritten(rawBody.toString('utf8'), body.amount);
}

interface Money {
  amount: number | string;
  request_id?: string;
}

interface Moved {
  json: string;
  replayed: boolean;
}

type Verb<Body, Params> = (
  call: Call<Body, Params>,
  given: Body,
  terms: { amount: number | string; requestId: string | null },
) => Promise<Moved | Refusal>;

/** Hands the verb a body whose amount is read as it was written, and the id under which a retry is recognised. */
export async function pay<Body extends Money, Params>(
  call: Call<Body, Params>,
  verb: Verb<Body, Params>,
): Promise<Reply | Refusal> {
  const requestId = requestIdOf(call);
  if (requestId instanceof Refusal) return requestId;
  const outcome = await verb(call, call.body, { amount: amountOf(call), requestId });
  return outcome instanceof Refusal ? outcome : paid(outcome);
}

/** The bytes as they were made when the money moved. */
export function paid({ json, replayed }: Moved): Reply {
  return { status: 200, body: undefined, json, ...(replayed ? { headers: { 'idempotent-replayed': 'true' } } : {}) };
}
