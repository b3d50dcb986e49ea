// Tests that repeated and concurrent wallet requests move money once, and that a retry gets the first reply byte for byte.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { bankForFile, movementCount, newAgentFloat, PIN, type Wallet, WRONG_PIN } from '../../support/money.ts';

const { kissi, bank } = await bankForFile();

let requests = 0;
const newRequestId = () => `order-${++requests}`;
const transfer = (body: object, headers?: Record<string, string>) => bank.post('/wallet/transfer', body, headers);
const asAdmin = async (path: string, body: object = {}) => kissi.asAdmin.post(path, body);

function assertReplayed(again: CallReply, first: CallReply): void {
  assert.equal(first.status, 200, first.text);
  assert.equal(first.headers.get('idempotent-replayed'), null);
  assert.equal(again.status, 200, again.text);
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(again.headers.get('content-type'), first.headers.get('content-type'));
}

async function newTransfer(balance = 100_000): Promise<{ from: Wallet; to: Wallet; body: Record<string, unknown> }> {
  const [from, to] = [await bank.wallet(balance), await bank.wallet()];
  const body = { sender_id: from.id, recipient_id: to.id, amount: 1_000, pin: PIN, request_id: newRequestId() };
  return { from, to, body };
}

test('a repeated request is replayed byte for byte and moves no money', async () => {
  const { to, body } = await newTransfer();
  const first = await transfer(body);
  kissi.clock.advance(60_000);
  for (const amount of [1_000, '1000']) assertReplayed(await transfer({ ...body, amount }), first);
  assert.equal(await bank.balance(to.id), 1_000);
});

test('every route that moves money is idempotent', async () => {
  const { from, to } = await newTransfer();
  const base = { amount: 500, pin: PIN };
  const bodies: [string, object][] = [
    ['/wallet/transfer', { ...base, sender_id: from.id, recipient_phone: to.phone }],
    ['/wallet/transfer-p2p', { ...base, sender_id: from.id, recipient_card_serial: await bank.card(to) }],
    ['/wallet/fund-from-partner', { partner_id: bank.partnerId, subscriber_id: to.id, amount: 700 }],
    ['/wallet/withdraw', { ...base, subscriber_id: from.id, agent_id: await newAgentFloat(kissi) }],
  ];
  for (const [path, body] of bodies) {
    const request = { ...body, request_id: newRequestId() };
    const first = await bank.post(path, request);
    assertReplayed(await bank.post(path, request), first);
  }
});

test('a retry on a gateway that has not seen the request is replayed, although the wallet is empty now', async () => {
  const { to, body } = await newTransfer(1_015);
  const first = await transfer(body);
  const other = await testGateway({ db: kissi.db, clock: kissi.clock });
  const retry = (changes: object = {}) =>
    other.call('POST', '/api/v1/wallet/transfer', { body: { ...body, ...changes }, token: bank.key });
  assertReplayed(await retry(), first);
  assert.equal((await retry({ amount: 900 })).json.code, 'REQUEST_CONFLICT');
  assert.equal((await retry({ request_id: newRequestId() })).json.code, 'INSUFFICIENT_BALANCE');
  await other.close();
  assert.equal(await bank.balance(to.id), 1_000);
});

test('a retry with another spelling of the card serial is a replay', async () => {
  const { from, to } = await newTransfer();
  const serial = await bank.card(to);
  const body = { sender_id: from.id, amount: 500, pin: PIN, request_id: newRequestId() };
  const first = await bank.post('/wallet/transfer-p2p', { ...body, recipient_card_serial: serial });
  for (const spelling of [serial.toLowerCase(), ` ${serial} `]) {
    assertReplayed(await bank.post('/wallet/transfer-p2p', { ...body, recipient_card_serial: spelling }), first);
  }
  const other = { ...body, recipient_card_serial: await bank.card(to) };
  assert.equal((await bank.post('/wallet/transfer-p2p', other)).json.code, 'REQUEST_CONFLICT');
  assert.equal(await bank.balance(to.id), 500);
});

test('a retry is replayed after the PIN is changed, wrong or locked, and both parties are blocked', async () => {
  const { from, to, body } = await newTransfer();
  const first = await transfer(body);
  await asAdmin(`/subscribers/${from.id}/change-pin`, { current_pin: PIN, new_pin: '8642' });
  assertReplayed(await transfer(body), first);
  for (let tries = 0; tries < 3; tries++) await transfer({ ...body, request_id: newRequestId(), pin: WRONG_PIN });
  assert.equal((await transfer({ ...body, request_id: newRequestId(), pin: '8642' })).json.code, 'ACCOUNT_LOCKED');
  assertReplayed(await transfer({ ...body, pin: WRONG_PIN }), first);
  await asAdmin(`/subscribers/${from.id}/block`, { reason: 'Lost' });
  await asAdmin(`/subscribers/${to.id}/block`, { reason: 'Lost' });
  assertReplayed(await transfer(body), first);
});

test('a retry by card is replayed after the card is blocked', async () => {
  const { from, to } = await newTransfer();
  const serial = await bank.card(to);
  const body = { sender_id: from.id, recipient_card_serial: serial, amount: 100, pin: PIN, request_id: newRequestId() };
  const first = await bank.post('/wallet/transfer-p2p', body);
  await bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
  assertReplayed(await bank.post('/wallet/transfer-p2p', body), first);
});

test('the same request id with other details gets 409 REQUEST_CONFLICT, on any route', async () => {
  const { from, to, body } = await newTransfer();
  await transfer(body);
  const third = await bank.wallet();
  const others = [
    { amount: 1_001 },
    { amount: 'nonsense' },
    { recipient_id: third.id },
    { recipient_id: undefined, recipient_phone: to.phone },
    { description: 'another' },
  ];
  for (const change of others) {
    const reply = await transfer({ ...body, ...change });
    assert.deepEqual([reply.status, reply.json.code], [409, 'REQUEST_CONFLICT'], JSON.stringify(change));
  }
  const agent_id = await newAgentFloat(kissi);
  const withdrawal = { subscriber_id: from.id, agent_id, amount: 1_000, pin: PIN, request_id: body.request_id };
  assert.equal((await bank.post('/wallet/withdraw', withdrawal)).json.code, 'REQUEST_CONFLICT');
  assert.equal(await movementCount(kissi, from.id), 2);
});

test('another party can use the same request id', async () => {
  const { to, body } = await newTransfer();
  const other = await bank.wallet(100_000);
  assert.equal((await transfer(body)).status, 200);
  assert.equal((await transfer({ ...body, sender_id: other.id })).status, 200);
  const funding = { partner_id: bank.partnerId, subscriber_id: to.id, amount: 1_000, request_id: body.request_id };
  assert.equal((await bank.post('/wallet/fund-from-partner', funding)).status, 200);
  assert.equal(await bank.balance(to.id), 3_000);
});

test('X-Request-ID is used only if the body has no request_id; without either, requests are not deduplicated', async () => {
  const { from, to, body } = await newTransfer();
  const bare = { ...body, request_id: undefined };
  const headers = { 'x-request-id': newRequestId() };
  const first = await transfer(bare, headers);
  assert.equal(first.json.request_id, headers['x-request-id']);
  assertReplayed(await transfer(bare, headers), first);
  assertReplayed(await transfer({ ...bare, request_id: headers['x-request-id'] }), first);
  const named = await transfer(body, headers);
  assert.equal(named.json.request_id, body.request_id, 'the body has precedence over the header');
  for (let times = 0; times < 2; times++) {
    const reply = await transfer(bare);
    assert.deepEqual([reply.status, reply.json.request_id], [200, null]);
  }
  assert.equal(await bank.balance(to.id), 4_000);
  assert.equal(await movementCount(kissi, from.id), 5);
});

test('refusals are not stored: a refused request can be retried', async () => {
  const { from, body } = await newTransfer(100);
  assert.equal((await transfer(body)).json.code, 'INSUFFICIENT_BALANCE');
  assert.equal((await transfer({ ...body, amount: 0 })).json.code, 'INVALID_AMOUNT');
  await bank.fund(from, 100_000);
  const done = assertStatus(await transfer(body), 200);
  assertReplayed(await transfer(body), done);
});

test('a retry may have another PIN, because the stored request does not contain the PIN', async () => {
  const { body } = await newTransfer();
  const first = await transfer(body);
  assertReplayed(await transfer({ ...body, pin: WRONG_PIN }), first);
  const text = 'select row_to_json(r)::text as stored from requests r where request_id = $1';
  const { rows } = await kissi.db.query(text, [body.request_id]);
  assert.equal(rows.length, 1);
  assert.ok(!rows[0].stored.includes(`"${PIN}"`));
});

test('fifty concurrent retries move money once and get the same reply', async () => {
  const { from, to, body } = await newTransfer();
  const replies = await Promise.all(Array.from({ length: 50 }, () => transfer(body)));
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  assert.equal(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
  assert.equal(await bank.balance(to.id), 1_000);
  assert.equal(await movementCount(kissi, from.id), 2);
});

test('concurrent retries through two gateways move money once', async () => {
  const other = await testGateway({ db: kissi.db, clock: kissi.clock });
  const { to, body } = await newTransfer();
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 ? kissi : other).call('POST', '/api/v1/wallet/transfer', { body, token: bank.key }),
    ),
  );
  assert.deepEqual(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1, String(replies[0]?.text));
  assert.equal(replies[0]?.status, 200);
  assert.equal(await bank.balance(to.id), 1_000);
  await other.close();
});

test('exactly one of twenty concurrent transfers of the whole balance succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    const from = await bank.wallet(10_150);
    const recipients = await Promise.all(Array.from({ length: 20 }, () => bank.wallet()));
    const replies = await Promise.all(
      recipients.map(({ id }) => transfer({ sender_id: from.id, recipient_id: id, amount: 10_000, pin: PIN })),
    );
    const codes = replies.map(({ status, json }) => json.code ?? status);
    assert.equal(codes.filter((code) => code === 200).length, 1, codes.join());
    assert.equal(codes.filter((code) => code === 'INSUFFICIENT_BALANCE').length, 19, codes.join());
    assert.equal(await bank.balance(from.id), 0);
  }
});

test('concurrent transfers in both directions neither lose money nor deadlock', async () => {
  const wallets = await Promise.all(Array.from({ length: 6 }, () => bank.wallet(1_000_000)));
  const total = async () => {
    const all = await Promise.all(wallets.map(({ id }) => bank.balance(id)));
    return all.reduce((sum, balance) => sum + balance, 0);
  };
  const before = await total();
  const replies = await Promise.all(
    Array.from({ length: 300 }, (_, index) => {
      const from = wallets[index % 6] as Wallet;
      const to = wallets[(index + 1 + (index % 5)) % 6] as Wallet;
      return transfer({ sender_id: from.id, recipient_id: to.id, amount: 100 + index, pin: PIN });
    }),
  );
  const fees = replies.reduce((sum, { json }) => sum + json.fee, 0);
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  assert.equal(await total(), before - fees);
});
