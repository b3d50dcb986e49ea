// Tests edits of cards and unlinking: the card returns to stock, and its former wallet refuses it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bankForFile, type Wallet } from '../../support/money.ts';
import { assertRefused, assertStatus, auditLogs, staffToken, withLockContention } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const terminal = await terminalOf(kissi);
const put = (serial: string, body: object) => kissi.call('PUT', `/api/v1/cards/${serial}`, { body, token: bank.key });
const unlink = (serial: string, body: object = {}) => bank.post(`/cards/${serial}/unlink`, body);
const link = (serial: string, { id }: Wallet) => bank.post('/cards/link', { card_serial: serial, subscriber_id: id });
let serials = 0;

async function withChild(daily_limit?: number): Promise<{ wallet: Wallet; parent: string; child: string }> {
  const { wallet, card: parent } = await bank.customer(100_000);
  const child = `CHILD-${String(++serials).padStart(4, '0')}`;
  const body = { parent_serial: parent, card_serial: child, label: 'Son', ...(daily_limit ? { daily_limit } : {}) };
  assert.equal((await bank.post('/cards/child', body)).status, 201);
  return { wallet, parent, child };
}

async function refusedCards(wallet: Wallet): Promise<string[]> {
  return (await kissi.db.query('select barred from accounts where id = $1', [wallet.id])).rows[0].barred;
}

describe('PUT /cards/{serial}', () => {
  test('changes label and daily limit, which the next payment respects', async () => {
    const { child } = await withChild(5_000);
    assertRefused(await terminal.pay(child, { amount: 6_000 }), 422, 'DAILY_LIMIT_EXCEEDED');
    const raised = await put(child, { daily_limit: 7_000, label: ' Daughter ' });
    assert.deepEqual([raised.status, raised.json.card.daily_limit, raised.json.card.label], [200, 7_000, 'Daughter']);
    assert.equal((await terminal.pay(child, { amount: 6_000 })).status, 200);
    assert.equal((await put(child, { daily_limit: '6500' })).status, 200);
    assertRefused(await terminal.pay(child, { amount: 501 }), 422, 'DAILY_LIMIT_EXCEEDED');
    const removed = await put(child, { daily_limit: '', label: '' });
    assert.deepEqual([removed.json.card.daily_limit, removed.json.card.label], [null, null]);
    assert.equal((await terminal.pay(child, { amount: 9_000 })).status, 200);
    const entries = await auditLogs(kissi, { resource_id: child, action: 'card.update' });
    assert.deepEqual(entries[2]?.details, { fields: ['label'], daily_limit: { from: 5_000, to: 7_000 } });
  });

  test('is refused for invalid limits, cards in stock, retired and unknown cards', async () => {
    const { card } = await bank.customer(0);
    for (const daily_limit of [0, -1, '1.5', ' 5']) {
      assertRefused(await put(card, { daily_limit }), 400, 'INVALID_AMOUNT', String(daily_limit));
    }
    assertRefused(await put('CARD-UNKNOWN', { label: 'x' }), 404, 'CARD_NOT_FOUND');
    await unlink(card);
    assertRefused(await put(card, { daily_limit: 5 }), 422, 'CARD_NOT_ASSIGNED');
    assert.equal((await put(card, { label: 'Stock 7' })).json.card.label, 'Stock 7');
    await bank.post(`/cards/${card}/block`, { reason: 'Lost', permanent: true });
    assertRefused(await put(card, { label: 'x' }), 403, 'CARD_BLOCKED');
    const token = await staffToken(kissi, 'compliance_user');
    const body = { label: 'x' };
    assertRefused(await kissi.call('PUT', `/api/v1/cards/${card}`, { body, token }), 403, 'FORBIDDEN');
  });
});

describe('POST /cards/{serial}/unlink', () => {
  test('returns a card to stock; it pays no more and can be linked to another subscriber', async () => {
    const { wallet, card } = await bank.customer(50_000);
    const paid = await terminal.pay(card, { amount: 1_000 });
    const reply = assertStatus(await unlink(card, { reason: 'Wrong person' }), 200);
    const { status, subscriber_id, linked_at, type } = reply.json.card;
    assert.deepEqual([status, subscriber_id, linked_at, type], ['unassigned', null, null, 'parent']);
    assert.deepEqual(await refusedCards(wallet), [card]);
    assert.notEqual((await terminal.pay(card, { amount: 1_000 })).status, 200);
    const [entry] = await auditLogs(kissi, { resource_id: card, action: 'card.unlink' });
    assert.deepEqual(entry.details, { subscriber_id: wallet.id, reason: 'Wrong person' });
    const other = await bank.wallet(50_000);
    assert.equal((await link(card, other)).status, 201);
    const before = await bank.balance(wallet.id);
    assert.equal((await terminal.pay(card, { amount: 2_000 })).status, 200);
    assert.deepEqual([await bank.balance(wallet.id), await bank.balance(other.id)], [before, 48_000]);
    assertStatus(await terminal.refund(paid.json.transaction_id, { amount: 1_000 }), 200);
    assert.equal(await bank.balance(wallet.id), before + 1_000, 'a refund goes to the wallet that paid');
  });

  test('can be undone: linked to the same subscriber, the card pays again', async () => {
    const { wallet, card } = await bank.customer(50_000);
    await unlink(card);
    assert.equal((await link(card, wallet)).status, 201);
    assert.deepEqual(await refusedCards(wallet), []);
    assert.equal((await terminal.pay(card, { amount: 1_000 })).status, 200);
  });

  test('of a child card removes its limit and label; a parent with children is refused', async () => {
    const { wallet, parent, child } = await withChild(5_000);
    assertRefused(await unlink(parent), 409, 'CARD_HAS_CHILDREN');
    const reply = await unlink(child);
    const { type, parent_serial, daily_limit, label } = reply.json.card;
    assert.deepEqual([type, parent_serial, daily_limit, label], ['parent', null, null, null]);
    assert.equal((await unlink(parent)).status, 200);
    assert.deepEqual(await refusedCards(wallet), [parent, child].toSorted());
    assert.equal((await link(child, wallet)).status, 201);
    assert.deepEqual(await refusedCards(wallet), [parent]);
  });

  test('keeps a blocked card blocked, and is refused for cards in stock, retired and unknown cards', async () => {
    const { card } = await bank.customer(0);
    await bank.post(`/cards/${card}/block`, { reason: 'Lost' });
    assert.equal((await unlink(card)).json.card.status, 'blocked');
    assertRefused(await link(card, await bank.wallet()), 403, 'CARD_BLOCKED');
    assertRefused(await unlink(card), 422, 'CARD_NOT_ASSIGNED');
    assertRefused(await unlink('CARD-UNKNOWN'), 404, 'CARD_NOT_FOUND');
    const { parent, child } = await withChild();
    await bank.post(`/cards/${parent}/block`, { reason: 'Stolen', permanent: true });
    assertRefused(await unlink(parent), 403, 'CARD_BLOCKED');
    assertRefused(await unlink(child), 403, 'CARD_BLOCKED');
  });

  test('no payment that read the card before is posted afterwards', async () => {
    const { wallet, card } = await bank.customer(50_000);
    const [paid, unlinked] = await withLockContention(kissi, {
      lock: `select 1 from accounts where id = '${wallet.id}' for update`,
      waiters: 2,
      begin: () => {
        const released = unlink(card);
        return Promise.all([terminal.pay(card, { amount: 1_000 }), released]);
      },
    });
    assert.equal(unlinked.status, 200, unlinked.text);
    // Blocked, if it read the card before it was unlinked; not assigned, if afterwards.
    if (paid.status !== 200) assert.match(String(paid.json.code), /^CARD_(BLOCKED|NOT_ASSIGNED)$/, paid.text);
    assert.equal(await bank.balance(wallet.id), paid.status === 200 ? 49_000 : 50_000);
    assert.deepEqual(await refusedCards(wallet), [card]);
  });

  test('of two at once, one succeeds', async () => {
    const { card } = await bank.customer(0);
    const statuses = (await Promise.all([unlink(card), unlink(card)])).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 422]);
  });
});
