// Logging in by telephone number: for agents' and processors' users, and with nothing learnt by those who guess.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused, newAgent, newSubAgent } from '../support/agents.ts';
import { gatewayForFile } from '../support/gateway.ts';
import { messageTo, newMerchant } from '../support/processors.ts';
import { auditLogs, login, PASSWORD, staffMember } from '../support/staff.ts';

const WRONG = 'Wrong-Password-1';

const kissi = await gatewayForFile();

const local = (phone: string) => `0${phone.slice(4, 6)} ${phone.slice(6, 9)}-${phone.slice(9)}`;
const byPhone = (phone: string, password: string) => login(kissi, { email: phone, password });
const passwordOf = async (phone: string) =>
  /^Temporary password: (.+)$/m.exec((await messageTo(kissi, phone)).text)?.[1] ?? '';

describe('a telephone number as login name', () => {
  test('lets an agent in, in any form of the number, and is the same user', async () => {
    const boss = await newAgent(kissi);
    for (const agent of [boss, await newSubAgent(kissi, boss)]) {
      for (const name of [agent.phone, local(agent.phone), ` ${agent.phone} `.trim(), agent.email]) {
        const reply = await byPhone(name, agent.password);
        assert.equal(reply.status, 200, `${name} ${reply.text}`);
        const me = await kissi.call('GET', '/api/v1/admin/me', { token: reply.json.token });
        assert.equal(me.json.id, agent.userId);
      }
    }
    const { text } = await messageTo(kissi, boss.phone);
    assert.match(text, /or this phone number/);
  });

  test('lets a processor’s user in', async () => {
    const merchant = await newMerchant(kissi);
    assert.equal((await byPhone(local(merchant.phone), await passwordOf(merchant.phone))).status, 200);
  });

  test('is not for the house’s own staff, who have an email', async () => {
    const staff = await staffMember(kissi, 'support_user', { phone_number: '076 555 001' });
    const agentless = await staffMember(kissi, 'super_agent', { phone_number: '076 555 002' });
    assertRefused(await byPhone('076 555 001', staff.password), 401, 'UNAUTHORIZED');
    assertRefused(await byPhone('076 555 002', agentless.password), 401, 'UNAUTHORIZED');
    // Nor does staff with the same number stand in an agent's way.
    const agent = await newAgent(kissi, { phone_number: '+23276555001' });
    assert.equal((await byPhone('076 555 001', agent.password)).status, 200);
    assertRefused(await byPhone('076 555 001', PASSWORD), 401, 'UNAUTHORIZED');
  });

  test('that two users have is nobody’s, until one of them is inactive; the emails go on', async () => {
    const agent = await newAgent(kissi);
    const merchant = await newMerchant(kissi, { phone_number: agent.phone });
    const password = await passwordOf(agent.phone);
    for (const guess of [agent.password, password]) {
      assertRefused(await byPhone(agent.phone, guess), 401, 'UNAUTHORIZED');
    }
    assert.equal((await byPhone(agent.email, agent.password)).status, 200);
    assert.equal((await byPhone(merchant.email, password)).status, 200);
    const token = await kissi.adminToken();
    assert.equal((await kissi.call('POST', `/api/v1/agents/${agent.id}/terminate`, { token })).status, 200);
    assert.equal((await byPhone(agent.phone, password)).status, 200);
  });

  test('of a suspended agent is 401 like any other', async () => {
    const agent = await newAgent(kissi);
    const token = await kissi.adminToken();
    await kissi.call('POST', `/api/v1/agents/${agent.id}/suspend`, { body: { reason: 'x' }, token });
    assertRefused(await byPhone(agent.phone, agent.password), 401, 'UNAUTHORIZED');
  });
});

describe('a wrong password', () => {
  test('is answered alike for a number that somebody has and one that nobody has', async () => {
    const agent = await newAgent(kissi);
    const [known, unknown] = [await byPhone(agent.phone, WRONG), await byPhone('+23279000001', WRONG)];
    assertRefused(known, 401, 'UNAUTHORIZED');
    assert.equal(known.text, unknown.text);
    for (let n = 0; n < 4; n++) {
      await byPhone(agent.phone, WRONG);
      await byPhone('079 000 001', WRONG);
    }
    const [locked, alike] = [await byPhone(local(agent.phone), agent.password), await byPhone('+23279000001', WRONG)];
    assertRefused(locked, 429, 'TOO_MANY_ATTEMPTS');
    assert.deepEqual([locked.text, locked.headers.get('retry-after')], [alike.text, alike.headers.get('retry-after')]);
  });

  test('counts for the user under whichever name it is tried: five, not five for each', async () => {
    const agent = await newAgent(kissi);
    const names = [agent.email, agent.phone, local(agent.phone), agent.email.toUpperCase(), agent.phone];
    for (const name of names) assertRefused(await byPhone(name, WRONG), 401, 'UNAUTHORIZED');
    for (const name of names) assertRefused(await byPhone(name, agent.password), 429, 'TOO_MANY_ATTEMPTS');
    const entries = await auditLogs(kissi, { resource_id: agent.userId, action: 'session.login.refused' });
    assert.equal(entries.length, 6);
    assert.ok(entries.every(({ details }) => details.email === agent.email));
  });
});
