// Tests that a processor's key cannot find cards and accounts by trying serials and numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { bankForFile } from '../support/money.ts';
import { assertRefused, newMerchant } from '../support/processors.ts';
import { apiKey, type TestKey } from '../support/staff.ts';
import { sendSigned } from '../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const customer = await bank.wallet(1_000);
const card = await bank.card(customer);
const LIMIT = 100;

async function keyOfNewMerchant(extra: object = {}): Promise<TestKey & { processorId: string }> {
  const { id } = await newMerchant(kissi);
  return {
    ...(await apiKey(kissi, ['payments:write', 'cards:read'], { processor_id: id, ...extra })),
    processorId: id,
  };
}

const check = (key: TestKey, path: string, body: object, gateway: TestGateway = kissi) =>
  sendSigned(gateway, `/api/v1${path}`, body, { key });
const verify = (key: TestKey, serial = card, gateway = kissi) =>
  check(key, '/pos/verify-card', { card_serial: serial }, gateway);

/** Look-ups that find nothing, on every route in turn. */
async function guess(key: TestKey, count: number): Promise<number[]> {
  const guesses = Array.from({ length: count }, (_, n) => {
    const kinds = [
      () => verify(key, `GUESS-${n}`),
      () => check(key, '/payment/lookup-card', { card_serial: `GUESS-${n}` }),
      () => check(key, '/pos/verify-account', { phone_number: `+2327${String(9_000_000 + n)}` }),
    ];
    return kinds[n % kinds.length] as (typeof kinds)[number];
  });
  const statuses: number[] = [];
  for (const attempt of guesses) statuses.push((await attempt()).status);
  return statuses;
}

test("a processor's key gets 429 on every look-up after 100 misses in 15 minutes, with any of its keys", async () => {
  const key = await keyOfNewMerchant();
  assert.deepEqual([...new Set(await guess(key, LIMIT))].sort(), [200, 404]);
  assert.equal((await verify(key)).json.valid, true, 'a card that is presented can still be verified');
  assertRefused(await verify(key, 'GUESS-LAST'), 429, 'TOO_MANY_ATTEMPTS');
  const second = await apiKey(kissi, ['payments:write', 'cards:read'], { processor_id: key.processorId });
  for (const each of [key, second]) {
    const refused = await verify(each);
    assertRefused(refused, 429, 'TOO_MANY_ATTEMPTS');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assertRefused(await check(each, '/pos/lookup-card', { card_serial: card }), 429, 'TOO_MANY_ATTEMPTS');
    assertRefused(await check(each, '/pos/verify-account', { phone_number: customer.phone }), 429, 'TOO_MANY_ATTEMPTS');
  }
  kissi.clock.advance(15 * MINUTE_MS);
  assert.equal((await verify(key)).json.valid, true);
});

test('misses are counted over all gateways, and hits do not count', async () => {
  const key = await keyOfNewMerchant();
  const other = await testGateway({ db: kissi.db, clock: kissi.clock });
  try {
    for (let n = 0; n < 5; n++) assert.equal((await verify(key)).status, 200);
    await guess(key, LIMIT);
    assertRefused(await verify(key, 'GUESS-ELSEWHERE', other), 429, 'TOO_MANY_ATTEMPTS');
    assertRefused(await verify(key, card, other), 429, 'TOO_MANY_ATTEMPTS');
  } finally {
    await other.close();
  }
});

test("another processor and the operator's key are not affected", async () => {
  const [guessing, innocent] = [await keyOfNewMerchant(), await keyOfNewMerchant()];
  await guess(guessing, LIMIT + 1);
  assertRefused(await verify(guessing), 429, 'TOO_MANY_ATTEMPTS');
  assert.equal((await verify(innocent)).status, 200);
  const operator = await apiKey(kissi, ['payments:write', 'cards:read']);
  await guess(operator, LIMIT + 1);
  assert.equal((await verify(operator)).status, 200);
});
