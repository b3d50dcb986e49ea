// Tests a processor's takings by hour and day: exact sums without gaps, and who may see them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { insertHistory } from '../../support/history.ts';
import { bankForFile, newFundingId } from '../../support/money.ts';
import { assertRefused, directPayments, type Merchant, merchantToken, newMerchant } from '../../support/processors.ts';
import { apiKey, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({
  brokenRules: ['refund_without_payment', 'row_unsealed', 'daily_use_differs'],
});
const payments = directPayments(kissi, bank);
const customer = await bank.wallet(40_000_000);
// Nothing here depends on the hour at which the file runs.
kissi.clock.advance(DAY_MS - (kissi.clock.now() % DAY_MS));

const path = ({ id }: Pick<Merchant, 'id'>, query = '') => `/api/v1/processors/${id}/takings${query}`;
const get = async (address: string) => kissi.call('GET', address, { token: await kissi.adminToken() });
const takingsOf = async (merchant: Merchant, query = ''): Promise<Json> =>
  assertStatus(await get(path(merchant, query)), 200).json;
const sum = (rows: Json[], field: string) => rows.reduce((total, row) => total + row[field], 0);

const NONE = { received: 0, received_count: 0, refunded: 0, refunded_count: 0, fees: 0, commissions: 0, net: 0 };
const iso = (at: number) => new Date(at).toISOString();

test('each payment is in the hour and the day in which it was made', async () => {
  const merchant = await newMerchant(kissi);
  const midnight = kissi.clock.now();
  await payments.pay(customer, merchant, 10_000);
  kissi.clock.advance(HOUR_MS - 1);
  await payments.pay(customer, merchant, 20_000);
  kissi.clock.advance(1);
  await payments.refund(merchant, customer, 2_500);
  kissi.clock.advance(DAY_MS);
  await payments.pay(customer, merchant, 5_000);
  // Neither is a taking.
  const other = await newMerchant(kissi);
  const body = { to_processor_id: other.id, amount: 700, request_id: newFundingId() };
  const token = await kissi.adminToken();
  assertStatus(await kissi.call('POST', `/api/v1/processors/${merchant.id}/transfer`, { body, token }), 200);

  const first = { ...NONE, received: 30_000, received_count: 2, fees: 300, net: 29_700 };
  const refund = { ...NONE, refunded: 2_500, refunded_count: 1, net: -2_500 };
  const day = iso(midnight).slice(0, 10);
  const hours = await takingsOf(merchant, `?by=hour&from=${day}&to=${day}`);
  assert.deepEqual([hours.by, hours.from, hours.to], ['hour', iso(midnight), iso(midnight + DAY_MS)]);
  assert.equal(hours.takings.length, 24);
  assert.deepEqual(hours.takings.slice(0, 3), [
    { at: iso(midnight), ...first },
    { at: iso(midnight + HOUR_MS), ...refund },
    { at: iso(midnight + 2 * HOUR_MS), ...NONE },
  ]);
  const days = await takingsOf(merchant);
  assert.deepEqual([days.by, days.takings.length, days.to], ['day', 30, iso(midnight + 2 * DAY_MS)]);
  const both = { ...first, refunded: 2_500, refunded_count: 1, net: 27_200 };
  const today = { ...NONE, received: 5_000, received_count: 1, fees: 50, net: 4_950 };
  assert.deepEqual(days.takings.slice(-2), [
    { at: iso(midnight), ...both },
    { at: iso(midnight + DAY_MS), ...today },
  ]);
  const usual = await takingsOf(merchant, '?by=hour');
  assert.deepEqual([usual.takings.length, usual.takings.at(-1).received], [24, 5_000]);
  assert.deepEqual((await takingsOf(other)).takings.at(-1).received, 0);
});

test('thousands of payments add up to the totals of the history', async () => {
  const merchant = await newMerchant(kissi);
  await insertHistory(kissi.db.url, {
    accountId: merchant.id,
    postings: 6_000,
    type: `case when n % 3 = 0 then 'pos_refund' else 'pos_payment' end`,
    everyMs: 300_000,
  });
  const period = '?from=2026-01-01&to=2026-01-31';
  const { takings } = await takingsOf(merchant, period);
  const history = await get(path(merchant, period).replace('takings', 'transactions'));
  const { received, received_count, refunded, net } = history.json.totals;
  assert.deepEqual(
    ['received', 'received_count', 'refunded', 'net'].map((field) => sum(takings, field)),
    [received, received_count, refunded, net],
  );
  assert.deepEqual([takings.length, takings[1].received_count + takings[1].refunded_count], [31, 288]);
});

test('a period has at most 48 hours or 31 days', async () => {
  const merchant = await newMerchant(kissi);
  const status = async (query: string) => (await get(path(merchant, query))).status;
  assert.equal(await status('?by=hour&from=2026-01-01&to=2026-01-02'), 200);
  assert.equal(await status('?from=2026-01-01&to=2026-01-31'), 200);
  for (const query of [
    '?by=hour&from=2026-01-01&to=2026-01-03',
    '?from=2026-01-01&to=2026-02-01',
    '?from=2020-01-01',
    '?from=2026-01-02&to=2026-01-01',
    '?by=week',
    '?from=yesterday',
  ]) {
    assert.equal(await status(query), 400, query);
  }
});

test('a processor sees its own takings, staff see them of all, and nobody else does', async () => {
  const [own, foreign] = [await newMerchant(kissi), await newMerchant(kissi)];
  await payments.pay(customer, own, 3_000);
  const key = await apiKey(kissi, ['payments:read'], { processor_id: own.id });
  for (const credential of [await merchantToken(kissi, own), key.key]) {
    const reply = await kissi.call('GET', path(own), { token: credential });
    assert.equal(reply.json.takings.at(-1).received, 3_000);
    assertRefused(await kissi.call('GET', path(foreign), { token: credential }), 403, 'FORBIDDEN');
    assertRefused(await kissi.call('GET', path({ id: 'proc_x' }), { token: credential }), 404, 'NOT_FOUND');
  }
  const support = await staffToken(kissi, 'support_user');
  assert.equal((await kissi.call('GET', path(own), { token: support })).json.takings.at(-1).received, 3_000);
  const sales = await staffToken(kissi, 'sales_user');
  assertRefused(await kissi.call('GET', path(own), { token: sales }), 403, 'FORBIDDEN');
});
