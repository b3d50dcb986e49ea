// Money finds a wallet by its partner wallet and its cards: one person does not move them to another wallet alone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decide, getApproval, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type CallReply } from '../../support/gateway.ts';
import { bankForFile, PIN, type Wallet } from '../../support/money.ts';
import { apiKey, assertRefused, messageTo } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const support = await user(kissi, 'support_user');
const second = await user(kissi, 'support_user');

type By = { token: string };
const put = ({ id }: Wallet, body: object, { token }: By = support) =>
  kissi.call('PUT', `/api/v1/subscribers/${id}`, { token, body });
const post = (path: string, body: object, { token }: By = support) =>
  kissi.call('POST', `/api/v1${path}`, { token, body });
const link = (card_serial: string, { id }: Wallet, by?: By) =>
  post('/cards/link', { card_serial, subscriber_id: id }, by);
const unlink = (serial: string) => post(`/cards/${serial}/unlink`, {});
const approve = (reply: CallReply) => decide(kissi, pendingOf(reply).id, 'approve', second);

async function partnerWallet({ id }: Wallet): Promise<string | null> {
  return (await kissi.db.query('select partner_wallet_id from subscribers where id = $1', [id])).rows[0]
    .partner_wallet_id;
}

async function holderOf(serial: string): Promise<string | null> {
  return (await kissi.db.query('select subscriber_id from cards where serial = $1', [serial])).rows[0].subscriber_id;
}

async function underPolicy(work: () => Promise<void>): Promise<void> {
  await setPolicy(kissi, 'subscribers.change_phone', { enabled: true });
  try {
    await work();
  } finally {
    await setPolicy(kissi, 'subscribers.change_phone', { enabled: false });
  }
}

describe('the partner wallet of a subscriber', () => {
  test('is linked by one person, and moved to another subscriber by two', async () => {
    const [victim, mule] = [await bank.wallet(), await bank.wallet()];
    await underPolicy(async () => {
      assert.equal((await put(victim, { partner_wallet_id: 'vult-77' })).status, 200);
      assert.equal(await messageTo(kissi, victim.phone), undefined);
      const removal = await put(victim, { partner_wallet_id: '' });
      const replacement = await put(victim, { partner_wallet_id: 'vult-78' });
      for (const reply of [removal, replacement]) {
        const { action, summary } = pendingOf(reply);
        assert.deepEqual([action, summary.before], ['subscribers.change_phone', { partner_wallet_id: 'vult-77' }]);
        assert.match(summary.text, /partner wallet/);
      }
      const { key } = await apiKey(kissi, ['subscribers:write']);
      assertRefused(await put(victim, { partner_wallet_id: '' }, { token: key }), 403, 'APPROVAL_REQUIRED');
      assertRefused(await put(mule, { partner_wallet_id: 'vult-77' }), 409, 'PARTNER_WALLET_TAKEN');
      assert.deepEqual([await partnerWallet(victim), await partnerWallet(mule)], ['vult-77', null]);
      const same = { partner_wallet_id: 'vult-77', address: '3 Wilkinson Road' };
      assert.equal((await put(victim, same)).status, 200);
      assert.equal((await approve(await put(victim, { partner_wallet_id: '' }))).status, 200);
      assert.equal((await put(mule, { partner_wallet_id: 'vult-77' })).status, 200);
    });
    assert.deepEqual([await partnerWallet(victim), await partnerWallet(mule)], [null, 'vult-77']);
  });

  test('is never moved without a message to its holder', async () => {
    const wallet = await bank.wallet();
    assert.equal((await put(wallet, { partner_wallet_id: 'vult-80' })).status, 200);
    assert.equal((await put(wallet, { partner_wallet_id: 'vult-81' })).status, 200);
    const { kind, text } = await messageTo(kissi, wallet.phone);
    assert.deepEqual([kind, /partner wallet.*no longer linked/.test(text)], ['partner_wallet_changed', true]);
  });

  test('and the KYC level are changed in separate requests, because other people approve each', async () => {
    const wallet = await bank.wallet();
    const admin = { token: await kissi.adminToken() };
    assert.equal((await put(wallet, { partner_wallet_id: 'vult-90' })).status, 200);
    const level = { kyc_level: 2, id_type: 'PASSPORT', id_number: 'P-90', id_document_url: 'https://x.example/90.pdf' };
    const both = await put(wallet, { partner_wallet_id: 'vult-91', ...level }, admin);
    assertRefused(both, 400, 'INVALID_REQUEST');
    assert.match(both.json.error, /partner_wallet_id and raise kyc_level/);
  });
});

describe('a card that a subscriber had', () => {
  test('is linked to another subscriber by two people, and its former holder is told', async () => {
    const { wallet: victim, card } = await bank.customer(1_000);
    const [mule, payer] = [await bank.wallet(), await bank.wallet(10_000)];
    const send = () =>
      bank.post('/wallet/transfer-p2p', { sender_id: payer.id, recipient_card_serial: card, amount: 500, pin: PIN });
    await underPolicy(async () => {
      assert.equal((await unlink(card)).status, 200);
      const { key } = await apiKey(kissi, ['cards:write']);
      assertRefused(await link(card, mule, { token: key }), 403, 'APPROVAL_REQUIRED');
      const requested = await link(card, mule);
      const { id, summary } = pendingOf(requested);
      assert.deepEqual([summary.before, summary.after], [{ subscriber_id: victim.id }, { subscriber_id: mule.id }]);
      assert.equal(await holderOf(card), null);
      assert.notEqual((await send()).status, 200);
      assertRefused(await decide(kissi, id, 'approve', support), 403, 'FORBIDDEN');
      assert.equal(await messageTo(kissi, victim.phone), undefined);
      assert.equal((await approve(requested)).status, 200);
    });
    assert.equal(await holderOf(card), mule.id);
    assert.equal((await send()).status, 200);
    assert.deepEqual([await bank.balance(mule.id), await bank.balance(victim.id)], [500, 1_000]);
    assert.equal((await messageTo(kissi, victim.phone)).kind, 'card_moved');
  });

  test('returns to that subscriber without approval, as a card that nobody had is linked', async () => {
    const { wallet, card } = await bank.customer(0);
    await underPolicy(async () => {
      assert.equal((await unlink(card)).status, 200);
      assert.equal((await link(card, wallet)).status, 201);
      assert.equal((await link('REDIRECT-0001', wallet)).status, 201);
    });
    assert.equal(await messageTo(kissi, wallet.phone), undefined);
  });

  test('needs approval as a child card of another subscriber too', async () => {
    const { card } = await bank.customer(0);
    const { wallet: mule, card: parent } = await bank.customer(0);
    await underPolicy(async () => {
      assert.equal((await unlink(card)).status, 200);
      const requested = await post('/cards/child', { card_serial: card, parent_serial: parent });
      assert.equal(pendingOf(requested).operation, 'cards.child');
      assert.equal(await holderOf(card), null);
      assert.equal((await approve(requested)).status, 200);
    });
    assert.equal(await holderOf(card), mule.id);
  });

  test('is not moved by an approval that was given for the card of somebody else', async () => {
    const { card } = await bank.customer(0);
    const [one, other] = [await bank.wallet(), await bank.wallet()];
    await underPolicy(async () => {
      assert.equal((await unlink(card)).status, 200);
      const [stale, executed] = [await link(card, one), await link(card, other)];
      assert.equal((await approve(executed)).status, 200);
      assert.equal((await unlink(card)).status, 200);
      const refused = assertRefused(await approve(stale), 422, 'EXECUTION_REFUSED');
      assert.equal(refused.json.refusal_code, 'RECORD_CHANGED');
      assert.equal(await holderOf(card), null);
    });
  });

  test('of a politically exposed person does not name that person to the approver', async () => {
    const { wallet: pep, card } = await bank.customer(0);
    const mule = await bank.wallet();
    assert.equal((await unlink(card)).status, 200);
    assertStatus(await put(pep, { is_pep: true }, { token: await kissi.adminToken() }), 200);
    await underPolicy(async () => {
      const { id } = pendingOf(await link(card, mule));
      const { summary } = await getApproval(kissi, id, second);
      assert.deepEqual(summary.before, { subscriber_id: null });
      assert.ok(!JSON.stringify(summary).includes(pep.id));
    });
  });
});
