// Tests that a partner's key cannot find customers by trying numbers, and that credits are never limited by it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { testGateway } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile } from '../../support/money.ts';
import { PARTNER_SCOPES, partnerHeaders } from '../../support/partner.ts';

const { kissi, bank: operator } = await bankForFile();
const customer = await operator.wallet(1_000);
const MISSES = 200;

async function partner() {
  const bank = await testBank(kissi, {}, PARTNER_SCOPES);
  const path = '/api/v1/partner/account-status';
  const status = (body: object, gateway = kissi) => {
    const raw = JSON.stringify(body);
    const signed = { method: 'POST', path, at: new Date(kissi.clock.now()).toISOString(), body: raw };
    return gateway.call('POST', path, { raw, headers: partnerHeaders(bank.key, bank.partnerId, signed) });
  };
  /** Alternates between the two routes. */
  async function miss(count: number) {
    for (let n = 0; n < count; n++) {
      const number = `+2327${8_000_000 + n}`;
      const reply = await (n % 2 ? bank.enquire({ msisdn: number }) : status({ phone_number: number }));
      assert.equal(reply.status, n % 2 ? 404 : 200, reply.text);
    }
  }
  return { ...bank, accountStatus: status, miss };
}

test('more than 200 misses in 15 minutes are 429 on both routes and all gateways, and credits go on', async () => {
  const bank = await partner();
  const other = await testGateway({ db: kissi.db, clock: kissi.clock });
  try {
    await bank.miss(MISSES);
    assert.equal((await bank.enquire({ msisdn: customer.phone })).status, 200);
    const refused = await bank.enquire({ msisdn: '+23278999999' });
    assert.deepEqual([refused.status, refused.json.code], [429, 'TOO_MANY_LOOKUPS'], refused.text);
    assert.equal(refused.headers.get('retry-after'), '900');
    for (const gateway of [kissi, other]) {
      const missed = await bank.accountStatus({ phone_number: '+23278999998' }, gateway);
      assert.deepEqual([missed.status, missed.json.code], [429, 'TOO_MANY_LOOKUPS'], missed.text);
      const found = await bank.enquire({ msisdn: customer.phone }, { gateway });
      assert.deepEqual([found.status, found.json.code], [429, 'TOO_MANY_LOOKUPS'], found.text);
    }
    const credit = { reference: newReference(), msisdn: customer.phone, amount: 100, currency: 'SLE' };
    assert.equal((await bank.credit(credit)).status, 200);
    assert.equal(await operator.balance(customer.id), 1_100);
    assert.equal((await (await partner()).enquire({ msisdn: customer.phone })).status, 200, 'others are not affected');
    kissi.clock.advance(15 * MINUTE_MS);
    assert.equal((await bank.enquire({ msisdn: customer.phone })).status, 200);
  } finally {
    await other.close();
  }
});

test('misses that are less than 30 % of the enquiries are not limited', async () => {
  const bank = await partner();
  // 475 of 676: the 201st miss is 29.7 %. Each customer counts once.
  for (let n = 0; n < 95; n++) {
    const customers = await Promise.all(Array.from({ length: 5 }, () => operator.wallet()));
    for (const { phone } of customers)
      assert.equal((await bank.accountStatus({ phone_number: phone })).json.exists, true);
  }
  await bank.miss(MISSES + 1);
  // Further misses raise the part above 30 %.
  const statuses: number[] = [];
  for (let n = 0; n < 6; n++) statuses.push((await bank.enquire({ msisdn: `+2327899${1_000 + n}` })).status);
  assert.deepEqual([...new Set(statuses)], [404, 429]);
});

test('a customer who is found again does not make the misses a smaller part', async () => {
  const bank = await partner();
  for (let n = 0; n < 500; n++) assert.equal((await bank.enquire({ msisdn: customer.phone })).status, 200);
  await bank.miss(MISSES);
  const refused = await bank.enquire({ msisdn: '+23278999997' });
  assert.deepEqual([refused.status, refused.json.code], [429, 'TOO_MANY_LOOKUPS'], refused.text);
});
