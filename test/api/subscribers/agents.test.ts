// Which subscribers the users of agents find, see and change.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR_MS } from '../../../src/kernel/clock.ts';
import { agentToken, assertRefused, newAgent, newSubAgent } from '../../support/agents.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN, WRONG_PIN } from '../../support/money.ts';
import { auditLogs, openSession, PASSWORD, staffMember, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();
const superAgent = await newAgent(kissi);
const agent = await newSubAgent(kissi, superAgent);
const [token, superToken] = [await agentToken(kissi, agent), await agentToken(kissi, superAgent)];
const other = await agentToken(kissi, await newAgent(kissi));
const agentless = await staffToken(kissi, 'sub_agent');

const PRIVATE = {
  email: 'isatu@example.com',
  address: '4 Wilkinson Road',
  date_of_birth: '1990-02-28',
  id_number: 'SL-778899',
  id_type: 'PASSPORT',
};
let phones = 76_300_000;

async function register(by: string, extra: Record<string, unknown> = {}): Promise<Json> {
  const body = {
    phone_number: `0${phones++}`,
    first_name: 'Isatu',
    last_name: 'Koroma',
    pin: PIN,
    ...PRIVATE,
    ...extra,
  };
  return assertStatus(await kissi.call('POST', '/api/v1/subscribers', { token: by, body }), 201).json.subscriber;
}
const get = (path: string, by = token) => kissi.call('GET', `/api/v1/subscribers${path}`, { token: by });
const put = (id: string, body: unknown, by = token) =>
  kissi.call('PUT', `/api/v1/subscribers/${id}`, { token: by, body });
const idsOf = (json: Json): string[] => json.subscribers.map(({ id }: Json) => id);
const masked = ({ id }: Json) => ({ id, name: 'Isatu K.', status: 'ACTIVE', kyc_level: 1 });

describe("an agent's user", () => {
  test('finds a stranger by exact phone, account or card number, and sees masked name, status and level', async () => {
    const stranger = await register(admin);
    const card = await bank.card({ id: stranger.id, phone: stranger.phone_number });
    const queries = [
      `phone_number=0${stranger.phone_number.slice(4)}`,
      `account_number=${stranger.account_number}`,
      `card_serial=${card.toLowerCase()}`,
    ];
    for (const query of queries) {
      for (const by of [token, superToken, agentless]) {
        const { json } = assertStatus(await get(`?${query}`, by), 200);
        assert.deepEqual(json, { subscribers: [masked(stranger)], total_count: 1, limit: 50, offset: 0 }, query);
      }
    }
    assert.deepEqual((await get(`/${stranger.id}`)).json, { subscriber: masked(stranger) });
  });

  test('gets the same refusal for a right and a wrong guess at a field of a stranger', async () => {
    const stranger = await register(admin);
    const guesses: [string, unknown, unknown][] = [
      ['phone_number', stranger.phone_number, '+23276999999'],
      ['id_number', PRIVATE.id_number, 'SL-000000'],
      ['kyc_level', 1, 2],
      ['is_pep', false, true],
    ];
    for (const [field, right, wrong] of guesses) {
      const [first, second] = [await put(stranger.id, { [field]: right }), await put(stranger.id, { [field]: wrong })];
      assertRefused(first, 403, 'FORBIDDEN');
      assert.equal(second.text, first.text, field);
    }
  });

  test('finds no stranger by part of an identifier, by name, or by paging through the list', async () => {
    const stranger = await register(admin, { first_name: 'Unguessable' });
    const { phone_number: phone, account_number: account } = stranger;
    const queries = ['', '?limit=100', '?kyc_level=1', '?status=ACTIVE', '?search=Unguessable', `?search=${phone}`];
    for (const query of [
      ...queries,
      `?phone_number=${phone.slice(0, -1)}`,
      `?account_number=${account.slice(0, -1)}`,
    ]) {
      for (const by of [token, agentless]) {
        const { json } = assertStatus(await get(query, by), 200);
        assert.ok(!idsOf(json).includes(stranger.id), query);
      }
    }
    assert.equal((await get('', agentless)).json.total_count, 0);
  });

  test('cannot confirm a guess at hidden fields with a search', async () => {
    const { phone_number: phone } = await register(admin);
    assertRefused(await get(`?phone_number=${phone.replace('+', '%2B')}&search=koroma`), 400, 'INVALID_REQUEST');
  });

  test('gets the full record without the balance of a subscriber that its agent registered', async () => {
    const own = await register(token);
    await bank.fund({ id: own.id, phone: own.phone_number }, 500);
    const { balance: _balance, held: _held, available: _available, ...record } = own;
    assert.deepEqual((await get(`/${own.id}`)).json.subscriber, record);
    const found = await get(`?phone_number=${own.phone_number.replace('+', '%2B')}`);
    assert.deepEqual(found.json.subscribers, [record]);
    const listed = await get('?search=koroma&limit=100');
    assert.ok(idsOf(listed.json).includes(own.id));
    assert.equal(listed.json.total_count, idsOf(listed.json).length);
    for (const each of listed.json.subscribers) {
      for (const name of ['balance', 'held', 'available']) assert.ok(!(name in each));
    }
    for (const by of [other, superToken, agentless]) {
      assert.deepEqual((await get(`/${own.id}`, by)).json, { subscriber: masked(own) });
    }
  });

  test('changes personal details of a subscriber it registered, at level 1 only, and sees no balance', async () => {
    const { id } = await register(token);
    const change = { first_name: 'Kadie', address: 'Road 2', id_document_url: 'https://files.example.com/a.jpg' };
    const reply = assertStatus(await put(id, change), 200);
    assert.equal(reply.json.subscriber.first_name, 'Kadie');
    assert.ok(!('balance' in reply.json.subscriber));
    assertRefused(await put(id, { kyc_level: 2 }), 403, 'FORBIDDEN');
    assert.equal((await put(id, { kyc_level: 2, id_number: 'OWN-1' }, admin)).status, 200);
    for (const field of [{ first_name: 'X' }, { address: 'Road 3' }, { email: 'x@example.com' }]) {
      assertRefused(await put(id, field), 403, 'FORBIDDEN');
    }
    assert.equal((await get(`/${id}`)).json.subscriber.address, 'Road 2');
  });

  test('cannot change a stranger, not even one of its network, and the attempt is audited', async () => {
    const [stranger, ofSubAgent] = [await register(admin), await register(token)];
    for (const by of [token, superToken, other, agentless]) {
      assertRefused(await put(stranger.id, { first_name: 'Mine' }, by), 403, 'FORBIDDEN');
    }
    for (const by of [superToken, other])
      assertRefused(await put(ofSubAgent.id, { address: 'x' }, by), 403, 'FORBIDDEN');
    assert.equal((await get(`/${stranger.id}`, admin)).json.subscriber.first_name, 'Isatu');
    const refused = await auditLogs(kissi, { action: 'subscriber.update.refused', actor_id: agent.userId });
    assert.ok(refused.length > 0);
  });

  test('verifies and changes a PIN only with the PIN; the replies contain no data of the subscriber', async () => {
    const stranger = await register(admin);
    const post = (verb: string, body: unknown) =>
      kissi.call('POST', `/api/v1/subscribers/${stranger.id}/${verb}`, { token, body });
    assert.deepEqual((await post('verify-pin', { pin: PIN })).json, { success: true, verified: true });
    const wrong = assertRefused(await post('verify-pin', { pin: WRONG_PIN }), 401, 'INVALID_PIN');
    const changed = await post('change-pin', { current_pin: PIN, new_pin: '4827' });
    assert.deepEqual(Object.keys(changed.json).toSorted(), ['message', 'success']);
    for (const { text } of [wrong, changed]) assert.doesNotMatch(text, /Koroma|isatu@|778899/);
  });

  test('cannot block, unblock, activate or enable types', async () => {
    const { id } = await register(token);
    const bodies = {
      block: { reason: 'x' },
      unblock: undefined,
      activate: undefined,
      'enable-types': { transaction_types: ['pos_payment'] },
    };
    for (const [verb, body] of Object.entries(bodies)) {
      const options = { token, ...(body ? { body } : {}) };
      assertRefused(await kissi.call('POST', `/api/v1/subscribers/${id}/${verb}`, options), 403, 'FORBIDDEN');
    }
  });
});

test('staff and API keys find by account and card number too, with the full record', async () => {
  const stranger = await register(admin);
  const card = await bank.card({ id: stranger.id, phone: stranger.phone_number });
  for (const query of [`account_number=${stranger.account_number}`, `card_serial=${card}`]) {
    const [found] = (await get(`?${query}`, admin)).json.subscribers;
    assert.deepEqual([found.id, found.id_number, found.balance], [stranger.id, 'SL-778899', '0.00 SLE']);
  }
  assert.equal((await get('?card_serial=UNKNOWN-9', admin)).json.total_count, 0);
  assert.equal((await get('?card_serial=x', admin)).json.total_count, 0);
});

describe('the users of one agent', () => {
  const LIMIT = 20;

  test('get 429 on look-ups after 20 that found nobody in an hour, and still register and list', async () => {
    const guesser = await newAgent(kissi);
    const first = await agentToken(kissi, guesser);
    const email = 'second.guesser@example.com';
    await staffMember(kissi, 'super_agent', { agent_id: guesser.id, email });
    const second = (await openSession(kissi, { email, password: PASSWORD })).token;
    const stranger = await register(admin);
    const known = `?phone_number=${encodeURIComponent(stranger.phone_number)}`;
    const guesses = ['phone_number=%2B2327990', 'account_number=99990', 'card_serial=GUESS-'];
    for (let n = 0; n < LIMIT; n++) {
      const { status, json } = await get(`?${guesses[n % 3]}${1000 + n}`, n % 2 === 0 ? first : second);
      assert.deepEqual([status, json.total_count], [200, 0]);
    }
    assert.equal((await get(known, first)).json.total_count, 1, 'a customer who is present is found');
    const last = assertRefused(await get('?card_serial=GUESS-LAST', first), 429, 'TOO_MANY_LOOKUPS');
    assert.ok(Number(last.headers.get('retry-after')) > 0);
    for (const by of [first, second]) assertRefused(await get(known, by), 429, 'TOO_MANY_LOOKUPS');
    const own = await register(first);
    assert.deepEqual(idsOf((await get('', first)).json), [own.id]);
    for (const by of [other, admin]) assert.equal((await get(known, by)).json.total_count, 1);
    kissi.clock.advance(HOUR_MS);
    const later = await agentToken(kissi, guesser);
    assert.equal((await get(known, later)).json.total_count, 1);
  });

  test('find 60 different customers in an hour, each as often as they like', async () => {
    const curious = await agentToken(kissi, await newAgent(kissi));
    const customers = [];
    const fresh = await staffToken(kissi, 'system_admin');
    for (let n = 0; n < 61; n++) customers.push(await register(fresh));
    const byPhone = (customer: Json) => `?phone_number=${encodeURIComponent(customer.phone_number)}`;
    const [last = assert.fail(), ...found] = customers;
    for (const customer of found) assert.equal((await get(byPhone(customer), curious)).json.total_count, 1);
    for (const query of [byPhone(last), `?account_number=${last.account_number}`, `${byPhone(last)}&offset=1`]) {
      assertRefused(await get(query, curious), 429, 'TOO_MANY_LOOKUPS');
    }
    const search = `/api/v1/search?q=${encodeURIComponent(last.phone_number)}`;
    assertRefused(await kissi.call('GET', search, { token: curious }), 429, 'TOO_MANY_LOOKUPS');
    assert.equal((await get(byPhone(found[0] ?? last), curious)).json.total_count, 1);
  });
});
