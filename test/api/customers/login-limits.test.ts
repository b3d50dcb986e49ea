// Limits per address on customers' logins: a message costs money, and a token could be guessed at.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { post } from '../../support/customers.ts';
import { gatewayForFile } from '../../support/gateway.ts';
import { assertRefused } from '../../support/staff.ts';

const MESSAGES = 2;
const LOGINS = 4;
/** A page may be read twenty times as often as it sends a message; logins share the limit of such messages. */
const env = { PUBLIC_PAGES_PER_MINUTE: String(MESSAGES * 20), LOGINS_PER_MINUTE: String(LOGINS) };
const kissi = await gatewayForFile({ env });

async function statuses(count: number, path: string, body: unknown): Promise<number[]> {
  const replies = [];
  for (let n = 0; n < count; n += 1) replies.push((await post(kissi, path, body)).status);
  return replies;
}

test('one address causes a few messages per minute, whoever they go to', async () => {
  const numbers = Array.from({ length: MESSAGES }, (_, n) => `+2327611100${n}`);
  for (const phone_number of numbers) assert.equal((await post(kissi, '/me/login', { phone_number })).status, 202);
  const refused = await post(kissi, '/me/login', { phone_number: '+23276111999' });
  assertRefused(refused, 429, 'RATE_LIMITED');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
});

test('answers, device logins, refreshes and logouts of one address share a limit', async () => {
  const answer = { challenge: 'x', code: '000000', pin: '1234', device_name: 'Phone' };
  assert.deepEqual(await statuses(2, '/me/login/verify', answer), [401, 401]);
  assert.deepEqual(await statuses(1, '/me/login/device', { device_token: 'x', pin: '1234' }), [401]);
  assert.deepEqual(await statuses(1, '/me/refresh', { refresh_token: 'x' }), [401]);
  assertRefused(await post(kissi, '/me/logout', { refresh_token: 'x' }), 429, 'RATE_LIMITED');
  assertRefused(await post(kissi, '/me/login/verify', answer), 429, 'RATE_LIMITED');
});
