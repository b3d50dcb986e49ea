// Limits per address on customers' logins: a message costs money, and a mobile operator's customers share an address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { post } from '../../support/customers.ts';
import { bankForFile } from '../../support/money.ts';
import { assertRefused, messageTo } from '../../support/staff.ts';

const CODES = 3;
const LOGINS = 8;
const { kissi, bank } = await bankForFile({
  env: { CUSTOMER_LOGINS_PER_MINUTE: String(LOGINS), CUSTOMER_CODES_PER_MINUTE: String(CODES) },
});
const wallet = await bank.wallet();

test('beyond the codes of one address in a minute a challenge has no code; the reply is the same', async () => {
  const begin = (phone_number: string) => post(kissi, '/me/login', { phone_number });
  for (let n = 0; n < CODES; n += 1) {
    assert.equal((await begin(`+2327611${String(n).padStart(4, '0')}`)).status, 202);
  }
  const { status, json } = await begin(wallet.phone);
  assert.deepEqual([status, Object.keys(json)], [202, ['success', 'message', 'challenge', 'expires_in']]);
  assert.equal(await messageTo(kissi, wallet.phone), undefined);
  kissi.clock.advance(MINUTE_MS);
  await begin(wallet.phone);
  assert.equal((await messageTo(kissi, wallet.phone))?.kind, 'login_code');
});

test('all logins of customers at one address share a limit, which leaves the logins of staff alone', async () => {
  let refused = await post(kissi, '/me/logout', { refresh_token: 'x' });
  for (let n = 0; n < LOGINS && refused.status !== 429; n += 1) {
    refused = await post(kissi, '/me/login/device', { device_token: 'x', pin: '1234' });
  }
  assertRefused(refused, 429, 'RATE_LIMITED');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const staff = await post(kissi, '/admin/login', { email: 'nobody@example.com', password: 'wrong' });
  assert.equal(staff.status, 401);
});
