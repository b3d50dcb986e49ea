// Cards: link, read, list, block and unblock single cards.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { iso } from '../../../src/kernel/clock.ts';
import { createCardLookups } from '../../../src/parties/card.ts';
import {
  assertStatus,
  type CallReply,
  gatewayForFile,
  type Json,
  type TestGateway,
  testGateway,
} from '../../support/gateway.ts';
import { apiKey, auditLogs, staffToken, withLockContention } from '../../support/staff.ts';

const kissi = await gatewayForFile({ unauditedRecords: ['subscriber'] });
const key = (await apiKey(kissi, ['subscribers:read', 'subscribers:write', 'cards:read', 'cards:write'])).key;
const compliance = await staffToken(kissi, 'compliance_user');

let phones = 76_500_000;
async function newSubscriber(extra: Record<string, unknown> = {}, token = key): Promise<string> {
  const body = { phone_number: `0${phones++}`, first_name: 'Sia', last_name: 'Koroma', pin: '1234', ...extra };
  return assertStatus(await kissi.call('POST', '/api/v1/subscribers', { token, body }), 201).json.subscriber_id;
}

let serials = 0;
const newSerial = () => `04A2-${String(serials++).padStart(6, '0')}`;
const post = (path: string, body?: unknown, token = key, gateway = kissi): Promise<CallReply> =>
  gateway.call('POST', `/api/v1/${path}`, { token, ...(body === undefined ? {} : { body }) });
const link = (card_serial: string, subscriber_id: string, extra = {}, token = key) =>
  post('cards/link', { card_serial, subscriber_id, ...extra }, token);
const get = (path: string, token = key) => kissi.call('GET', `/api/v1/${path}`, { token });
const card = async (serial: string) => (await get(`cards/${serial}`)).json.card;
const cardsCount = async (id: string) => (await get(`subscribers/${id}`)).json.subscriber.cards_count;
const outcome = ({ status, json }: CallReply) => [status, json.code];
const stored = async (serial: string) => (await kissi.db.query('select * from cards where serial = $1', [serial])).rows;
async function newLinkedCard(id: string): Promise<string> {
  const serial = newSerial();
  assertStatus(await link(serial, id), 201);
  return serial;
}
const auditActions = async (serial: string) =>
  (await auditLogs(kissi, { resource_id: serial })).map((entry) => entry.action).toSorted();

describe('POST /cards/link', () => {
  test('adds an unknown card to stock and links it, with the record, the card count and an audit entry', async () => {
    const id = await newSubscriber();
    const reply = await link(' 04:a2:b1:ff ', id, { label: '  Fre\u0301re 🏦 ' });
    const now = iso(kissi.clock.now());
    const record = {
      serial: '04:A2:B1:FF',
      type: 'parent',
      status: 'active',
      subscriber_id: id,
      parent_serial: null,
      label: 'Frére 🏦',
      daily_limit: null,
      linked_at: now,
      retired_at: null,
      created_at: now,
    };
    assert.equal(reply.status, 201);
    assert.deepEqual(reply.json, { success: true, message: 'The card was linked.', card: record });
    assert.deepEqual((await get('cards/04:a2:B1:ff')).json, { card: record });
    assert.equal(await cardsCount(id), 1);
    const [entry] = await auditLogs(kissi, { resource_id: '04:A2:B1:FF' });
    assert.deepEqual([entry.action, entry.resource_type, entry.details], ['card.link', 'card', { subscriber_id: id }]);
  });

  test('a linked card cannot be linked again; the case of the serial does not matter', async () => {
    const [first, other] = [await newSubscriber(), await newSubscriber()];
    const serial = await newLinkedCard(first);
    for (const id of [first, other]) {
      assert.deepEqual(outcome(await link(serial.toLowerCase(), id)), [409, 'CARD_ALREADY_LINKED']);
    }
    assert.equal((await card(serial)).subscriber_id, first);
    assert.deepEqual([await cardsCount(first), await cardsCount(other)], [1, 0]);
    assert.deepEqual(await auditActions(serial), ['card.link']);
  });

  test('an unknown subscriber gets 404 SUBSCRIBER_NOT_FOUND, and the card is not added to stock', async () => {
    const serial = newSerial();
    assert.deepEqual(outcome(await link(serial, 'sub_unknown')), [404, 'SUBSCRIBER_NOT_FOUND']);
    assert.deepEqual(await stored(serial), []);
  });

  test('a BLOCKED subscriber cannot link a card; a PENDING one can', async () => {
    const serial = newSerial();
    const blocked = await newSubscriber();
    await post(`subscribers/${blocked}/block`, { reason: 'x' });
    assert.deepEqual(outcome(await link(serial, blocked)), [403, 'SUBSCRIBER_BLOCKED']);
    assert.deepEqual(await stored(serial), []);
    const pending = await newSubscriber({ status: 'PENDING' }, await kissi.adminToken());
    assert.equal((await link(serial, pending)).json.card.status, 'active');
  });

  test('rejects an invalid serial or label with 400 that names the field', async () => {
    const id = await newSubscriber();
    for (const serial of [
      'abc',
      'a'.repeat(65),
      'AB CD',
      'AB/CD',
      'ÄÖÜß',
      'ABC\u017f',
      '',
      ' '.repeat(8),
      'AB%D',
      5,
      null,
    ]) {
      const reply = await link(serial as string, id);
      assert.deepEqual(outcome(reply), [400, 'INVALID_REQUEST'], String(serial));
      assert.match(reply.json.error, /^card_serial/);
    }
    for (const label of ['', '  ', 'x'.repeat(101), 'a\0b', 7]) {
      const reply = await link(newSerial(), id, { label });
      assert.deepEqual(outcome(reply), [400, 'INVALID_REQUEST'], String(label));
      assert.match(reply.json.error, /^label/);
    }
    assert.equal(await cardsCount(id), 0);
    assert.equal((await link(newSerial(), id, { label: '🏦'.repeat(100) })).status, 201);
  });

  test('one of several subscribers linking the same card concurrently succeeds', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => newSubscriber()));
    for (let round = 0; round < 5; round++) {
      const serial = newSerial();
      const replies = await Promise.all(ids.map((id) => link(serial, id)));
      const winners = replies.filter(({ status }) => status === 201);
      assert.equal(winners.length, 1);
      const losers = replies.filter(({ status }) => status !== 201).map(outcome);
      assert.deepEqual(losers, Array(7).fill([409, 'CARD_ALREADY_LINKED']));
      assert.equal((await card(serial)).subscriber_id, winners[0]?.json.card.subscriber_id);
      assert.deepEqual(await auditActions(serial), ['card.link']);
    }
  });

  test('with CARDS_REQUIRE_STOCK only uploaded cards can be linked, and they keep their label', async () => {
    const strict = await testGateway({ env: { CARDS_REQUIRE_STOCK: 'true' }, db: kissi.db, clock: kissi.clock });
    try {
      const id = await newSubscriber();
      const serial = newSerial();
      const attempt = () => post('cards/link', { card_serial: serial, subscriber_id: id }, key, strict);
      assert.deepEqual(outcome(await attempt()), [404, 'CARD_NOT_FOUND']);
      assert.deepEqual(await stored(serial), []);
      const headers = { 'content-type': 'text/csv' };
      const raw = `serial,label\n${serial},Box 7\n`;
      await strict.call('POST', '/api/v1/cards/upload-csv', { token: key, raw, headers });
      const reply = await attempt();
      assert.deepEqual([reply.status, reply.json.card.label], [201, 'Box 7']);
      const child = { parent_serial: serial, card_serial: newSerial() };
      assert.deepEqual(outcome(await post('cards/child', child, key, strict)), [404, 'CARD_NOT_FOUND']);
    } finally {
      await strict.close();
    }
  });

  test('requires cards:write; a refused attempt of staff is audited', async () => {
    const id = await newSubscriber();
    const serial = newSerial();
    const readKey = (await apiKey(kissi, ['cards:read', 'subscribers:write', 'payments:write'])).key;
    for (const token of [readKey, compliance]) {
      assert.deepEqual(outcome(await link(serial, id, {}, token)), [403, 'FORBIDDEN']);
      assert.equal((await post('cards/upload-csv', {}, token)).status, 403);
    }
    assert.equal((await get('cards', readKey)).status, 200);
    const writeKey = (await apiKey(kissi, ['cards:write'])).key;
    assert.equal((await get('cards', writeKey)).status, 403);
    assert.deepEqual(await stored(serial), []);
    assert.equal((await auditLogs(kissi, { action: 'card.link.refused' }))[0].details.code, 'FORBIDDEN');
    assert.equal((await auditLogs(kissi, { action: 'card.upload.refused' }))[0].details.code, 'FORBIDDEN');
  });
});

describe('POST /cards/:serial/block and /unblock', () => {
  test('block a linked card and reactivate it; a repetition gets 409', async () => {
    const serial = await newLinkedCard(await newSubscriber());
    const before = await card(serial);
    const reply = await post(`cards/${serial.toLowerCase()}/block`, { reason: ' Lost ' });
    const blocked = { ...before, status: 'blocked' };
    assert.deepEqual(
      [reply.status, reply.json],
      [200, { success: true, message: 'The card was blocked.', card: blocked }],
    );
    assert.deepEqual(outcome(await post(`cards/${serial}/block`)), [409, 'ALREADY_BLOCKED']);
    assert.deepEqual(await card(serial), blocked);
    const unblocked = await post(`cards/${serial}/unblock`);
    assert.deepEqual([unblocked.status, unblocked.json.card], [200, before]);
    assert.deepEqual(outcome(await post(`cards/${serial}/unblock`)), [409, 'NOT_BLOCKED']);
    assert.deepEqual(await auditActions(serial), ['card.block', 'card.link', 'card.unblock']);
    const [entry] = await auditLogs(kissi, { resource_id: serial, action: 'card.block' });
    assert.deepEqual(entry.details, { reason: 'Lost' });
  });

  test('reason is optional, but must be valid when given', async () => {
    const serial = await newLinkedCard(await newSubscriber());
    for (const body of [{ reason: 5 }, { reason: 'x'.repeat(501) }, []]) {
      assert.deepEqual(outcome(await post(`cards/${serial}/block`, body)), [400, 'INVALID_REQUEST']);
    }
    assert.equal((await post(`cards/${serial}/block`, {})).status, 200);
    await post(`cards/${serial}/unblock`);
    assert.equal((await post(`cards/${serial}/block`)).status, 200);
  });

  test('a card in stock can be blocked, cannot be linked while blocked, and returns to stock', async () => {
    const serial = newSerial();
    const headers = { 'content-type': 'text/csv' };
    await kissi.call('POST', '/api/v1/cards/upload-csv', { token: key, raw: `serial\n${serial}`, headers });
    assert.equal((await post(`cards/${serial}/block`)).json.card.status, 'blocked');
    const id = await newSubscriber();
    assert.deepEqual(outcome(await link(serial, id)), [403, 'CARD_BLOCKED']);
    assert.equal((await post(`cards/${serial}/unblock`)).json.card.status, 'unassigned');
    assert.equal((await link(serial, id)).status, 201);
  });

  test('an unknown or invalid serial gets 404 CARD_NOT_FOUND', async () => {
    for (const serial of ['UNKNOWN-1', 'x', 'a'.repeat(200), '%C3%A4%C3%B6%C3%BC%C3%9F', 'A%20B%20C']) {
      assert.deepEqual(outcome(await get(`cards/${serial}`)), [404, 'CARD_NOT_FOUND'], serial);
      for (const action of ['block', 'unblock']) {
        assert.deepEqual(outcome(await post(`cards/${serial}/${action}`)), [404, 'CARD_NOT_FOUND'], serial);
      }
    }
  });

  test('concurrent requests take effect exactly once', async () => {
    const serial = await newLinkedCard(await newSubscriber());
    for (const action of ['block', 'unblock']) {
      const replies = await Promise.all(Array.from({ length: 8 }, () => post(`cards/${serial}/${action}`)));
      assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    }
    assert.equal((await auditActions(serial)).length, 3);
  });
});

describe('when the subscriber is blocked', () => {
  const statuses = async (id: string) =>
    (await get(`cards?subscriber_id=${id}`)).json.cards.map(({ status }: Json) => status);

  test('all its cards are blocked; unblocking it activates all of them', async () => {
    const [id, other] = [await newSubscriber(), await newSubscriber()];
    const [parent, otherCard] = [await newLinkedCard(id), await newLinkedCard(other)];
    await post('cards/child', { parent_serial: parent, card_serial: newSerial() });
    await post(`cards/${await newLinkedCard(id)}/block`);
    assert.deepEqual((await statuses(id)).toSorted(), ['active', 'active', 'blocked']);
    assert.equal((await post(`subscribers/${id}/block`, { reason: 'Fraud' })).json.subscriber.cards_count, 3);
    assert.deepEqual(await statuses(id), ['blocked', 'blocked', 'blocked']);
    assert.equal((await card(otherCard)).status, 'active');
    assert.deepEqual(outcome(await post(`cards/${parent}/unblock`)), [403, 'SUBSCRIBER_BLOCKED']);
    assert.deepEqual(outcome(await post(`cards/${parent}/block`)), [409, 'ALREADY_BLOCKED']);
    assert.equal((await post(`subscribers/${id}/unblock`, undefined, compliance)).status, 200);
    assert.deepEqual(await statuses(id), ['active', 'active', 'active']);
  });

  test('for some transaction types only, its cards stay active', async () => {
    const id = await newSubscriber();
    await newLinkedCard(id);
    await post(`subscribers/${id}/block`, { reason: 'x', transaction_types: ['pos_payment'] });
    assert.deepEqual(await statuses(id), ['active']);
  });

  test('a link that waits for the block is refused', async () => {
    const id = await newSubscriber();
    const serial = newSerial();
    const reply = await withLockContention(kissi, {
      lock: `select from subscribers where id = '${id}' for update`,
      waiters: 1,
      begin: () => link(serial, id),
      meanwhile: `update subscribers set status = 'BLOCKED' where id = '${id}'`,
    });
    assert.deepEqual(outcome(reply), [403, 'SUBSCRIBER_BLOCKED']);
    assert.deepEqual(await stored(serial), []);
  });

  test('an unblock of a card that waits for the block is refused', async () => {
    const id = await newSubscriber();
    const serial = await newLinkedCard(id);
    await post(`cards/${serial}/block`);
    const reply = await withLockContention(kissi, {
      lock: `select from subscribers where id = '${id}' for update`,
      waiters: 1,
      begin: () => post(`cards/${serial}/unblock`),
      meanwhile: `update subscribers set status = 'BLOCKED' where id = '${id}'`,
    });
    assert.deepEqual(outcome(reply), [403, 'SUBSCRIBER_BLOCKED']);
    assert.equal((await card(serial)).status, 'blocked');
  });
});

describe('GET /cards', () => {
  let isolated: TestGateway;
  let token: string;
  let holder: string;
  before(async () => {
    isolated = await testGateway();
    token = await isolated.adminToken();
    const body = { phone_number: '076600001', first_name: 'A', last_name: 'B', pin: '1234' };
    holder = (await post('subscribers', body, token, isolated)).json.subscriber_id;
    const headers = { 'content-type': 'text/csv' };
    const raw = 'serial\nST_1\nST_2\nSTX1\nZZ-1\n';
    await isolated.call('POST', '/api/v1/cards/upload-csv', { token, raw, headers });
    isolated.clock.advance(1_000);
    await post('cards/link', { card_serial: 'PARENT-1', subscriber_id: holder }, token, isolated);
    isolated.clock.advance(1_000);
    await post('cards/child', { parent_serial: 'PARENT-1', card_serial: 'CHILD-1' }, token, isolated);
    isolated.clock.advance(1_000);
    await post('cards/child', { parent_serial: 'PARENT-1', card_serial: 'ST_2' }, token, isolated);
    await post('cards/ZZ-1/block', {}, token, isolated);
  });
  after(() => isolated.close());

  const list = async (query = '') => (await isolated.call('GET', `/api/v1/cards?${query}`, { token })).json;
  const found = async (query: string) => {
    const { cards, total_count } = await list(query);
    assert.equal(total_count, cards.length);
    return cards.map(({ serial }: Json) => serial);
  };

  test('lists newest first, with an exact total and pages', async () => {
    assert.deepEqual(await found(''), ['CHILD-1', 'PARENT-1', 'STX1', 'ST_1', 'ST_2', 'ZZ-1']);
    const page = await list('limit=2&offset=1');
    assert.deepEqual(
      [page.cards.map(({ serial }: Json) => serial), page.total_count, page.limit, page.offset],
      [['PARENT-1', 'STX1'], 6, 2, 1],
    );
    assert.deepEqual(await list('offset=100'), { cards: [], total_count: 6, limit: 50, offset: 100 });
    assert.equal((await list('limit=1000')).limit, 100);
    for (const query of ['limit=-1', 'offset=x', 'status=lost', 'type=grandchild']) {
      assert.equal((await list(query)).code, 'INVALID_REQUEST', query);
    }
  });

  test('filters by status, type, subscriber, parent and serial prefix', async () => {
    assert.deepEqual(await found('status=unassigned'), ['STX1', 'ST_1']);
    assert.deepEqual(await found('status=blocked'), ['ZZ-1']);
    assert.deepEqual(await found('type=child'), ['CHILD-1', 'ST_2']);
    assert.deepEqual(await found(`subscriber_id=${holder}`), ['CHILD-1', 'PARENT-1', 'ST_2']);
    assert.deepEqual(await found(`subscriber_id=${holder}&type=parent`), ['PARENT-1']);
    assert.deepEqual(await found('subscriber_id=sub_unknown'), []);
    assert.deepEqual(await found('parent_serial=parent-1'), ['CHILD-1', 'ST_2']);
    assert.deepEqual(await found('parent_serial=x'), []);
    assert.deepEqual(await found('search=st_'), ['ST_1', 'ST_2']);
    assert.deepEqual(await found('search=ST'), ['STX1', 'ST_1', 'ST_2']);
    for (const query of ['search=%25', 'search=T_1', 'search=%F0%9F%8F%A6', `search=${'A'.repeat(65)}`]) {
      assert.deepEqual(await found(query), [], query);
    }
    assert.equal((await found('search=%20')).length, 6);
  });
});

test('the payment look-up ignores case and surrounding spaces of a serial, and finds nothing for an invalid one', async () => {
  const serial = await newLinkedCard(await newSubscriber());
  const { withHolder } = createCardLookups(kissi.db.database.reader);
  const serials = [serial, ` ${serial.toLowerCase()} `, 'UNKNOWN-1', '', 'a\0bc', 'ſſſſ'];
  const rows = await Promise.all(serials.map(withHolder));
  assert.deepEqual(
    rows.map((row) => row?.serial ?? null),
    [serial, serial, null, null, null, null],
  );
});
