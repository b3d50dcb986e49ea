// Tests that agents and keys do not find out by registrations who is registered, and that new sub-agents bring no more look-ups.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { agentToken, newFundedAgent, newSubAgent, registrationBody } from '../../support/agents.ts';
import { bankForFile } from '../../support/money.ts';
import { apiKey, assertRefused } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
let numbers = 77_310_000;
const freePhone = () => `+232${numbers++}`;
const register = (phone_number: string, token: string) => {
  const body = { phone_number, first_name: 'Sia', last_name: 'Kamara', pin: '2580' };
  return kissi.call('POST', '/api/v1/subscribers', { body, token });
};
const wallets = (count: number) => Promise.all(Array.from({ length: count }, () => bank.wallet()));
const find = (phone: string, token: string) =>
  kissi.call('GET', `/api/v1/subscribers?phone_number=${encodeURIComponent(phone)}`, { token });

describe('numbers that are taken', () => {
  test('count for an agent; after 20 in an hour nobody is registered, taken or not, and the search goes on', async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const token = await agentToken(kissi, agent);
    const taken = await wallets(21);
    for (const { phone } of taken.slice(0, 20)) {
      for (const _ of ['first', 'again']) assertRefused(await register(phone, token), 409, 'DUPLICATE_PHONE');
    }
    assert.equal((await register(freePhone(), token)).status, 201);
    const [last] = taken.slice(20);
    const free = freePhone();
    for (const phone of [String(last?.phone), free]) {
      assertRefused(await register(phone, token), 429, 'TOO_MANY_LOOKUPS', phone);
    }
    assert.equal((await find(String(last?.phone), token)).status, 200);
    const { rows } = await kissi.db.query('select 1 from subscribers where phone_number = $1', [free]);
    assert.deepEqual(rows, []);
    kissi.clock.advance(HOUR_MS);
    assert.equal((await register(free, await agentToken(kissi, agent))).status, 201);
  });

  test('count for a key; after 100 in 15 minutes they get 429, and free ones are still registered', async () => {
    const { key } = await apiKey(kissi, ['subscribers:write']);
    for (let n = 0; n < 10; n++) {
      for (const { phone } of await wallets(10)) assertRefused(await register(phone, key), 409, 'DUPLICATE_PHONE');
    }
    const { phone } = await bank.wallet();
    const refused = assertRefused(await register(phone, key), 429, 'TOO_MANY_LOOKUPS');
    assert.equal(refused.headers.get('retry-after'), String((15 * MINUTE_MS) / 1_000));
    assert.equal((await register(freePhone(), key)).status, 201);
    const staff = await kissi.adminToken();
    for (let n = 0; n < 3; n++) assertRefused(await register(phone, staff), 409, 'DUPLICATE_PHONE', 'staff');
  });

  test('and e-mails count for a super-agent that registers sub-agents', async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const token = await agentToken(kissi, agent);
    const sub = (fields: object) => {
      const body = registrationBody({ agent_type: 'sub_agent', parent_agent_id: agent.id, ...fields });
      return kissi.call('POST', '/api/v1/agents', { body, token });
    };
    const { phone, email } = await newFundedAgent(kissi, 1_000);
    for (let n = 0; n < 20; n++) {
      const isPhone = n % 2 === 0;
      const reply = await sub(isPhone ? { phone_number: phone } : { email });
      assertRefused(reply, 409, isPhone ? 'DUPLICATE_PHONE' : 'DUPLICATE_EMAIL');
    }
    for (const fields of [{ email }, { phone_number: phone }, {}]) {
      assertRefused(await sub(fields), 429, 'TOO_MANY_LOOKUPS');
    }
  });
});

test('a sub-agent shares the places of its super-agent on its first day, and has its own afterwards', async () => {
  const agent = await newFundedAgent(kissi, 1_000);
  const token = await agentToken(kissi, agent);
  const sub = await newSubAgent(kissi, agent);
  const subToken = await agentToken(kissi, sub);
  const customers = await wallets(62);
  for (const [n, { phone }] of customers.slice(0, 60).entries()) {
    assert.equal((await find(phone, n % 2 ? token : subToken)).status, 200);
  }
  for (const [n, { phone }] of customers.slice(60).entries()) {
    assertRefused(await find(phone, n % 2 ? token : subToken), 429, 'TOO_MANY_LOOKUPS');
  }
  kissi.clock.advance(DAY_MS);
  const later = await agentToken(kissi, agent);
  const subLater = await agentToken(kissi, sub);
  for (const { phone } of customers.slice(0, 60)) assert.equal((await find(phone, later)).status, 200);
  const [, last] = customers.slice(60);
  assertRefused(await find(String(last?.phone), later), 429, 'TOO_MANY_LOOKUPS');
  assert.equal((await find(String(last?.phone), subLater)).status, 200);
});
