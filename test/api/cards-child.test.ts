// Child cards: on a linked, active parent card, of the same subscriber, and never more than the subscriber may have.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { iso } from '../../src/kernel/clock.ts';
import { type CallReply, type TestGateway, testGateway } from '../support/gateway.ts';
import { apiKey, auditLogs } from '../support/staff.ts';

let kissi: TestGateway;
let second: TestGateway;
let key: string;

before(async () => {
  kissi = await testGateway();
  second = await testGateway({ db: kissi.db, clock: kissi.clock });
  key = (await apiKey(kissi, ['subscribers:read', 'subscribers:write', 'cards:read', 'cards:write'])).key;
});
after(async () => {
  await second.close();
  await kissi.close();
});

let phones = 76_700_000;
let serials = 0;
const newSerial = () => `C${String(serials++).padStart(6, '0')}`;
const post = (path: string, body?: unknown, gateway = kissi): Promise<CallReply> =>
  gateway.call('POST', `/api/v1/${path}`, { token: key, ...(body === undefined ? {} : { body }) });
const child = (parent_serial: string, card_serial: string, extra = {}, gateway = kissi) =>
  post('cards/child', { parent_serial, card_serial, ...extra }, gateway);
const outcome = ({ status, json }: CallReply) => [status, json.code];
const stored = async (serial: string) =>
  (await kissi.db.database.pool.query('select * from cards where serial = $1', [serial])).rows;
const cardsCount = async (id: string) =>
  (await kissi.call('GET', `/api/v1/subscribers/${id}`, { token: key })).json.subscriber.cards_count;

async function holder(extra: Record<string, unknown> = {}): Promise<{ id: string; parent: string }> {
  const body = { phone_number: `0${phones++}`, first_name: 'Musa', last_name: 'Conteh', pin: '1234', ...extra };
  const id = (await post('subscribers', body)).json.subscriber_id;
  const parent = newSerial();
  assert.equal((await post('cards/link', { card_serial: parent, subscriber_id: id })).status, 201);
  return { id, parent };
}

test('a child card belongs to the subscriber of its parent and counts as one of its cards', async () => {
  const { id, parent } = await holder();
  kissi.clock.advance(1_000);
  const serial = newSerial();
  const reply = await child(parent.toLowerCase(), serial.toLowerCase(), { label: 'Daughter', daily_limit: '50000' });
  const now = iso(kissi.clock.now());
  const card = {
    serial,
    type: 'child',
    status: 'active',
    subscriber_id: id,
    parent_serial: parent,
    label: 'Daughter',
    daily_limit: 50_000,
    linked_at: now,
    created_at: now,
  };
  assert.equal(reply.status, 201);
  assert.deepEqual(reply.json, { success: true, message: 'The child card was linked.', card });
  assert.equal(await cardsCount(id), 2);
  const [entry] = await auditLogs(kissi, { resource_id: serial });
  assert.equal(entry.action, 'card.child');
  assert.deepEqual(entry.details, { subscriber_id: id, parent_serial: parent, daily_limit: 50_000 });
});

test('daily_limit is an amount: whole, positive, below 2^53, as a number or digits', async () => {
  const { id, parent } = await holder();
  for (const daily_limit of [0, -1, 0.5, 1e21, 2 ** 53, '0', '-1', '1.5', '1e3', '', ' 5', '٥', '9007199254740992']) {
    const serial = newSerial();
    assert.deepEqual(
      outcome(await child(parent, serial, { daily_limit })),
      [400, 'INVALID_AMOUNT'],
      String(daily_limit),
    );
    assert.deepEqual(await stored(serial), []);
  }
  assert.deepEqual(outcome(await child(parent, newSerial(), { daily_limit: null })), [400, 'INVALID_REQUEST']);
  const reply = await child(parent, newSerial(), { daily_limit: Number.MAX_SAFE_INTEGER });
  assert.equal(reply.json.card.daily_limit, Number.MAX_SAFE_INTEGER);
  assert.equal(await cardsCount(id), 2);
});

test('the parent must be there, linked, active and no child itself', async () => {
  const { parent } = await holder();
  const grandchild = newSerial();
  assert.deepEqual(outcome(await child('NOBODY-1', grandchild)), [404, 'CARD_NOT_FOUND']);
  const headers = { 'content-type': 'text/csv' };
  await kissi.call('POST', '/api/v1/cards/upload-csv', { token: key, raw: 'serial\nIN-STOCK', headers });
  assert.deepEqual(outcome(await child('IN-STOCK', grandchild)), [422, 'CARD_NOT_ASSIGNED']);
  const made = newSerial();
  assert.equal((await child(parent, made)).status, 201);
  assert.deepEqual(outcome(await child(made, grandchild)), [400, 'INVALID_REQUEST']);
  await post(`cards/${parent}/block`);
  assert.deepEqual(outcome(await child(parent, grandchild)), [403, 'CARD_BLOCKED']);
  assert.deepEqual(await stored(grandchild), []);
});

test('a blocked subscriber gets no child card', async () => {
  const { id, parent } = await holder();
  await post(`subscribers/${id}/block`, { reason: 'x' });
  assert.deepEqual(outcome(await child(parent, newSerial())), [403, 'SUBSCRIBER_BLOCKED']);
});

test('a card that is linked, the parent itself included, does not become a child', async () => {
  const [one, other] = [await holder(), await holder()];
  for (const serial of [one.parent, other.parent]) {
    assert.deepEqual(outcome(await child(one.parent, serial)), [409, 'CARD_ALREADY_LINKED']);
  }
  const inStock = newSerial();
  const headers = { 'content-type': 'text/csv' };
  await kissi.call('POST', '/api/v1/cards/upload-csv', { token: key, raw: `serial\n${inStock}`, headers });
  await post(`cards/${inStock}/block`);
  assert.deepEqual(outcome(await child(one.parent, inStock)), [403, 'CARD_BLOCKED']);
  await post(`cards/${inStock}/unblock`);
  assert.equal((await child(one.parent, inStock)).json.card.type, 'child');
});

test('past max_child_cards is 409 CHILD_CARD_LIMIT, over all parents and with blocked children counted', async () => {
  const { id, parent } = await holder({ max_child_cards: 2 });
  const otherParent = newSerial();
  await post('cards/link', { card_serial: otherParent, subscriber_id: id });
  const first = newSerial();
  assert.equal((await child(parent, first)).status, 201);
  assert.equal((await child(otherParent, newSerial())).status, 201);
  await post(`cards/${first}/block`);
  const refused = newSerial();
  assert.deepEqual(outcome(await child(parent, refused)), [409, 'CHILD_CARD_LIMIT']);
  assert.deepEqual(await stored(refused), []);
  assert.equal(await cardsCount(id), 4);
  await kissi.call('PUT', `/api/v1/subscribers/${id}`, { token: key, body: { max_child_cards: 3 } });
  assert.equal((await child(parent, refused)).status, 201);
  const none = await holder({ max_child_cards: 0 });
  assert.deepEqual(outcome(await child(none.parent, newSerial())), [409, 'CHILD_CARD_LIMIT']);
});

test('child cards that race, over two gateways and two parents, never exceed the limit', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, parent } = await holder();
    const otherParent = newSerial();
    await post('cards/link', { card_serial: otherParent, subscriber_id: id });
    const attempts = Array.from({ length: 16 }, (_, index) =>
      child(index % 2 ? parent : otherParent, newSerial(), {}, index % 4 < 2 ? kissi : second),
    );
    const replies = await Promise.all(attempts);
    assert.equal(replies.filter(({ status }) => status === 201).length, 4);
    const refused = replies.filter(({ status }) => status !== 201).map(outcome);
    assert.deepEqual(refused, Array(12).fill([409, 'CHILD_CARD_LIMIT']));
    assert.equal(await cardsCount(id), 6);
  }
});

test('two subscribers who each want the other one’s parent as a child, and blocks meanwhile, end without a deadlock', async () => {
  const [one, other] = [await holder(), await holder()];
  const work = Array.from({ length: 20 }, (_, index) => {
    if (index % 4 === 3) return post(`cards/${one.parent}/${index % 8 === 3 ? 'block' : 'unblock'}`);
    return index % 2 ? child(one.parent, other.parent) : child(other.parent, one.parent, {}, second);
  });
  for (const { status, text } of await Promise.all(work)) assert.ok(status < 500, text);
  assert.deepEqual([await cardsCount(one.id), await cardsCount(other.id)], [1, 1]);
});
