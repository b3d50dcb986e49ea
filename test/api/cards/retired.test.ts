// Retired cards, child cards of blocked parents, and re-enabled transaction types.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { assertRefused } from '../../support/agents.ts';
import { lockWaiters } from '../../support/citus.ts';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { bankForFile, PIN, type Wallet, WRONG_PIN } from '../../support/money.ts';
import { apiKey, auditLogs, staffToken, withLockContention } from '../../support/staff.ts';
import { type Terminal, terminalOf } from '../../support/terminal.ts';
import { waitFor } from '../../support/wait.ts';

const { kissi, bank } = await bankForFile({ unauditedRecords: ['subscriber'] });
const terminal: Terminal = await terminalOf(kissi);
const { key } = await apiKey(kissi, ['subscribers:read', 'subscribers:write', 'cards:read', 'cards:write']);
const compliance = await staffToken(kissi, 'compliance_user');

const post = (path: string, body?: unknown, token = key): Promise<CallReply> =>
  kissi.call('POST', `/api/v1/${path}`, { token, ...(body === undefined ? {} : { body }) });
const cardOf = async (serial: string) => (await bank.get(`/cards/${serial}`)).json.card;
const retire = (serial: string, reason = 'Stolen') => post(`cards/${serial}/block`, { reason, permanent: true });
const barred = async (id: string) =>
  (await kissi.db.query('select barred from accounts where id = $1', [id])).rows[0].barred;
const blockSubscriber = ({ id }: Wallet) => post(`subscribers/${id}/block`, { reason: 'Theft reported' });
const unblockSubscriber = ({ id }: Wallet) => post(`subscribers/${id}/unblock`, undefined, compliance);

let serials = 0;
const newSerial = () => `RET-${String(++serials).padStart(5, '0')}`;

async function childOf(parent: string): Promise<string> {
  const serial = newSerial();
  assertStatus(await post('cards/child', { parent_serial: parent, card_serial: serial }), 201);
  return serial;
}

async function assertPays(serial: string): Promise<string> {
  return assertStatus(await terminal.pay(serial, { amount: 100 }), 200).json.transaction_id;
}

async function assertCannotPay(serial: string): Promise<void> {
  for (const reply of [await terminal.pay(serial), await terminal.payInApp(serial)]) {
    assertRefused(reply, 403, 'CARD_BLOCKED');
  }
}

describe('POST /cards/:serial/block with permanent', () => {
  test('unlinks the card for good: blocked, without a holder, and no longer counted', async () => {
    const { wallet, card } = await bank.customer();
    const reply = assertStatus(await retire(card, ' Stolen '), 200);
    assert.equal(reply.json.message, 'The card was retired.');
    const { status, subscriber_id, linked_at, retired_at } = await cardOf(card);
    assert.deepEqual([status, subscriber_id, linked_at], ['blocked', null, null]);
    assert.equal(retired_at, new Date(kissi.clock.now()).toISOString());
    const { json } = await kissi.call('GET', `/api/v1/subscribers/${wallet.id}`, { token: key });
    assert.equal(json.subscriber.cards_count, 0);
    const [entry] = await auditLogs(kissi, { resource_id: card, action: 'card.retire' });
    assert.deepEqual(entry.details, { reason: 'Stolen', subscriber_id: wallet.id });
    await assertCannotPay(card);
  });

  test('a retired card is never linked, unblocked, uploaded or retired again', async () => {
    const { wallet, card } = await bank.customer();
    await retire(card);
    assertRefused(await post('cards/link', { card_serial: card, subscriber_id: wallet.id }), 403, 'CARD_BLOCKED');
    const other = await bank.card(wallet);
    assertRefused(await post('cards/child', { parent_serial: other, card_serial: card }), 403, 'CARD_BLOCKED');
    assertRefused(await post('cards/child', { parent_serial: card, card_serial: newSerial() }), 403, 'CARD_BLOCKED');
    assertRefused(await post(`cards/${card}/unblock`), 403, 'CARD_BLOCKED');
    assertRefused(await post(`cards/${card}/block`), 409, 'ALREADY_BLOCKED');
    assertRefused(await retire(card), 409, 'ALREADY_BLOCKED');
    const headers = { 'content-type': 'text/csv' };
    const upload = await kissi.call('POST', '/api/v1/cards/upload-csv', {
      token: key,
      raw: `serial\n${card}`,
      headers,
    });
    assert.deepEqual([upload.json.created, upload.json.skipped], [0, 1]);
    assert.equal((await cardOf(card)).status, 'blocked');
  });

  test('blocking and unblocking the subscriber does not revive it', async () => {
    const { wallet, card } = await bank.customer();
    const kept = await bank.card(wallet);
    await retire(card);
    assert.equal((await blockSubscriber(wallet)).status, 200);
    assert.equal((await unblockSubscriber(wallet)).status, 200);
    await assertCannotPay(card);
    await assertPays(kept);
    assert.deepEqual(await barred(wallet.id), [card]);
  });

  test('a card that is already blocked, or whose subscriber is blocked, can be retired', async () => {
    const { wallet, card } = await bank.customer();
    await post(`cards/${card}/block`);
    assert.equal((await retire(card)).status, 200);
    const second = await bank.card(wallet);
    await blockSubscriber(wallet);
    assert.equal((await retire(second)).status, 200);
    await unblockSubscriber(wallet);
    for (const serial of [card, second]) await assertCannotPay(serial);
  });

  test('a card in stock can be retired', async () => {
    const serial = newSerial();
    const headers = { 'content-type': 'text/csv' };
    await kissi.call('POST', '/api/v1/cards/upload-csv', { token: key, raw: `serial\n${serial}`, headers });
    assert.equal((await retire(serial)).status, 200);
    assertRefused(await post(`cards/${serial}/unblock`), 403, 'CARD_BLOCKED');
  });

  test('its past payments stay visible and can be refunded', async () => {
    const { wallet, card } = await bank.customer(10_000);
    const payment = await assertPays(card);
    await retire(card);
    const looked = assertStatus(await terminal.send('/pos/lookup-card', { card_serial: card }), 200);
    assert.equal(looked.json.subscriber, null);
    assert.deepEqual(
      looked.json.recent_payments.map((each: { transaction_id: string }) => each.transaction_id),
      [payment],
    );
    assert.equal((await terminal.refund(payment)).status, 200);
    assert.equal(await bank.balance(wallet.id), 10_000);
  });

  test('a card that a politically exposed person held stays protected; a look-up answers as for anybody', async () => {
    const { wallet, card } = await bank.customer();
    await retire(card);
    await kissi.db.query('update subscribers set is_pep = true where id = $1', [wallet.id]);
    assertRefused(await bank.get(`/cards/${card}`), 403, 'PEP_ACCESS_REQUIRED');
    const looked = await terminal.send('/pos/lookup-card', { card_serial: card });
    assert.deepEqual([looked.status, looked.json.subscriber, looked.json.recent_payments], [200, null, []]);
    const [listed] = (await bank.get(`/cards?search=${card}`)).json.cards;
    assert.deepEqual(listed, { serial: card, status: 'blocked' });
    assert.deepEqual((await bank.get(`/cards?search=${card}&type=parent`)).json.cards, []);
  });

  test('requires a reason', async () => {
    const { card } = await bank.customer();
    const reply = assertRefused(await post(`cards/${card}/block`, { permanent: true }), 400, 'INVALID_REQUEST');
    assert.match(reply.json.error, /reason/);
    assert.equal((await cardOf(card)).status, 'active');
    assert.equal((await post(`cards/${card}/block`, { permanent: false })).status, 200);
    assert.equal((await post(`cards/${card}/unblock`)).status, 200);
  });

  test('a retired parent blocks its child cards, which stay blocked until they are replaced', async () => {
    const { wallet, card: parent } = await bank.customer();
    const child = await childOf(parent);
    const others = await bank.card(wallet);
    await retire(parent);
    assert.equal((await cardOf(child)).status, 'blocked');
    await assertCannotPay(child);
    assertRefused(await post(`cards/${child}/unblock`), 403, 'CARD_BLOCKED');
    await blockSubscriber(wallet);
    await unblockSubscriber(wallet);
    assert.deepEqual([(await cardOf(child)).status, (await cardOf(others)).status], ['blocked', 'active']);
    await assertCannotPay(child);
    assert.equal((await retire(child)).status, 200);
    await assertPays(await childOf(others));
  });

  test('a retired child card frees its place and keeps its parent in the record', async () => {
    const wallet = await bank.wallet(10_000, { max_child_cards: 1 });
    const parent = await bank.card(wallet);
    const child = await childOf(parent);
    await retire(child);
    const { type, parent_serial, subscriber_id } = await cardOf(child);
    assert.deepEqual([type, parent_serial, subscriber_id], ['child', parent, null]);
    await assertPays(await childOf(parent));
    await assertPays(parent);
  });

  test('a payment and a retirement at once: no payment is approved after the retirement is confirmed', async () => {
    const { wallet, card } = await bank.customer();
    const before = Array.from({ length: 15 }, () => terminal.pay(card, { amount: 10 }));
    const [retired, ...replies] = await Promise.all([retire(card), ...before]);
    assert.equal(retired?.status, 200, retired?.text);
    const approved = replies.filter(({ status }) => status === 200).length;
    for (const { status, json } of replies) assert.ok(status === 200 || json.code === 'CARD_BLOCKED', json.code);
    await assertCannotPay(card);
    const { rows } = await kissi.db.query('select count(*)::int as n from movements where from_account = $1', [
      wallet.id,
    ]);
    assert.equal(rows[0].n, approved);
  });

  test('a gateway of the previous version cannot revive it: the database refuses', async () => {
    const { card } = await bank.customer();
    await retire(card);
    const revived = kissi.db.query("update cards set status = 'unassigned' where serial = $1", [card]);
    await assert.rejects(revived, /cards_retired/);
  });
});

describe('a child card of a blocked parent', () => {
  test('cannot pay until the parent is unblocked, keeps its status, and is blocked before the PIN is checked', async () => {
    const { wallet, card: parent } = await bank.customer();
    const child = await childOf(parent);
    await assertPays(child);
    await post(`cards/${parent}/block`);
    await assertCannotPay(child);
    assertRefused(
      await terminal.pay(child, { encrypted_pin: terminal.encrypt(child, WRONG_PIN) }),
      403,
      'CARD_BLOCKED',
    );
    assert.equal((await cardOf(child)).status, 'active');
    assert.deepEqual(await barred(wallet.id), [parent, child].toSorted());
    const verified = await terminal.send('/pos/verify-card', { card_serial: child });
    assert.deepEqual([verified.json.valid, verified.json.status], [false, 'blocked']);
    await post(`cards/${parent}/unblock`);
    await assertPays(child);
    assert.deepEqual(await barred(wallet.id), []);
  });

  test('stays blocked after the parent is unblocked if it was blocked itself', async () => {
    const { wallet, card: parent } = await bank.customer();
    const [child, sibling] = [await childOf(parent), await childOf(parent)];
    await post(`cards/${child}/block`);
    await post(`cards/${parent}/block`);
    await post(`cards/${parent}/unblock`);
    await assertCannotPay(child);
    await assertPays(sibling);
    assert.deepEqual(await barred(wallet.id), [child]);
  });

  test('unblocking the child does not let it pay while the parent is blocked', async () => {
    const { card: parent } = await bank.customer();
    const child = await childOf(parent);
    await post(`cards/${child}/block`);
    await post(`cards/${parent}/block`);
    assert.equal((await post(`cards/${child}/unblock`)).status, 200);
    await assertCannotPay(child);
    await post(`cards/${parent}/unblock`);
    await assertPays(child);
  });

  test('is not approved by the ledger when the parent is blocked after the look-up', async () => {
    const { wallet, card: parent } = await bank.customer();
    const child = await childOf(parent);
    const [blocked, reply] = await withLockContention(kissi, {
      lock: `select from accounts where id = '${wallet.id}' for update`,
      waiters: 2,
      // The block gets the wallet first. It is not committed when the payment looks up the card.
      begin: async () => {
        const blocking = post(`cards/${parent}/block`);
        await waitForWaiters(1);
        return Promise.all([blocking, terminal.pay(child, { amount: 10 })]);
      },
    });
    assert.equal(blocked.status, 200, blocked.text);
    assertRefused(reply, 403, 'CARD_BLOCKED');
    assert.equal(await bank.balance(wallet.id), 100_000);
  });

  test('payments and blocks at once: none is approved after the block of the parent is confirmed', async () => {
    const { wallet, card: parent } = await bank.customer();
    const children = await Promise.all(Array.from({ length: 4 }, () => childOf(parent)));
    for (let round = 0; round < 5; round++) {
      const payments = children.flatMap((child) => [0, 1, 2].map(() => terminal.pay(child, { amount: 1 })));
      const [blocked, ...replies] = await Promise.all([post(`cards/${parent}/block`), ...payments]);
      assert.equal(blocked?.status, 200, blocked?.text);
      for (const { status, json } of replies) assert.ok(status === 200 || json.code === 'CARD_BLOCKED', json.code);
      await Promise.all(children.map(assertCannotPay));
      assert.deepEqual(await barred(wallet.id), [parent, ...children].toSorted());
      assert.equal((await post(`cards/${parent}/unblock`)).status, 200);
    }
  });

  test('blocks of several cards at once, on two gateways, all take effect', async () => {
    const second = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const { wallet, card: parent } = await bank.customer();
      const children = await Promise.all(Array.from({ length: 4 }, () => childOf(parent)));
      const block = (serial: string, gateway = kissi) =>
        gateway.call('POST', `/api/v1/cards/${serial}/block`, { token: key });
      await Promise.all(children.map((child, index) => block(child, index % 2 ? kissi : second)));
      assert.deepEqual(await barred(wallet.id), children.toSorted());
    } finally {
      await second.close();
    }
  });

  test('blocking a subscriber and its card at once leaves both blocked, without a deadlock', async () => {
    for (let round = 0; round < 5; round++) {
      const { wallet, card: parent } = await bank.customer();
      const child = await childOf(parent);
      const replies = await Promise.all([
        post(`cards/${parent}/block`),
        blockSubscriber(wallet),
        post(`cards/${child}/block`),
      ]);
      for (const { status, text } of replies) assert.ok(status === 200 || status === 409, text);
      assert.deepEqual(await barred(wallet.id), [parent, child].toSorted());
    }
  });

  test('cannot be credited by its serial either', async () => {
    const { card: parent } = await bank.customer();
    const child = await childOf(parent);
    const sender = await bank.wallet(1_000);
    await post(`cards/${parent}/block`);
    const body = { sender_id: sender.id, recipient_card_serial: child, amount: 10, pin: PIN };
    assertRefused(await bank.post('/wallet/transfer-p2p', body), 403, 'CARD_BLOCKED');
    assert.equal(await bank.balance(sender.id), 1_000);
  });
});

async function waitForWaiters(count: number): Promise<void> {
  // As the owner: the service's role does not see what other sessions wait for.
  const owner = new pg.Client({ connectionString: kissi.db.url });
  await owner.connect();
  try {
    await waitFor(`${count} calls wait for a lock`, async () => (await lockWaiters(owner)) >= count);
  } finally {
    await owner.end();
  }
}

describe('POST /subscribers/:id/enable-types', () => {
  const block = ({ id }: Wallet, transaction_types: string[]) =>
    post(`subscribers/${id}/block`, { reason: 'x', transaction_types });
  const enable = ({ id }: { id: string }, transaction_types: unknown, token = compliance) =>
    post(`subscribers/${id}/enable-types`, { transaction_types }, token);
  const disabledTypes = async ({ id }: Wallet) =>
    (await kissi.db.query('select disabled_types from accounts where id = $1', [id])).rows[0].disabled_types;

  test('enables the named types, keeps the others disabled, and leaves cards as they are', async () => {
    const { wallet, card } = await bank.customer();
    await post(`cards/${card}/block`);
    await block(wallet, ['pos_payment', 'transfer_p2p', 'wallet_withdraw']);
    const reply = assertStatus(await enable(wallet, ['pos_payment', 'transfer_p2p']), 200);
    assert.deepEqual(reply.json.subscriber.disabled_transaction_types, ['wallet_withdraw']);
    assert.deepEqual(await disabledTypes(wallet), ['wallet_withdraw']);
    assert.equal((await cardOf(card)).status, 'blocked');
    const recipient = await bank.wallet();
    const transfer = { sender_id: wallet.id, recipient_id: recipient.id, amount: 10, pin: PIN };
    assert.equal((await bank.post('/wallet/transfer', transfer)).status, 200);
    const [entry] = await auditLogs(kissi, { resource_id: wallet.id, action: 'subscriber.enable_types' });
    assert.deepEqual(entry.details, { transaction_types: ['pos_payment', 'transfer_p2p'] });
  });

  test('types that are not disabled get 409 NOT_BLOCKED; an unknown subscriber gets 404; unknown types get 400', async () => {
    const { wallet } = await bank.customer();
    await block(wallet, ['pos_payment']);
    assertRefused(await enable(wallet, ['transfer_p2p']), 409, 'NOT_BLOCKED');
    assertRefused(await enable({ id: 'sub_unknown' }, ['pos_payment']), 404, 'NOT_FOUND');
    for (const types of [[], ['x'], 'pos_payment', undefined])
      assertRefused(await enable(wallet, types), 400, 'INVALID_REQUEST');
    assert.deepEqual(await disabledTypes(wallet), ['pos_payment']);
  });

  test('is for compliance only', async () => {
    const { wallet } = await bank.customer();
    await block(wallet, ['pos_payment']);
    for (const token of [key, await staffToken(kissi, 'support_user')]) {
      assertRefused(await enable(wallet, ['pos_payment'], token), 403, 'FORBIDDEN');
    }
  });
});
