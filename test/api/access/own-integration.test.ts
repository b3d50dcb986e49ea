// The keys of merchants and partners read, by signature, their own transactions, request log and webhook deliveries.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SECOND_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { merchantToken, newMerchant } from '../../support/processors.ts';
import { apiKey, assertRefused, runChore, type TestKey } from '../../support/staff.ts';
import { sendSigned, signatureHeaders, TERMINAL_SCOPES, terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const wallet = await bank.wallet(1_000_000);
const card = await bank.card(wallet);
async function newShop() {
  const merchant = await newMerchant(kissi);
  return terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id } });
}

const [shop, other] = [await newShop(), await newShop()];
const reading = { processor_id: shop.merchant.id };
const [reader, foreign] = [
  await apiKey(kissi, ['payments:read'], reading),
  await apiKey(kissi, ['payments:read'], { processor_id: other.merchant.id }),
];

/** The clock advances, so that each call has the allowance of a new second. */
function readSigned(key: TestKey, path: string): Promise<CallReply> {
  kissi.clock.advance(SECOND_MS);
  const at = new Date(kissi.clock.now()).toISOString();
  const headers = signatureHeaders(key, { method: 'GET', path: `/api/v1${path}`, at, body: '' });
  return kissi.call('GET', `/api/v1${path}`, { headers });
}

async function read(key: TestKey, path: string): Promise<Json> {
  return assertStatus(await readSigned(key, path), 200).json;
}

const logOf = async (key: TestKey, query = ''): Promise<Json> => {
  await runChore(kissi, 'write the request log');
  return read(key, `/request-log${query}`);
};

test("a processor's key signs the list of its processor's transactions, and no other's", async () => {
  const paid = assertStatus(await shop.pay(card, { amount: 2_000 }), 200);
  const path = (id: string) => `/processors/${id}/transactions`;
  const { transactions, totals } = await read(reader, path(shop.merchant.id));
  assert.deepEqual(
    transactions.map(({ transaction_id }: Json) => transaction_id),
    [paid.json.transaction_id],
  );
  const token = await merchantToken(kissi, shop.merchant);
  const asLogin = await kissi.call('GET', `/api/v1${path(shop.merchant.id)}`, { token });
  assert.deepEqual(totals, asLogin.json.totals);
  assertRefused(await readSigned(reader, path(other.merchant.id)), 403, 'FORBIDDEN');
  assertRefused(await readSigned(foreign, path(shop.merchant.id)), 403, 'FORBIDDEN');
  assertRefused(
    await readSigned({ ...reader, secret: foreign.secret }, path(shop.merchant.id)),
    401,
    'INVALID_SIGNATURE',
  );
  assertRefused(await readSigned(shop.key, path(shop.merchant.id)), 403, 'FORBIDDEN');
});

describe('the request log', () => {
  test("shows a processor's login the requests of its own keys, also about a PEP, and of no other's", async () => {
    const payer = await bank.wallet(1_000_000);
    const payment = await shop.pay(await bank.card(payer), { amount: 1_600 });
    await runChore(kissi, 'write the request log');
    await markPep(kissi, payer.id);
    const token = await merchantToken(kissi, shop.merchant);
    const list = (query: string) => kissi.call('GET', `/api/v1/request-log${query}`, { token });
    const { requests } = assertStatus(await list(`?key_id=${shop.key.id}`), 200).json;
    assert.equal(requests[0].request_id, payment.headers.get('x-request-id'));
    assert.ok(!JSON.stringify(requests).includes(payer.id));
    assertRefused(await list(''), 400, 'INVALID_REQUEST');
    for (const id of [other.key.id, 'no-such-key']) assertRefused(await list(`?key_id=${id}`), 404, 'NOT_FOUND');
  });

  test("shows a key its own requests and those of its owner's other keys, with the reasons of refusals", async () => {
    const paid = await shop.pay(card, { amount: 1_500 });
    assertStatus(await sendSigned(kissi, '/api/v1/pos/payment', {}, { key: { ...shop.key, secret: 'wrong' } }), 401);
    const { requests, total_count } = await logOf(reader, `?key_id=${shop.key.id}`);
    assert.ok(total_count >= 2);
    const [failed, made] = requests;
    assert.deepEqual([failed.code, failed.authenticated], ['INVALID_SIGNATURE', false]);
    assert.ok(failed.reason);
    assert.equal(made.request_id, paid.headers.get('x-request-id'));
    const own = await logOf(reader);
    assert.ok(own.requests.length > 0);
    assert.ok(own.requests.every(({ path }: Json) => /processors|request-log/.test(path)));
    await readSigned(reader, `/processors/${other.merchant.id}/transactions`);
    const [forbidden] = (await logOf(reader, '?status=4xx')).requests;
    assert.equal(forbidden.code, 'FORBIDDEN');
    const followed = await logOf(reader, `?newer_than=${own.cursor}`);
    assert.ok(followed.requests.every(({ id }: Json) => Number(id) > Number(own.cursor)));
  });

  test('shows no key of another owner: it does not exist for the reader', async () => {
    const operator = await apiKey(kissi, ['payments:read']);
    const { key: partnerKey } = await testBank(kissi);
    for (const { id } of [foreign, other.key, operator, partnerKey, { id: 'key_none' }]) {
      assertRefused(await readSigned(reader, `/request-log?key_id=${id}`), 404, 'NOT_FOUND', id);
    }
    assertRefused(await readSigned(partnerKey, `/request-log?key_id=${shop.key.id}`), 404, 'NOT_FOUND');
    assertRefused(await readSigned(operator, '/request-log'), 403, 'FORBIDDEN');
  });

  test('shows the merchant a payment of a politically exposed person like any other', async () => {
    const holder = await bank.wallet(10_000);
    const serial = await bank.card(holder);
    await markPep(kissi, holder.id);
    const paid = assertStatus(await shop.pay(serial, { amount: 1_100 }), 200);
    const [newest] = (await logOf(reader, `?key_id=${shop.key.id}`)).requests;
    assert.equal(newest.request_id, paid.headers.get('x-request-id'));
    assert.ok(!JSON.stringify(newest).includes(holder.id));
  });

  test('needs key_id of an administrator, who has no key', async () => {
    const token = await kissi.adminToken();
    assertRefused(await kissi.call('GET', '/api/v1/request-log', { token }), 400, 'INVALID_REQUEST');
    assertStatus(await kissi.call('GET', `/api/v1/request-log?key_id=${reader.id}`, { token }), 200);
  });
});

describe('webhook deliveries', () => {
  test('are shown to the keys of their partner only', async () => {
    const hook = { webhook_url: 'https://hooks.bank.example/kissi' };
    const [mine, theirs] = [await testBank(kissi, hook), await testBank(kissi, hook)];
    const credit = async (from: typeof mine) => {
      const reference = newReference();
      assertStatus(await from.credit({ reference, amount: 700, msisdn: wallet.phone }), 200);
      return reference;
    };
    const [first, second, others] = [await credit(mine), await credit(mine), await credit(theirs)];
    const listed = await read(mine.key, '/webhook-deliveries');
    assert.deepEqual(
      listed.deliveries.map(({ reference }: Json) => reference),
      [second, first],
    );
    const [{ id }] = listed.deliveries;
    assert.equal((await read(mine.key, `/webhook-deliveries/${id}`)).delivery.reference, second);
    assert.deepEqual((await read(mine.key, `/webhook-deliveries?reference=${others}`)).deliveries, []);
    assertRefused(await readSigned(theirs.key, `/webhook-deliveries/${id}`), 404, 'NOT_FOUND');
    assertRefused(await readSigned(reader, `/webhook-deliveries/${id}`), 404, 'NOT_FOUND');
    const none = await read(reader, '/webhook-deliveries');
    assert.deepEqual([none.deliveries, none.total_count], [[], 0]);
    const cannotRead = await apiKey(kissi, TERMINAL_SCOPES, reading);
    assertRefused(await readSigned(cannotRead, '/webhook-deliveries'), 403, 'FORBIDDEN');
  });
});
