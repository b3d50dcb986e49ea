// Cards one by one: linked once, to one subscriber; found, listed, blocked and unblocked.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { iso } from '../../src/kernel/clock.ts';
import { createCardLookups } from '../../src/parties/card.ts';
import { type CallReply, gatewayForFile, type Json, type TestGateway, testGateway } from '../support/gateway.ts';
import { apiKey, auditLogs, staffToken, withLockContention } from '../support/staff.ts';

const kissi = await gatewayForFile();
const key = (await apiKey(kissi, ['subscribers:read', 'subscribers:write', 'cards:read', 'cards:write'])).key;
const compliance = await staffToken(kissi, 'compliance_user');

let phones = 76_500_000;
async function subscriber(extra: Record<string, unknown> = {}, token = key): Promise<string> {
  const body = { phone_number: `0${phones++}`, first_name: 'Sia', last_name: 'Koroma', pin: '1234', ...extra };
  const reply = await kissi.call('POST', '/api/v1/subscribers', { token, body });
  assert.equal(reply.status, 201, reply.text);
  return reply.json.subscriber_id;
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
const stored = async (serial: string) =>
  (await kissi.db.database.pool.query('select * from cards where serial = $1', [serial])).rows;
async function linked(id: string): Promise<string> {
  const serial = newSerial();
  const reply = await link(serial, id);
  assert.equal(reply.status, 201, reply.text);
  return serial;
}
const actions = async (serial: string) =>
  (await auditLogs(kissi, { resource_id: serial })).map((entry) => entry.action).toSorted();

describe('link', () => {
  test('takes an unknown card into stock and links it: the record, the count and the audit say so', async () => {
    const id = await subscriber();
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
      created_at: now,
    };
    assert.equal(reply.status, 201);
    assert.deepEqual(reply.json, { success: true, message: 'The card was linked.', card: record });
    assert.deepEqual((await get('cards/04:a2:B1:ff')).json, { card: record });
    assert.equal(await cardsCount(id), 1);
    const [entry] = await auditLogs(kissi, { resource_id: '04:A2:B1:FF' });
    assert.deepEqual([entry.action, entry.resource_type, entry.details], ['card.link', 'card', { subscriber_id: id }]);
  });

  test('a card that is linked stays where it is, whatever case its serial is written in', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    const serial = await linked(one);
    for (const id of [one, other]) {
      assert.deepEqual(outcome(await link(serial.toLowerCase(), id)), [409, 'CARD_ALREADY_LINKED']);
    }
    assert.equal((await card(serial)).subscriber_id, one);
    assert.deepEqual([await cardsCount(one), await cardsCount(other)], [1, 0]);
    assert.deepEqual(await actions(serial), ['card.link']);
  });

  test('an unknown subscriber is 404 SUBSCRIBER_NOT_FOUND, and the card is not taken into stock', async () => {
    const serial = newSerial();
    assert.deepEqual(outcome(await link(serial, 'sub_nobody')), [404, 'SUBSCRIBER_NOT_FOUND']);
    assert.deepEqual(await stored(serial), []);
  });

  test('a BLOCKED subscriber gets no card; a PENDING one does', async () => {
    const serial = newSerial();
    const blocked = await subscriber();
    await post(`subscribers/${blocked}/block`, { reason: 'x' });
    assert.deepEqual(outcome(await link(serial, blocked)), [403, 'SUBSCRIBER_BLOCKED']);
    assert.deepEqual(await stored(serial), []);
    const pending = await subscriber({ status: 'PENDING' }, await kissi.adminToken());
    assert.equal((await link(serial, pending)).json.card.status, 'active');
  });

  test('refuses what is no serial or label, naming the field', async () => {
    const id = await subscriber();
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

  test('of many subscribers who want one card at once exactly one gets it', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => subscriber()));
    for (let round = 0; round < 5; round++) {
      const serial = newSerial();
      const replies = await Promise.all(ids.map((id) => link(serial, id)));
      const winners = replies.filter(({ status }) => status === 201);
      assert.equal(winners.length, 1);
      const losers = replies.filter(({ status }) => status !== 201).map(outcome);
      assert.deepEqual(losers, Array(7).fill([409, 'CARD_ALREADY_LINKED']));
      assert.equal((await card(serial)).subscriber_id, winners[0]?.json.card.subscriber_id);
      assert.deepEqual(await actions(serial), ['card.link']);
    }
  });

  test('with CARDS_REQUIRE_STOCK only what was uploaded is linked, and keeps its label', async () => {
    const strict = await testGateway({ env: { CARDS_REQUIRE_STOCK: 'true' }, db: kissi.db, clock: kissi.clock });
    try {
      const id = await subscriber();
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

  test('needs cards:write; a refused attempt of staff is in the log', async () => {
    const id = await subscriber();
    const serial = newSerial();
    const reader = (await apiKey(kissi, ['cards:read', 'subscribers:write', 'payments:write'])).key;
    for (const token of [reader, compliance]) {
      assert.deepEqual(outcome(await link(serial, id, {}, token)), [403, 'FORBIDDEN']);
      assert.equal((await post('cards/upload-csv', {}, token)).status, 403);
    }
    assert.equal((await get('cards', reader)).status, 200);
    const writer = (await apiKey(kissi, ['cards:write'])).key;
    assert.equal((await get('cards', writer)).status, 403);
    assert.deepEqual(await stored(serial), []);
    assert.equal((await auditLogs(kissi, { action: 'card.link.refused' }))[0].details.code, 'FORBIDDEN');
    assert.equal((await auditLogs(kissi, { action: 'card.upload.refused' }))[0].details.code, 'FORBIDDEN');
  });
});

describe('block and unblock', () => {
  test('block a linked card, once, and make it active again, once', async () => {
    const serial = await linked(await subscriber());
    const before = await card(serial);
    const reply = await post(`cards/${serial.toLowerCase()}/block`, { reason: ' Lost ' });
    const blocked = { ...before, status: 'blocked' };
    assert.deepEqual(
      [reply.status, reply.json],
      [200, { success: true, message: 'The card was blocked.', card: blocked }],
    );
    assert.deepEqual(outcome(await post(`cards/${serial}/block`)), [409, 'ALREADY_BLOCKED']);
    assert.deepEqual(await card(serial), blocked);
    const undone = await post(`cards/${serial}/unblock`);
    assert.deepEqual([undone.status, undone.json.card], [200, before]);
    assert.deepEqual(outcome(await post(`cards/${serial}/unblock`)), [409, 'NOT_BLOCKED']);
    assert.deepEqual(await actions(serial), ['card.block', 'card.link', 'card.unblock']);
    const [entry] = await auditLogs(kissi, { resource_id: serial, action: 'card.block' });
    assert.deepEqual(entry.details, { reason: 'Lost' });
  });

  test('a reason may be left out, but not be nonsense', async () => {
    const serial = await linked(await subscriber());
    for (const body of [{ reason: '' }, { reason: 5 }, { reason: 'x'.repeat(501) }, []]) {
      assert.deepEqual(outcome(await post(`cards/${serial}/block`, body)), [400, 'INVALID_REQUEST']);
    }
    assert.equal((await post(`cards/${serial}/block`, {})).status, 200);
    await post(`cards/${serial}/unblock`);
    assert.equal((await post(`cards/${serial}/block`)).status, 200);
  });

  test('a card in stock can be blocked, is then not linked, and goes back to stock', async () => {
    const serial = newSerial();
    const headers = { 'content-type': 'text/csv' };
    await kissi.call('POST', '/api/v1/cards/upload-csv', { token: key, raw: `serial\n${serial}`, headers });
    assert.equal((await post(`cards/${serial}/block`)).json.card.status, 'blocked');
    const id = await subscriber();
    assert.deepEqual(outcome(await link(serial, id)), [403, 'CARD_BLOCKED']);
    assert.equal((await post(`cards/${serial}/unblock`)).json.card.status, 'unassigned');
    assert.equal((await link(serial, id)).status, 201);
  });

  test('what is no card is 404 CARD_NOT_FOUND', async () => {
    for (const serial of ['NOBODY-1', 'x', 'a'.repeat(200), '%C3%A4%C3%B6%C3%BC%C3%9F', 'A%20B%20C']) {
      assert.deepEqual(outcome(await get(`cards/${serial}`)), [404, 'CARD_NOT_FOUND'], serial);
      for (const verb of ['block', 'unblock']) {
        assert.deepEqual(outcome(await post(`cards/${serial}/${verb}`)), [404, 'CARD_NOT_FOUND'], serial);
      }
    }
  });

  test('of many at once each takes effect exactly once', async () => {
    const serial = await linked(await subscriber());
    for (const verb of ['block', 'unblock']) {
      const replies = await Promise.all(Array.from({ length: 8 }, () => post(`cards/${serial}/${verb}`)));
      assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    }
    assert.equal((await actions(serial)).length, 3);
  });
});

describe('the subscriber', () => {
  const statuses = async (id: string) =>
    (await get(`cards?subscriber_id=${id}`)).json.cards.map(({ status }: Json) => status);

  test('blocked as a whole blocks every card, unblocked makes every linked card active', async () => {
    const [id, other] = [await subscriber(), await subscriber()];
    const [parent, stranger] = [await linked(id), await linked(other)];
    await post('cards/child', { parent_serial: parent, card_serial: newSerial() });
    await post(`cards/${await linked(id)}/block`);
    assert.deepEqual((await statuses(id)).toSorted(), ['active', 'active', 'blocked']);
    assert.equal((await post(`subscribers/${id}/block`, { reason: 'Fraud' })).json.subscriber.cards_count, 3);
    assert.deepEqual(await statuses(id), ['blocked', 'blocked', 'blocked']);
    assert.equal((await card(stranger)).status, 'active');
    assert.deepEqual(outcome(await post(`cards/${parent}/unblock`)), [403, 'SUBSCRIBER_BLOCKED']);
    assert.deepEqual(outcome(await post(`cards/${parent}/block`)), [409, 'ALREADY_BLOCKED']);
    assert.equal((await post(`subscribers/${id}/unblock`, undefined, compliance)).status, 200);
    assert.deepEqual(await statuses(id), ['active', 'active', 'active']);
  });

  test('with some transaction types disabled keeps its cards', async () => {
    const id = await subscriber();
    await linked(id);
    await post(`subscribers/${id}/block`, { reason: 'x', transaction_types: ['pos_payment'] });
    assert.deepEqual(await statuses(id), ['active']);
  });

  test('is not blocked while a card slips through: a link that waited for the block is refused', async () => {
    const id = await subscriber();
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

  test('is not blocked while one of its cards comes free', async () => {
    const id = await subscriber();
    const serial = await linked(id);
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

describe('the list', () => {
  let own: TestGateway;
  let token: string;
  let holder: string;
  before(async () => {
    own = await testGateway();
    token = await own.adminToken();
    const body = { phone_number: '076600001', first_name: 'A', last_name: 'B', pin: '1234' };
    holder = (await post('subscribers', body, token, own)).json.subscriber_id;
    const headers = { 'content-type': 'text/csv' };
    const raw = 'serial\nST_1\nST_2\nSTX1\nZZ-1\n';
    await own.call('POST', '/api/v1/cards/upload-csv', { token, raw, headers });
    own.clock.advance(1_000);
    await post('cards/link', { card_serial: 'PARENT-1', subscriber_id: holder }, token, own);
    own.clock.advance(1_000);
    await post('cards/child', { parent_serial: 'PARENT-1', card_serial: 'CHILD-1' }, token, own);
    own.clock.advance(1_000);
    await post('cards/child', { parent_serial: 'PARENT-1', card_serial: 'ST_2' }, token, own);
    await post('cards/ZZ-1/block', {}, token, own);
  });
  after(() => own.close());

  const list = async (query = '') => (await own.call('GET', `/api/v1/cards?${query}`, { token })).json;
  const found = async (query: string) => {
    const { cards, total_count } = await list(query);
    assert.equal(total_count, cards.length);
    return cards.map(({ serial }: Json) => serial);
  };

  test('is newest first, counts all and pages', async () => {
    assert.deepEqual(await found(''), ['CHILD-1', 'PARENT-1', 'STX1', 'ST_1', 'ST_2', 'ZZ-1']);
    const page = await list('limit=2&offset=1');
    assert.deepEqual(
      [page.cards.map(({ serial }: Json) => serial), page.total_count, page.limit, page.offset],
      [['PARENT-1', 'STX1'], 6, 2, 1],
    );
    assert.deepEqual(await list('offset=100'), { cards: [], total_count: 6, limit: 50, offset: 100 });
    assert.equal((await list('limit=1000')).limit, 100);
    for (const bad of ['limit=-1', 'offset=x', 'status=lost', 'type=grandchild']) {
      assert.equal((await list(bad)).code, 'INVALID_REQUEST', bad);
    }
  });

  test('filters by status, type, subscriber, parent and how the serial begins', async () => {
    assert.deepEqual(await found('status=unassigned'), ['STX1', 'ST_1']);
    assert.deepEqual(await found('status=blocked'), ['ZZ-1']);
    assert.deepEqual(await found('type=child'), ['CHILD-1', 'ST_2']);
    assert.deepEqual(await found(`subscriber_id=${holder}`), ['CHILD-1', 'PARENT-1', 'ST_2']);
    assert.deepEqual(await found(`subscriber_id=${holder}&type=parent`), ['PARENT-1']);
    assert.deepEqual(await found('subscriber_id=sub_nobody'), []);
    assert.deepEqual(await found('parent_serial=parent-1'), ['CHILD-1', 'ST_2']);
    assert.deepEqual(await found('parent_serial=x'), []);
    assert.deepEqual(await found('search=st_'), ['ST_1', 'ST_2']);
    assert.deepEqual(await found('search=ST'), ['STX1', 'ST_1', 'ST_2']);
    for (const nothing of ['search=%25', 'search=T_1', 'search=%F0%9F%8F%A6', `search=${'A'.repeat(65)}`]) {
      assert.deepEqual(await found(nothing), [], nothing);
    }
    assert.equal((await found('search=%20')).length, 6);
  });
});

test('the look-up for payments takes a serial in any form and answers many in one query', async () => {
  const serial = await linked(await subscriber());
  const { withHolder } = createCardLookups(kissi.db.database.reader);
  const asked = [serial, ` ${serial.toLowerCase()} `, 'NOBODY-1', '', 'a\0bc', 'ſſſſ'];
  const rows = await Promise.all(asked.map(withHolder));
  assert.deepEqual(
    rows.map((row) => row?.serial ?? null),
    [serial, serial, null, null, null, null],
  );
});
