// Tests repeated cash-in notifications without a reference, and the daily limit of the suspense account.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type CallReply, type TestGateway, testGateway } from '../../support/gateway.ts';
import { bankForFile, movementCount } from '../../support/money.ts';
import { newReference, partnerBank, webhookHeaders } from '../../support/partner.ts';

const PATH = '/webhooks/partner/cashin';
const SECRET = 'a-webhook-secret-shared-with-one-partner';
const SUSPENSE = 'sys_suspense';
const DAY_MS = 86_400_000;
const WINDOW_MS = 300_000;

const env = { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET, PARTNER_CASHIN_DAILY_LIMIT: '10000' };
const { kissi, bank } = await bankForFile({ env });
const other = await testGateway({ db: kissi.db, clock: kissi.clock, env });
after(() => other.close());

function send(raw: string, gateway: TestGateway = kissi): Promise<CallReply> {
  return gateway.call('POST', PATH, { raw, headers: webhookHeaders(SECRET, raw) });
}

function notify(body: object, gateway?: TestGateway): Promise<CallReply> {
  return send(JSON.stringify(body), gateway);
}

function assertReplayed(again: CallReply, first: CallReply): void {
  assert.deepEqual([first.status, again.status], [200, 200], again.text);
  const message = 'This cash-in was already received and credited. No money moved.';
  assert.equal(first.json.duplicate, undefined);
  assert.deepEqual(again.json, { ...first.json, message, duplicate: true });
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
}

async function cardHolder() {
  const wallet = await bank.wallet();
  return { wallet, card_serial: await bank.card(wallet) };
}

/** The daily limit begins again. */
function nextDay(): void {
  kissi.clock.set((Math.floor(kissi.clock.now() / DAY_MS) + 1) * DAY_MS);
}

describe('a notification without a reference', () => {
  test('whose exact bytes were accepted in the last 300 seconds is answered as a duplicate and moves no money', async () => {
    nextDay();
    const { wallet, card_serial } = await cardHolder();
    const raw = JSON.stringify({ card_serial, amount: 100 });
    const suspense = await bank.balance(SUSPENSE);
    const first = await send(raw);
    for (let copies = 0; copies < 4; copies++) assertReplayed(await send(raw, copies % 2 ? kissi : other), first);
    kissi.clock.advance(WINDOW_MS);
    assertReplayed(await send(raw, other), first);
    assert.deepEqual([await bank.balance(wallet.id), await movementCount(kissi, wallet.id)], [100, 1]);
    assert.equal(await bank.balance(SUSPENSE), suspense - 100);
  });

  test('is a new credit after the window, and begins its own window', async () => {
    nextDay();
    const { wallet, card_serial } = await cardHolder();
    const raw = JSON.stringify({ card_serial, amount: 100 });
    const first = await send(raw);
    kissi.clock.advance(WINDOW_MS - 1);
    assertReplayed(await send(raw), first);
    kissi.clock.advance(2);
    const second = await send(raw);
    assert.deepEqual([second.status, second.json.new_balance], [200, 200]);
    assert.equal(second.headers.get('idempotent-replayed'), null);
    kissi.clock.advance(WINDOW_MS);
    assertReplayed(await send(raw, other), second);
    for (let number = 3; number <= 12; number++) {
      kissi.clock.advance(WINDOW_MS + 1);
      assert.equal((await send(raw)).json.new_balance, number * 100);
    }
    assert.equal(await movementCount(kissi, wallet.id), 12);
  });

  test('is compared by its bytes: other bytes are another deposit, a refused one is not remembered', async () => {
    nextDay();
    const { wallet, card_serial } = await cardHolder();
    const body = { card_serial, amount: 100 };
    await send(JSON.stringify(body));
    assert.equal((await send(`${JSON.stringify(body)}\n`)).json.new_balance, 200);
    assert.equal((await notify({ ...body, amount: 101 })).json.new_balance, 301);
    const token = await kissi.adminToken();
    const path = `/api/v1/subscribers/${wallet.id}`;
    await kissi.call('POST', `${path}/block`, { body: { reason: 'Under review' }, token });
    const refused = { card_serial, amount: 500 };
    assert.equal((await notify(refused)).status, 400);
    await kissi.call('POST', `${path}/unblock`, { token });
    const accepted = await notify(refused);
    assert.deepEqual([accepted.status, accepted.headers.get('idempotent-replayed')], [200, null]);
    assert.equal(await bank.balance(wallet.id), 801);
  });

  test('does not collide with a reference that looks like its key', async () => {
    nextDay();
    const { wallet, card_serial } = await cardHolder();
    const raw = JSON.stringify({ card_serial, amount: 100 });
    await send(raw);
    const { rows } = await kissi.db.query('select request_id from movements where to_account = $1', [wallet.id]);
    const reply = await notify({ card_serial, amount: 7, reference: rows[0].request_id });
    assert.deepEqual([reply.status, reply.json.new_balance], [200, 107]);
    assert.equal((await send(raw)).json.new_balance, 100, 'the reply of the first');
  });

  test('in fifty concurrent copies through two gateways credits once, at first and after each window', async () => {
    nextDay();
    const { wallet, card_serial } = await cardHolder();
    const raw = JSON.stringify({ card_serial, amount: 100 });
    for (const round of [1, 2, 3]) {
      const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => send(raw, index % 2 ? kissi : other)));
      const [first, ...more] = replies.filter(({ headers }) => headers.get('idempotent-replayed') === null);
      assert.ok(first && more.length === 0, `${more.length} more credits`);
      assert.deepEqual([first.status, first.json.new_balance], [200, round * 100]);
      for (const reply of replies.filter((each) => each !== first)) assertReplayed(reply, first);
      kissi.clock.advance(WINDOW_MS + 1);
    }
    assert.equal(await movementCount(kissi, wallet.id), 3);
  });

  test('uses the window of PARTNER_CASHIN_REPLAY_SECONDS', async (t) => {
    nextDay();
    const brief = await testGateway({
      ...{ db: kissi.db, clock: kissi.clock },
      env: { ...env, PARTNER_CASHIN_REPLAY_SECONDS: '10' },
    });
    t.after(() => brief.close());
    const { card_serial } = await cardHolder();
    const raw = JSON.stringify({ card_serial, amount: 100 });
    await send(raw, brief);
    kissi.clock.advance(10_001);
    assert.equal((await send(raw, brief)).json.new_balance, 200);
  });
});

describe('PARTNER_CASHIN_DAILY_LIMIT', () => {
  test('caps the suspense account per UTC day over all gateways: more gets 422 and moves no money', async () => {
    nextDay();
    const { wallet, card_serial } = await cardHolder();
    kissi.clock.advance(DAY_MS - 1);
    const pay = (amount: number, gateway?: TestGateway) =>
      notify({ card_serial, amount, reference: newReference() }, gateway);
    assert.equal((await pay(7_000)).status, 200);
    const refused = await pay(3_001, other);
    const message = 'The amount exceeds what notifications may still credit today.';
    assert.deepEqual([refused.status, refused.json], [422, { success: false, message }]);
    assert.equal((await pay(3_000, other)).status, 200);
    assert.equal((await pay(1)).status, 422);
    kissi.clock.advance(1);
    assert.equal((await pay(10_000)).status, 200);
    assert.equal(await bank.balance(wallet.id), 20_000);
  });

  test('holds for concurrent notifications through two gateways', async () => {
    nextDay();
    const { wallet, card_serial } = await cardHolder();
    const before = await bank.balance(SUSPENSE);
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        notify({ card_serial, amount: 900, reference: newReference() }, index % 2 ? kissi : other),
      ),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 11);
    assert.equal(replies.filter(({ status }) => status === 422).length, 29);
    assert.deepEqual([await bank.balance(wallet.id), await bank.balance(SUSPENSE)], [9_900, before - 9_900]);
  });

  test('does not apply to notifications that a partner owes', async (t) => {
    nextDay();
    const rokel = await partnerBank(kissi);
    const gateway = await testGateway({
      ...{ db: kissi.db, clock: kissi.clock },
      env: { ...env, PARTNER_CASHIN_PARTNER_ID: rokel.id },
    });
    t.after(() => gateway.close());
    const { card_serial } = await cardHolder();
    assert.equal((await notify({ card_serial, amount: 10_001 }, gateway)).status, 200);
  });
});
