// Requests to card payments that can succeed: an authorisation for each operation, and a payment to refund, prepared through the API.
import { encryptedPin, terminal } from '@kissi/testkit/signing';
import { assertStatus } from '../support/gateway.ts';
import type { TestKey } from '../support/staff.ts';
import type { Host, PreparedRequest } from './world.ts';

export interface CardPayer {
  key: Pick<TestKey, 'id' | 'secret'>;
  merchant: { id: string; merchantId: string };
  card: string;
  pin: string;
}

const OPERATIONS = ['pos/payment', 'payment'].flatMap((place) =>
  ['capture', 'void'].map((what) => `POST /api/v1/${place}/{transaction_id}/${what}`),
);
let requests = 0;

/** By the operation's name. An authorisation ends once, so they are prepared again periodically. */
export async function prepareAuthorizations(host: Host, payer: CardPayer): Promise<[string, PreparedRequest][]> {
  const names = [...OPERATIONS, 'GET /api/v1/holds/{id}'];
  const transaction_id = await pay(host, payer, true);
  const refund = () => ({ transaction_id, amount: 1, request_id: `hostile-${++requests}` });
  const ends = names.map(async (name): Promise<[string, PreparedRequest]> => {
    const pathValue = await pay(host, payer, false);
    const fields = () => (name.startsWith('GET') ? {} : { request_id: `hostile-${++requests}` });
    return [name, { pathValue, fields }];
  });
  return [
    ['POST /api/v1/processors/{id}/refunds', { pathValue: payer.merchant.id, fields: refund }],
    ...(await Promise.all(ends)),
  ];
}

async function pay(host: Host, { key, merchant, card, pin }: CardPayer, capture: boolean): Promise<string> {
  const path = '/api/v1/pos/payment';
  const encrypted_pin = encryptedPin(key.secret, { pin, card_serial: card });
  const parties = {
    merchant_id: merchant.merchantId,
    processor_id: merchant.id,
    card_serial: card,
    terminal_id: 'T-1',
  };
  const body = { request_id: `hostile-${++requests}`, ...parties, amount: 700, encrypted_pin, capture };
  const raw = JSON.stringify(body);
  const headers = terminal(key)(path, raw, host.now());
  return assertStatus(await host.call('POST', path, { raw, headers }), 200).json.transaction_id;
}
