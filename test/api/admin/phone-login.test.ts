// Tests login by phone number for users of agents and processors, and that failures reveal nothing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused, newAgent, newSubAgent } from '../../support/agents.ts';
import { gatewayForFile } from '../../support/gateway.ts';
import { messageTo, newMerchant, newMerchantBody } from '../../support/processors.ts';
import { auditLogs, login, PASSWORD, staffMember, staffToken } from '../../support/staff.ts';

const WRONG = 'Wrong-Password-1';
let shadows = 0;

const kissi = await gatewayForFile();

const local = (phone: string) => `0${phone.slice(4, 6)} ${phone.slice(6, 9)}-${phone.slice(9)}`;
const logInAs = (name: string, password: string) => login(kissi, { email: name, password });
const passwordOf = async (phone: string) =>
  /^Temporary password: (.+)$/m.exec((await messageTo(kissi, phone)).text)?.[1] ?? '';

describe('a phone number as login name', () => {
  test('logs an agent in with any format of the number, as the same user as the email', async () => {
    const superAgent = await newAgent(kissi);
    for (const agent of [superAgent, await newSubAgent(kissi, superAgent)]) {
      for (const name of [agent.phone, local(agent.phone), ` ${agent.phone} `.trim(), agent.email]) {
        const reply = await logInAs(name, agent.password);
        assert.equal(reply.status, 200, `${name} ${reply.text}`);
        const me = await kissi.call('GET', '/api/v1/admin/me', { token: reply.json.token });
        assert.equal(me.json.id, agent.userId);
      }
    }
    const { text } = await messageTo(kissi, superAgent.phone);
    assert.match(text, /or this phone number/);
  });

  test("logs in a processor's user", async () => {
    const merchant = await newMerchant(kissi);
    assert.equal((await logInAs(local(merchant.phone), await passwordOf(merchant.phone))).status, 200);
  });

  test('is not accepted for staff of the operator, who log in by email', async () => {
    const staff = await staffMember(kissi, 'support_user', { phone_number: '076 555 001' });
    const agentless = await staffMember(kissi, 'super_agent', { phone_number: '076 555 002' });
    assertRefused(await logInAs('076 555 001', staff.password), 401, 'UNAUTHORIZED');
    assertRefused(await logInAs('076 555 002', agentless.password), 401, 'UNAUTHORIZED');
    // A staff user with the same number does not prevent the agent's login.
    const agent = await newAgent(kissi, { phone_number: '+23276555001' });
    assert.equal((await logInAs('076 555 001', agent.password)).status, 200);
    assertRefused(await logInAs('076 555 001', PASSWORD), 401, 'UNAUTHORIZED');
  });

  test('belongs to one login of an agent or a processor: nobody registers it or changes another login to it', async () => {
    const [agent, parent, merchant] = [await newAgent(kissi), await newAgent(kissi), await newMerchant(kissi)];
    const [{ phone }, sales] = [agent, await staffToken(kissi, 'sales_user')];
    const [admin, superAgent] = [await kissi.adminToken(), (await logInAs(parent.email, parent.password)).json.token];
    const person = { first_name: 'Shadow', last_name: 'Sesay', phone_number: phone };
    const name = () => ({ email: `shadow.${++shadows}@example.com` });
    const subAgent = { agent_type: 'sub_agent', parent_agent_id: parent.id, business_name: 'Shadow', location: 'Bo' };
    const ofAgent = { role: 'super_agent', agent_id: parent.id, password: PASSWORD };
    const own = { ...person, ...subAgent, phone_number: merchant.phone };
    const attempts: [string, string, object, string][] = [
      ['POST', '/processors', newMerchantBody({ phone_number: phone }), sales],
      ['PUT', `/processors/${merchant.id}`, { phone_number: phone }, sales],
      ['POST', `/processors/${merchant.id}/users`, { ...person, ...name() }, admin],
      ['POST', '/agents', { ...own, ...name() }, superAgent],
      ['PUT', `/agents/${parent.id}`, { phone_number: merchant.phone }, admin],
      ['POST', '/admin/users', { ...person, ...ofAgent, ...name() }, admin],
      ['PUT', `/admin/users/${merchant.userId}`, { phone_number: phone }, admin],
    ];
    for (const [method, path, body, token] of attempts) {
      assertRefused(await kissi.call(method, `/api/v1${path}`, { body, token }), 409, 'DUPLICATE_PHONE');
    }
    assert.equal((await logInAs(phone, agent.password)).status, 200);
    assert.equal((await logInAs(merchant.phone, await passwordOf(merchant.phone))).status, 200);
    // An agent that is terminated no longer logs in, and its number is free again.
    assert.equal((await kissi.call('POST', `/api/v1/agents/${agent.id}/terminate`, { token: admin })).status, 200);
    const next = await newMerchant(kissi, { phone_number: phone });
    assert.equal((await logInAs(phone, await passwordOf(phone))).status, 200);
    assert.equal((await logInAs(next.email, await passwordOf(phone))).status, 200);
  });

  test('that a processor and an agent register at the same time goes to one of them', async () => {
    const body = { ...newMerchantBody(), agent_type: 'super_agent', first_name: 'Fatu', last_name: 'Sesay' };
    const both = { processors: newMerchantBody({ phone_number: body.phone_number }), agents: body };
    const replies = await Promise.all(Object.entries(both).map(([path, each]) => kissi.asAdmin.post(`/${path}`, each)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
    const logins = await kissi.db.query('select id from users where phone_number = $1', [body.phone_number]);
    assert.equal(logins.rows.length, 1);
  });

  test('of a suspended agent is rejected with 401', async () => {
    const agent = await newAgent(kissi);
    await kissi.asAdmin.post(`/agents/${agent.id}/suspend`, { reason: 'x' });
    assertRefused(await logInAs(agent.phone, agent.password), 401, 'UNAUTHORIZED');
  });
});

describe('a wrong password', () => {
  test('gets the same reply for a known and an unknown number', async () => {
    const agent = await newAgent(kissi);
    const [known, unknown] = [await logInAs(agent.phone, WRONG), await logInAs('+23279000001', WRONG)];
    assertRefused(known, 401, 'UNAUTHORIZED');
    assert.equal(known.text, unknown.text);
    for (let n = 0; n < 4; n++) {
      await logInAs(agent.phone, WRONG);
      await logInAs('079 000 001', WRONG);
    }
    const [locked, unknownLocked] = [
      await logInAs(local(agent.phone), agent.password),
      await logInAs('+23279000001', WRONG),
    ];
    assertRefused(locked, 429, 'TOO_MANY_ATTEMPTS');
    assert.deepEqual(
      [locked.text, locked.headers.get('retry-after')],
      [unknownLocked.text, unknownLocked.headers.get('retry-after')],
    );
  });

  test('counts per user across all login names, not per name', async () => {
    const agent = await newAgent(kissi);
    const names = [agent.email, agent.phone, local(agent.phone), agent.email.toUpperCase(), agent.phone];
    for (const name of names) assertRefused(await logInAs(name, WRONG), 401, 'UNAUTHORIZED');
    for (const name of names) assertRefused(await logInAs(name, agent.password), 429, 'TOO_MANY_ATTEMPTS');
    const entries = await auditLogs(kissi, { resource_id: agent.userId, action: 'session.login.refused' });
    assert.deepEqual(
      entries.map(({ details }) => details.code),
      ['TOO_MANY_ATTEMPTS', 'UNAUTHORIZED'],
    );
    assert.ok(entries.every(({ details }) => details.email === agent.email));
  });
});
