// Tests forgotten passwords: a code by message replaces the password and nothing else, and tells nobody which logins exist.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { agentToken, newAgent } from '../../support/agents.ts';
import { decide, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { accountOf, approve, rowsTo, wallets, whenEnded } from '../../support/bulk-execution.ts';
import { checkedBulk, csvOf, getBulk } from '../../support/bulk-payments.ts';
import { assertStatus, type CallReply } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { partnerBank } from '../../support/partner.ts';
import { answer, challenge, totpUser } from '../../support/second-factor.ts';
import { assertRefused, auditLogs, login, messageTo, openSession, staffMember } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ env: { TRUST_PROXY: '1' } });
const NEW = 'Remembered-Password-5';
let numbers = 23_276_780_000;
const newNumber = () => `+${++numbers}`;

const post = (path: string, body: object, from = '198.51.100.7'): Promise<CallReply> =>
  kissi.call('POST', `/api/v1/admin/${path}`, { headers: { 'x-forwarded-for': from }, body });
const forgot = async (email: string, from?: string): Promise<string> =>
  assertStatus(await post('forgot-password', { email }, from), 202).json.challenge;
const recover = (asked: string, code: string, new_password = NEW) =>
  post('recover-password', { challenge: asked, code, new_password });
const me = (token: string) => kissi.call('GET', '/api/v1/admin/me', { token });

async function codeTo(phone: string): Promise<string> {
  const { kind, text } = await messageTo(kissi, phone);
  assert.equal(kind, 'password_code');
  return /\b\d{6}\b/.exec(text)?.[0] ?? '';
}

async function codesTo(phone: string): Promise<number> {
  const { messages } = (await kissi.asAdmin.get('/admin/messages?limit=100')).json;
  return messages.filter((sent: { to: string; kind: string }) => sent.to === phone && sent.kind === 'password_code')
    .length;
}

const otherThan = (code: string) => (code === '123456' ? '123457' : '123456');

async function staffWithPhone(role: Parameters<typeof staffMember>[1] = 'support_user') {
  const phone = newNumber();
  return { phone, ...(await staffMember(kissi, role, { phone_number: phone })) };
}

describe('a forgotten password', () => {
  test('is replaced once with the code, ends every session, tells the user and is audited as theirs', async () => {
    const staff = await staffWithPhone();
    const before = await openSession(kissi, staff);
    const asked = await forgot(staff.email.toUpperCase());
    const code = await codeTo(staff.phone);
    assertStatus(await recover(asked, code), 200);
    assert.equal((await me(before.token)).status, 401);
    assert.equal((await login(kissi, staff)).status, 401, 'the old password');
    await openSession(kissi, { ...staff, password: NEW });
    assert.equal((await messageTo(kissi, staff.phone)).kind, 'password_recovered');
    assertRefused(await recover(asked, code, 'Third-Password-9'), 401, 'INVALID_CODE', 'used');
    const [entry] = await auditLogs(kissi, { resource_id: staff.id, action: 'password.recover' });
    assert.deepEqual([entry?.actor_id, entry?.details], [staff.id, {}]);
  });

  test('leaves the second factor', async () => {
    const phone = newNumber();
    const staff = await totpUser(kissi, 'audit_user', { phone_number: phone });
    assertStatus(await recover(await forgot(staff.email), await codeTo(phone)), 200);
    const second = await challenge(kissi, { email: staff.email, password: NEW });
    assert.equal((await answer(kissi, { challenge: second.challenge, code: staff.nextCode() })).status, 200);
  });

  test("works with an agent's phone number as the name", async () => {
    const agent = await newAgent(kissi);
    const before = await agentToken(kissi, agent);
    const asked = await forgot(agent.phone);
    assertStatus(await recover(asked, await codeTo(agent.phone)), 200);
    assert.equal((await me(before)).status, 401);
    await openSession(kissi, { email: agent.phone, password: NEW });
  });

  test('gets the same reply and no message without a login, a phone number or an active user', async () => {
    const suspended = await staffWithPhone();
    await kissi.asAdmin.put(`/admin/users/${suspended.id}`, { status: 'suspended' });
    const known = await staffWithPhone();
    const withoutPhone = await staffMember(kissi, 'support_user');
    const replies = await Promise.all(
      [known, suspended, withoutPhone, { email: 'nobody@kissi.test' }].map(({ email }) =>
        post('forgot-password', { email }),
      ),
    );
    const shapes = replies.map(({ status, json: { challenge: asked, ...rest } }) => [status, asked.length, rest]);
    for (const shape of shapes) assert.deepEqual(shape, shapes[0]);
    assert.deepEqual([await codesTo(known.phone), await codesTo(suspended.phone)], [1, 0]);
    for (const { json } of replies.slice(1))
      assertRefused(await recover(json.challenge, '123456'), 401, 'INVALID_CODE');
  });

  test('a weak password is refused and uses up no try', async () => {
    const staff = await staffWithPhone();
    const asked = await forgot(staff.email);
    const code = await codeTo(staff.phone);
    for (let n = 0; n < 4; n++) assertRefused(await recover(asked, code, 'weak-but-long'), 400, 'INVALID_REQUEST');
    assertStatus(await recover(asked, code), 200);
  });
});

describe('the code of a recovery', () => {
  test('ends after three tries, also when they come at once', async () => {
    const staff = await staffWithPhone();
    const asked = await forgot(staff.email);
    const code = await codeTo(staff.phone);
    const tries = Array.from({ length: 8 }, () => recover(asked, otherThan(code)));
    for (const reply of await Promise.all(tries)) assertRefused(reply, 401, 'INVALID_CODE');
    assertRefused(await recover(asked, code), 401, 'INVALID_CODE');
    await openSession(kissi, staff);
  });

  test('replaces the password once when it is sent several times at once', async () => {
    const staff = await staffWithPhone();
    const asked = await forgot(staff.email);
    const code = await codeTo(staff.phone);
    const passwords = ['First-Password-1', 'Second-Password-2', 'Third-Password-3'];
    const replies = await Promise.all(passwords.map((password) => recover(asked, code, password)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401]);
    const chosen = passwords[replies.findIndex(({ status }) => status === 200)] ?? '';
    await openSession(kissi, { ...staff, password: chosen });
  });

  test('is valid for ten minutes', async () => {
    const staff = await staffWithPhone();
    const asked = await forgot(staff.email);
    const code = await codeTo(staff.phone);
    kissi.clock.advance(10 * MINUTE_MS);
    assertRefused(await recover(asked, code), 401, 'INVALID_CODE');
  });

  test('belongs to its own challenge', async () => {
    const [one, other] = [await staffWithPhone(), await staffWithPhone()];
    const asked = await forgot(one.email);
    await forgot(other.email);
    const code = await codeTo(other.phone);
    if (code !== (await codeTo(one.phone))) assertRefused(await recover(asked, code), 401, 'INVALID_CODE');
    await openSession(kissi, one);
  });

  for (const [what, change] of Object.entries({
    'the phone number changes': { phone_number: '+23276789999' },
    'the user is suspended': { status: 'suspended' },
    'an administrator sets a password': { password: 'Set-By-Admin-4' },
  })) {
    test(`ends when ${what}`, async () => {
      const staff = await staffWithPhone();
      const asked = await forgot(staff.email);
      const code = await codeTo(staff.phone);
      assertStatus(await kissi.asAdmin.put(`/admin/users/${staff.id}`, change), 200);
      assertRefused(await recover(asked, code), 401, 'INVALID_CODE');
    });
  }

  test('is sent five times per name and day, whatever the address', async () => {
    const staff = await staffWithPhone();
    for (let n = 0; n < 8; n++) await forgot(staff.email, `203.0.${n}.1`);
    assert.equal(await codesTo(staff.phone), 5);
    kissi.clock.advance(DAY_MS);
    await forgot(staff.email);
    assert.equal(await codesTo(staff.phone), 6);
  });

  test('is sent five times per phone number and day, however it is written', async () => {
    const { phone } = await newAgent(kissi);
    const local = phone.slice('+232'.length);
    const written = [phone, `0${local}`, `(0)${local}`, `0-${local}`, `0.${local}`, `0/${local}`, `+232 ${local}`];
    for (const [n, name] of written.entries()) await forgot(name, `203.0.${n}.2`);
    assert.equal(await codesTo(phone), 5);
  });
});

describe('after a recovery', () => {
  test('the user approves nothing for 24 hours, and can request', async () => {
    const phone = newNumber();
    const [requester, approver] = [
      await user(kissi, 'finance_user'),
      await user(kissi, 'finance_user', { phone_number: phone }),
    ];
    await setPolicy(kissi, 'agents.fund', { enabled: true });
    const agent = await newAgent(kissi);
    const fund = (token: string) =>
      kissi.call('POST', `/api/v1/agents/${agent.id}/fund`, { token, body: { amount: 500 } });
    assertStatus(await recover(await forgot(approver.email), await codeTo(phone)), 200);
    const logIn = async () => ({ token: (await openSession(kissi, { ...approver, password: NEW })).token });
    const { id } = pendingOf(await fund(requester.token));
    assertRefused(await decide(kissi, id, 'approve', await logIn()), 403, 'FORBIDDEN');
    const own = pendingOf(await fund((await logIn()).token));
    assertStatus(await decide(kissi, own.id, 'approve', requester), 200);
    kissi.clock.advance(DAY_MS);
    const later = await openSession(kissi, requester);
    const next = pendingOf(await fund(later.token));
    assertStatus(await decide(kissi, next.id, 'approve', await logIn()), 200);
    await setPolicy(kissi, 'agents.fund', { enabled: false });
  });

  test('the user approves no bulk payment for 24 hours, and what they upload needs somebody else', async () => {
    const phone = newNumber();
    const [other, recovered] = [
      await user(kissi, 'finance_user'),
      await user(kissi, 'finance_user', { phone_number: phone }),
    ];
    const partner = await partnerBank(kissi, { fields: { outstanding_limit: 100_000 } });
    const upload = async (token: string) =>
      checkedBulk(kissi, token, csvOf(rowsTo(await wallets(bank, 1))), { partner_id: partner.id });
    const payment = await upload(other.token);
    assertStatus(await recover(await forgot(recovered.email), await codeTo(phone)), 200);
    const logIn = async () => (await openSession(kissi, { ...recovered, password: NEW })).token;
    const token = await logIn();
    const refused = assertRefused(await approve(kissi, token, payment), 403, 'FORBIDDEN');
    assert.match(refused.json.error, /less than 24 hours ago/);
    const own = await upload(token);
    assertRefused(await approve(kissi, token, own), 403, 'FORBIDDEN');
    assert.equal((await getBulk(kissi, token, payment.id)).status, 'checked');
    assert.deepEqual(await accountOf(kissi, partner), { balance: 0, held: 0 });
    assertStatus(await approve(kissi, other.token, own), 200);
    await whenEnded(kissi, other.token, own);
    kissi.clock.advance(DAY_MS);
    const later = await logIn();
    assertRefused(await approve(kissi, later, await upload(later)), 403, 'NOT_INDEPENDENT');
    assertStatus(await approve(kissi, later, payment), 200);
    await whenEnded(kissi, later, payment);
    assert.deepEqual(await accountOf(kissi, partner), { balance: -2_000, held: 0 });
  });
});
