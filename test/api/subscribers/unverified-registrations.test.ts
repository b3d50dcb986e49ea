// Registrations by agents, keys and staff that wait for a code: nobody finds them, guesses them or keeps them. Changed numbers too.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { agentToken, newFundedAgent } from '../../support/agents.ts';
import type { CallReply } from '../../support/gateway.ts';
import { testBank } from '../../support/inbound.ts';
import { bankForFile, PIN, type Wallet } from '../../support/money.ts';
import { partnerBank } from '../../support/partner.ts';
import { requestPinReset } from '../../support/pin-reset.ts';
import { apiKey, assertRefused, auditLogs, messageTo, runChore, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ env: { PHONE_VERIFICATION: 'required' } });
const agent = await newFundedAgent(kissi, 100_000);
const inbound = await testBank(kissi);
const partner = await partnerBank(kissi);
const sender = await bank.wallet(50_000);

const REGISTRARS: Record<string, () => Promise<string>> = {
  'an agent': () => agentToken(kissi, agent),
  'an API key': async () => (await apiKey(kissi, ['subscribers:write'])).key,
  'a support user': () => staffToken(kissi, 'support_user'),
  'an administrator': () => kissi.adminToken(),
};

let phones = 76_700_000;
const newPhone = () => `+232${phones++}`;
const post = (path: string, body: object, token?: string) =>
  kissi.call('POST', `/api/v1${path}`, { body, ...(token ? { token } : {}) });
const get = async (path: string, token?: string) =>
  kissi.call('GET', `/api/v1${path}`, { token: token ?? (await kissi.adminToken()) });
const registration = (phone_number: string, extra = {}) => ({
  ...{ phone_number, first_name: 'Mariatu', last_name: 'Bangura', pin: PIN },
  ...extra,
});
const verify = (id: string, code: string) => post(`/public/subscribers/${id}/verify`, { code });

async function codeOf(phone: string): Promise<string> {
  const { kind, text } = await messageTo(kissi, phone);
  assert.equal(kind, 'phone_code');
  return /\b\d{6}\b/.exec(text)?.[0] ?? assert.fail(text);
}

async function register(phone: string, token?: string, extra = {}) {
  const reply = await post('/subscribers', registration(phone, extra), token ?? (await kissi.adminToken()));
  assert.deepEqual([reply.status, reply.json.subscriber?.status], [201, 'PENDING'], reply.text);
  return { id: reply.json.subscriber_id as string, phone, code: await codeOf(phone), reply };
}

/** Every look-up by phone: what it finds. */
const LOOKUPS: Record<string, (phone: string) => Promise<boolean>> = {
  'GET /subscribers by phone, as an agent': async (phone) => listed(phone, await agentToken(kissi, agent)),
  'GET /subscribers by phone, as staff': (phone) => listed(phone),
  'GET /subscribers by search': async (phone) =>
    (await get(`/subscribers?search=${phone.slice(4)}`)).json.total_count === 1,
  'GET /search as staff': async (phone) => (await get(`/search?q=${phone.slice(1)}`)).json.hits.length > 0,
  'GET /search as an agent': async (phone) =>
    (await get(`/search?q=${phone.slice(1)}`, await agentToken(kissi, agent))).json.hits.length > 0,
  'POST /wallet/transfer': async (phone) =>
    done(await bank.post('/wallet/transfer', { sender_id: sender.id, recipient_phone: phone, amount: 10, pin: PIN })),
  'POST /agents/cashin': async (phone) => {
    const body = { agent_id: agent.id, phone_number: phone, amount: 10, pin: agent.pin };
    return done(await post('/agents/cashin', body, await agentToken(kissi, agent)));
  },
  'name enquiry': async (phone) => done(await inbound.enquire({ msisdn: phone, currency: 'SLE' })),
  'POST /partner/cashin': async (phone) => done(await partner.cashIn({ phone_number: phone })),
};

async function listed(phone: string, token?: string): Promise<boolean> {
  const { json } = await get(`/subscribers?phone_number=${encodeURIComponent(phone)}`, token);
  assert.equal(json.subscribers.length, json.total_count);
  return json.total_count === 1;
}

function done({ status, text }: CallReply): boolean {
  assert.ok(status < 500, text);
  return status < 300;
}

async function foundBy(phone: string): Promise<Record<string, boolean>> {
  const found: Record<string, boolean> = {};
  for (const [name, look] of Object.entries(LOOKUPS)) found[name] = await look(phone);
  return found;
}
const everywhere = (isFound: boolean) => Object.fromEntries(Object.keys(LOOKUPS).map((name) => [name, isFound]));

for (const [who, credential] of Object.entries(REGISTRARS)) {
  test(`a registration by ${who} waits for the code, and no look-up by phone finds it before`, async () => {
    const phone = newPhone();
    const { id, code, reply } = await register(phone, await credential());
    assert.match(reply.json.message, /A code was sent/);
    assert.ok(!reply.text.includes(code));
    assert.deepEqual(await foundBy(phone), everywhere(false));
    assert.equal(await bank.balance(id), 0);
    assert.equal((await verify(id, code)).status, 200);
    assert.deepEqual(await foundBy(phone), everywhere(true));
    assertRefused(await post('/subscribers', registration(phone), await credential()), 409, 'DUPLICATE_PHONE');
  });
}

test('a subscriber whom staff registered as PENDING stays so after the code, until staff activate it', async () => {
  const { id, code } = await register(newPhone(), undefined, { status: 'PENDING' });
  assert.equal((await verify(id, code)).status, 200);
  const status = async () => (await get(`/subscribers/${id}`)).json.subscriber.status;
  assert.equal(await status(), 'PENDING');
  assert.equal((await post(`/subscribers/${id}/activate`, {}, await kissi.adminToken())).status, 200);
  assert.equal(await status(), 'ACTIVE');
});

test('nine guesses at the codes of one number a day are compared, over all its registrations', async () => {
  const phone = newPhone();
  for (let n = 0; n < 3; n++) {
    const { id, code } = await register(phone);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let guess = 0; guess < 3; guess++) assertRefused(await verify(id, wrong), 401, 'INVALID_OTP');
  }
  kissi.clock.advance(HOUR_MS);
  const fourth = await register(phone);
  assertRefused(await verify(fourth.id, fourth.code), 429, 'TOO_MANY_ATTEMPTS');
  kissi.clock.advance(DAY_MS);
  const fifth = await register(phone);
  assert.equal((await verify(fifth.id, fifth.code)).status, 200);
});

describe('after 24 hours without the code', () => {
  test('a registration is gone to the millisecond, before the background task has written it', async () => {
    const { id, phone } = await register(newPhone());
    kissi.clock.advance(DAY_MS - 1);
    assert.equal((await get(`/subscribers/${id}`)).status, 200);
    const { total_count: before } = (await get('/subscribers?status=PENDING')).json;
    const { total_count: all } = (await get('/subscribers')).json;
    kissi.clock.advance(1);
    assertRefused(await get(`/subscribers/${id}`), 404, 'NOT_FOUND');
    assertRefused(await verify(id, '123456'), 404, 'NOT_FOUND');
    assertRefused(await post(`/public/subscribers/${id}/resend-code`, {}), 404, 'NOT_FOUND');
    assert.deepEqual((await get(`/search?q=${id}`)).json.hits, []);
    const totals = async () => {
      const [pending, every] = [await get('/subscribers?status=PENDING'), await get('/subscribers?limit=100')];
      assert.ok(!every.text.includes(id));
      return [pending.json.total_count, every.json.total_count];
    };
    assert.deepEqual(await totals(), [before - 1, all - 1]);
    await runChore(kissi, 'end unverified registrations');
    assert.deepEqual(await totals(), [before - 1, all - 1]);
    const { rows } = await kissi.db.query('select status from subscribers where id = $1', [id]);
    assert.deepEqual(rows, [{ status: 'ENDED' }]);
    const entries = await auditLogs(kissi, { resource_id: id, action: 'subscriber.expire_registration' });
    assert.deepEqual(
      entries.map(({ actor_type }) => actor_type),
      ['system'],
    );
    assert.equal((await register(phone)).reply.status, 201);
  });

  test('a verified one stays, and the task ends nothing twice', async () => {
    const verified = await register(newPhone(), undefined, { status: 'PENDING' });
    const { id } = await register(newPhone());
    assert.equal((await verify(verified.id, verified.code)).status, 200);
    kissi.clock.advance(2 * DAY_MS);
    await Promise.all([1, 2].map(() => runChore(kissi, 'end unverified registrations')));
    assert.equal((await get(`/subscribers/${verified.id}`)).json.subscriber.status, 'PENDING');
    assert.equal((await auditLogs(kissi, { resource_id: id, action: 'subscriber.expire_registration' })).length, 1);
  });
});

describe('a changed number', () => {
  async function moved(): Promise<Wallet & { old: string }> {
    const { id, phone: old } = await bank.wallet();
    const phone = newPhone();
    const body = { phone_number: phone };
    const reply = await kissi.asAdmin.put(`/subscribers/${id}`, body);
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual([reply.json.subscriber.status, reply.json.subscriber.phone_verified], ['ACTIVE', false]);
    return { id, phone, old };
  }

  test('finds no wallet until the code from it is entered; the wallet itself goes on', async () => {
    const { id, phone, old } = await moved();
    for (const number of [phone, old]) assert.deepEqual(await foundBy(number), everywhere(false));
    const { token } = { token: await staffToken(kissi, 'support_user') };
    assertRefused(await requestPinReset(kissi, 'subscribers', id, token), 409, 'PHONE_NOT_VERIFIED');
    await bank.fund({ id, phone }, 500);
    kissi.clock.advance(2 * DAY_MS);
    await runChore(kissi, 'end unverified registrations');
    assert.equal((await get(`/subscribers/${id}`)).json.subscriber.status, 'ACTIVE');
    assert.equal((await post(`/public/subscribers/${id}/resend-code`, {})).status, 200);
    assert.equal((await verify(id, await codeOf(phone))).status, 200);
    assert.deepEqual(await foundBy(phone), everywhere(true));
    assert.equal((await get(`/subscribers/${id}`)).json.subscriber.phone_verified, undefined);
  });

  test('has its own guesses: those at registrations of the number do not count, and the other way round', async () => {
    const guessAt = async (id: string, code: string) => {
      const wrong = code === '000000' ? '000001' : '000000';
      for (let n = 0; n < 3; n++) assertRefused(await verify(id, wrong), 401, 'INVALID_OTP');
    };
    const { id, phone } = await moved();
    for (const waitMs of [0, HOUR_MS, 0]) {
      kissi.clock.advance(waitMs);
      const registered = await register(phone);
      await guessAt(registered.id, registered.code);
    }
    kissi.clock.advance(HOUR_MS);
    const next = await register(phone);
    assertRefused(await verify(next.id, next.code), 429, 'TOO_MANY_ATTEMPTS');
    for (let n = 0; n < 3; n++) {
      if (n > 0) kissi.clock.advance(HOUR_MS);
      assert.equal((await post(`/public/subscribers/${id}/resend-code`, {})).status, 200);
      if (n < 2) await guessAt(id, await codeOf(phone));
    }
    assert.equal((await verify(id, await codeOf(phone))).status, 200);
    const other = await moved();
    for (let n = 0; n < 3; n++) {
      if (n > 0) assert.equal((await post(`/public/subscribers/${other.id}/resend-code`, {})).status, 200);
      await guessAt(other.id, await codeOf(other.phone));
      kissi.clock.advance(HOUR_MS);
    }
    const { id: registeredId, code } = await register(other.phone);
    assert.equal((await verify(registeredId, code)).status, 200);
  });

  test('and a registration of it: exactly one of two codes at the same instant gets the number', async () => {
    const wallet = await moved();
    const changeCode = await codeOf(wallet.phone);
    const { id, code } = await register(wallet.phone);
    const replies = await Promise.all([verify(wallet.id, changeCode), verify(id, code)]);
    assert.equal(replies.filter(({ status }) => status === 200).length, 1, replies.map(({ text }) => text).join());
    for (const { status, json } of replies) {
      assert.ok(status === 200 || ['NOT_FOUND', 'DUPLICATE_PHONE'].includes(json.code), json.code);
    }
    const { rows } = await kissi.db.query('select id from subscribers where phone_number = $1 and phone_verified', [
      wallet.phone,
    ]);
    assert.equal(rows.length, 1);
  });

  test('that somebody else has gets 409, and one beyond the limit of codes is sent a code later', async () => {
    const [taken, { id }] = [await bank.wallet(), await bank.wallet()];
    const put = async (phone_number: string) => kissi.asAdmin.put(`/subscribers/${id}`, { phone_number });
    assertRefused(await put(taken.phone), 409, 'DUPLICATE_PHONE');
    const phone = newPhone();
    for (let n = 0; n < 3; n++) await register(phone);
    assert.equal((await put(phone)).status, 200);
    assertRefused(await verify(id, await codeOf(phone)), 401, 'INVALID_OTP');
    kissi.clock.advance(HOUR_MS);
    assert.equal((await post(`/public/subscribers/${id}/resend-code`, {})).status, 200);
    assert.equal((await verify(id, await codeOf(phone))).status, 200);
  });
});
