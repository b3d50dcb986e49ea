// Requests to payment requests that can succeed: one to read and one for each way to end it, prepared through the API.
import { assertStatus } from '../support/gateway.ts';
import type { Host, PreparedRequest } from './world.ts';

export interface RequestParties {
  token: string;
  merchantId: string;
  /** Pays and declines. */
  payer: { id: string; pin: string };
  /** Asks as a customer. */
  payeeId: string;
}

const ROUTE = '/api/v1/payment-requests';
const LAB = '/api/v1/admin/lab/payment-requests';
let requests = 0;
const newId = () => `hostile-ask-${++requests}`;

/** By the operation's name. A request ends once, so they are prepared again periodically. */
export async function preparePaymentRequests(
  { call }: Host,
  { token, merchantId, payer, payeeId }: RequestParties,
): Promise<[string, PreparedRequest][]> {
  const asked = () => ({ amount: 300, description: 'Hostile', request_id: newId() });
  const body = { processor_id: merchantId, ...asked(), single_use: false, request_id: undefined };
  const asking = async () => assertStatus(await call('POST', ROUTE, { token, body }), 201).json.payment_request;
  const ask = async () => (await asking()).id as string;
  const link = async () => (await asking()).url.split('/').at(-1) as string;
  const hosts = { return_hosts: ['shop.example.com'] };
  const nothing = () => ({});
  return [
    [`POST ${ROUTE}`, { bearer: token, fields: () => ({ ...asked(), processor_id: merchantId }) }],
    [`GET ${ROUTE}/{id}`, { bearer: token, pathValue: await ask(), fields: nothing }],
    [`POST ${ROUTE}/{id}/cancel`, { bearer: token, pathValue: await ask(), fields: nothing }],
    [`POST /api/v1/processors/{id}/return-hosts`, { bearer: token, pathValue: merchantId, fields: () => hosts }],
    ['GET /pay/{token}', { bearer: token, pathValue: await link(), fields: nothing }],
    [
      'POST /pay/{token}/notify',
      { bearer: token, pathValue: await link(), fields: () => ({ phone_number: '+23276000001' }) },
    ],
    // A customer makes ten a day.
    [`POST ${LAB}`, { bearer: token, fields: () => ({ ...asked(), subscriber_id: payeeId }) }],
    [
      `POST ${LAB}/{id}/confirm`,
      {
        bearer: token,
        pathValue: await ask(),
        fields: () => ({ payer_id: payer.id, pin: payer.pin, amount: 300, request_id: newId() }),
      },
    ],
    [`POST ${LAB}/{id}/decline`, { bearer: token, pathValue: await ask(), fields: () => ({ payer_id: payer.id }) }],
  ];
}
