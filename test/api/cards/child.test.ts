// Child cards: the parent card's requirements, daily limits, and the limit of child cards per subscriber.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { iso } from '../../../src/kernel/clock.ts';
import { type CallReply, testGateway } from '../../support/gateway.ts';
import { apiKey, auditLogs } from '../../support/staff.ts';

const kissi = await testGateway();
const second = await testGateway({ db: kissi.db, clock: kissi.clock });
const key = (await apiKey(kissi, ['subscribers:read', 'subscribers:write', 'cards:read', 'cards:write'])).key;
after(async () => {
  await second.close();
  await kissi.close();
});

let phones = 76_700_000;
let serials = 0;
const newSerial = () => `C${String(serials++).padStart(6, '0')}`;
const post = (path: string, body?: unknown, gateway = kissi): Promise<CallReply> =>
  gateway.call('POST', `/api/v1/${path}`, { token: key, ...(body === undefined ? {} : { body }) });
const linkChild = (parent_serial: string, card_serial: string, extra = {}, gateway = kissi) =>
  post('cards/child', { parent_serial, card_serial, ...extra }, gateway);
const outcome = ({ status, json }: CallReply) => [status, json.code];
const stored = async (serial: string) => (await kissi.db.query('select * from cards where serial = $1', [serial])).rows;
const cardsCount = async (id: string) =>
  (await kissi.call('GET', `/api/v1/subscribers/${id}`, { token: key })).json.subscriber.cards_count;

async function newHolder(extra: Record<string, unknown> = {}): Promise<{ id: string; parent: string }> {
  const body = { phone_number: `0${phones++}`, first_name: 'Musa', last_name: 'Conteh', pin: '1234', ...extra };
  const id = (await post('subscribers', body)).json.subscriber_id;
  const parent = newSerial();
  assert.equal((await post('cards/link', { card_serial: parent, subscriber_id: id })).status, 201);
  return { id, parent };
}

test("a child card belongs to its parent card's subscriber and counts as one of the subscriber's cards", async () => {
  const { id, parent } = await newHolder();
  kissi.clock.advance(1_000);
  const serial = newSerial();
  const reply = await linkChild(parent.toLowerCase(), serial.toLowerCase(), {
    label: 'Daughter',
    daily_limit: '50000',
  });
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
    retired_at: null,
    created_at: now,
  };
  assert.equal(reply.status, 201);
  assert.deepEqual(reply.json, { success: true, message: 'The child card was linked.', card });
  assert.equal(await cardsCount(id), 2);
  const [entry] = await auditLogs(kissi, { resource_id: serial });
  assert.equal(entry.action, 'card.child');
  assert.deepEqual(entry.details, { subscriber_id: id, parent_serial: parent, daily_limit: 50_000 });
});

test('daily_limit is a positive integer below 2^53, as a number or as digits', async () => {
  const { id, parent } = await newHolder();
  for (const daily_limit of [0, -1, 0.5, 1e21, 2 ** 53, '0', '-1', '1.5', '1e3', '', ' 5', '٥', '9007199254740992']) {
    const serial = newSerial();
    assert.deepEqual(
      outcome(await linkChild(parent, serial, { daily_limit })),
      [400, 'INVALID_AMOUNT'],
      String(daily_limit),
    );
    assert.deepEqual(await stored(serial), []);
  }
  assert.deepEqual(outcome(await linkChild(parent, newSerial(), { daily_limit: true })), [400, 'INVALID_REQUEST']);
  const reply = await linkChild(parent, newSerial(), { daily_limit: Number.MAX_SAFE_INTEGER });
  assert.equal(reply.json.card.daily_limit, Number.MAX_SAFE_INTEGER);
  assert.equal(await cardsCount(id), 2);
});

test('the parent card must exist, be linked and active, and not be a child card', async () => {
  const { parent } = await newHolder();
  const grandchild = newSerial();
  assert.deepEqual(outcome(await linkChild('UNKNOWN-1', grandchild)), [404, 'CARD_NOT_FOUND']);
  const headers = { 'content-type': 'text/csv' };
  await kissi.call('POST', '/api/v1/cards/upload-csv', { token: key, raw: 'serial\nIN-STOCK', headers });
  assert.deepEqual(outcome(await linkChild('IN-STOCK', grandchild)), [422, 'CARD_NOT_ASSIGNED']);
  const childSerial = newSerial();
  assert.equal((await linkChild(parent, childSerial)).status, 201);
  assert.deepEqual(outcome(await linkChild(childSerial, grandchild)), [400, 'INVALID_REQUEST']);
  await post(`cards/${parent}/block`);
  assert.deepEqual(outcome(await linkChild(parent, grandchild)), [403, 'CARD_BLOCKED']);
  assert.deepEqual(await stored(grandchild), []);
});

test('a blocked subscriber cannot get a child card', async () => {
  const { id, parent } = await newHolder();
  await post(`subscribers/${id}/block`, { reason: 'x' });
  assert.deepEqual(outcome(await linkChild(parent, newSerial())), [403, 'SUBSCRIBER_BLOCKED']);
});

test('a linked card, including the parent itself, cannot become a child card', async () => {
  const [first, other] = [await newHolder(), await newHolder()];
  for (const serial of [first.parent, other.parent]) {
    assert.deepEqual(outcome(await linkChild(first.parent, serial)), [409, 'CARD_ALREADY_LINKED']);
  }
  const inStock = newSerial();
  const headers = { 'content-type': 'text/csv' };
  await kissi.call('POST', '/api/v1/cards/upload-csv', { token: key, raw: `serial\n${inStock}`, headers });
  await post(`cards/${inStock}/block`);
  assert.deepEqual(outcome(await linkChild(first.parent, inStock)), [403, 'CARD_BLOCKED']);
  await post(`cards/${inStock}/unblock`);
  assert.equal((await linkChild(first.parent, inStock)).json.card.type, 'child');
});

test('exceeding max_child_cards, counted over all parents and blocked children, gets 409 CHILD_CARD_LIMIT', async () => {
  const { id, parent } = await newHolder({ max_child_cards: 2 });
  const otherParent = newSerial();
  await post('cards/link', { card_serial: otherParent, subscriber_id: id });
  const first = newSerial();
  assert.equal((await linkChild(parent, first)).status, 201);
  assert.equal((await linkChild(otherParent, newSerial())).status, 201);
  await post(`cards/${first}/block`);
  const refused = newSerial();
  assert.deepEqual(outcome(await linkChild(parent, refused)), [409, 'CHILD_CARD_LIMIT']);
  assert.deepEqual(await stored(refused), []);
  assert.equal(await cardsCount(id), 4);
  await kissi.call('PUT', `/api/v1/subscribers/${id}`, { token: key, body: { max_child_cards: 3 } });
  assert.equal((await linkChild(parent, refused)).status, 201);
  const withoutChildCards = await newHolder({ max_child_cards: 0 });
  assert.deepEqual(outcome(await linkChild(withoutChildCards.parent, newSerial())), [409, 'CHILD_CARD_LIMIT']);
});

test('concurrent requests on two gateways and two parent cards never exceed the limit', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, parent } = await newHolder();
    const otherParent = newSerial();
    await post('cards/link', { card_serial: otherParent, subscriber_id: id });
    const attempts = Array.from({ length: 16 }, (_, index) =>
      linkChild(index % 2 ? parent : otherParent, newSerial(), {}, index % 4 < 2 ? kissi : second),
    );
    const replies = await Promise.all(attempts);
    assert.equal(replies.filter(({ status }) => status === 201).length, 4);
    const refused = replies.filter(({ status }) => status !== 201).map(outcome);
    assert.deepEqual(refused, Array(12).fill([409, 'CHILD_CARD_LIMIT']));
    assert.equal(await cardsCount(id), 6);
  }
});

test("two holders linking each other's parent card concurrently with blocks do not deadlock", async () => {
  const [first, other] = [await newHolder(), await newHolder()];
  const requests = Array.from({ length: 20 }, (_, index) => {
    if (index % 4 === 3) return post(`cards/${first.parent}/${index % 8 === 3 ? 'block' : 'unblock'}`);
    return index % 2 ? linkChild(first.parent, other.parent) : linkChild(other.parent, first.parent, {}, second);
  });
  for (const { status, text } of await Promise.all(requests)) assert.ok(status < 500, text);
  assert.deepEqual([await cardsCount(first.id), await cardsCount(other.id)], [1, 1]);
});
