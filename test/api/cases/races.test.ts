// Tests races of recalls on two gateways: the money is held once, returned once at most, and never both returned and spent.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { HOUR_MS } from '../../../src/kernel/clock.ts';
import { assertClean } from '../../ledger/books.ts';
import { decide, pendingOf, type User, user } from '../../support/approvals.ts';
import {
  accept,
  askBack,
  heldOf,
  newRequestId,
  ownCase,
  recalled,
  strangers,
  transferTo,
} from '../../support/cases.ts';
import { again, type Phone } from '../../support/customers.ts';
import { assertStatus, type CallReply, type Json, type TestGateway, testGateway } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { createBank, PIN } from '../../support/money.ts';
import { assertRefused, openSession, runChore } from '../../support/staff.ts';

const kissi = await testGateway();
const bank = await createBank(kissi);
const second = await testGateway({ db: kissi.db, clock: kissi.clock, fastPath: false });
after(async () => {
  await second.close();
  await assertClean(kissi.db.url);
  await kissi.close();
});
const { balance } = bank;
const rokel = await testBank(kissi);
const ROUNDS = 5;

const on = (gateway: TestGateway, { token }: Phone, path: string, body: unknown) =>
  gateway.call('POST', `/api/v1${path}`, { token, body });

const acceptOn = (gateway: TestGateway, phone: Phone, id: string, request_id = newRequestId()) =>
  on(gateway, phone, `/me/cases/${id}/accept`, { pin: PIN, request_id });

const succeeded = (replies: readonly CallReply[]) => replies.filter(({ status }) => status < 300);

async function rounds(run: (sender: Phone, recipient: Phone) => Promise<void>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [sender, recipient] = await strangers(kissi, bank);
    await run(sender, recipient);
  }
}

async function sumOf(...phones: Phone[]): Promise<number> {
  const balances = await Promise.all(phones.map(({ wallet }) => balance(wallet.id)));
  return balances.reduce((sum, each) => sum + each, 0);
}

const wrong = (transaction_id: string) => ({
  ...{ kind: 'wrong_transfer', transaction_id, description: 'The wrong number.', pin: PIN },
});

describe('on two gateways', () => {
  test('two recalls of a transfer hold it once', async () => {
    await rounds(async (sender, recipient) => {
      const transfer = await transferTo(sender, recipient.wallet.phone, 8_000);
      const replies = await Promise.all(
        [kissi, second, kissi, second].map((gateway) => on(gateway, sender, '/me/cases', wrong(transfer))),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409]);
      assert.equal(await heldOf(kissi, recipient.wallet.id), 8_000);
    });
  });

  test('of two recalls of one sender, one is held', async () => {
    await rounds(async (sender, recipient) => {
      const other = await bank.wallet();
      const transfers = [
        await transferTo(sender, recipient.wallet.phone, 8_000),
        await transferTo(sender, other.phone, 8_000),
      ];
      const replies = await Promise.all(
        transfers.map((transfer, index) => on(index ? second : kissi, sender, '/me/cases', wrong(transfer))),
      );
      const states = replies.map((reply) => assertStatus(reply, 201).json.case.recall.state).sort();
      assert.deepEqual(states, ['asked', 'staff_decides']);
      assert.equal((await heldOf(kissi, recipient.wallet.id)) + (await heldOf(kissi, other.id)), 8_000);
    });
  });

  test('what a recipient spends at the same time is not held, and the rest is', async () => {
    await rounds(async (sender, recipient) => {
      const payee = await bank.wallet();
      const transfer = await transferTo(sender, recipient.wallet.phone, 20_000);
      const body = { sender_id: recipient.wallet.id, recipient_id: payee.id, amount: 3_000, pin: PIN };
      const spend = () => bank.post('/wallet/transfer', body);
      const [asked, ...spent] = await Promise.all([
        on(second, sender, '/me/cases', wrong(transfer)),
        ...[1, 2, 3].map(spend),
      ]);
      const { id } = assertStatus(asked as CallReply, 201).json.case;
      const cost = 3_045 * succeeded(spent).length;
      assert.equal(await balance(recipient.wallet.id), 20_000 - cost);
      const held = await heldOf(kissi, recipient.wallet.id);
      // Whatever was paid before the hold; nothing can be paid of what is held.
      assert.ok(held >= 20_000 - cost - 3_045 * 3 && held <= 20_000 - cost, `${held} of ${20_000 - cost}`);
      assert.equal(assertStatus(await accept(recipient, id), 200).json.amount, held);
    });
  });

  test('a recall that is accepted many times is returned once', async () => {
    await rounds(async (sender, recipient) => {
      const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 8_000));
      const before = await sumOf(sender, recipient);
      const request_id = newRequestId();
      const replies = await Promise.all([
        ...[kissi, second].map((gateway) => acceptOn(gateway, recipient, id, request_id)),
        ...[kissi, second].map((gateway) => acceptOn(gateway, recipient, id)),
      ]);
      const ids = new Set(succeeded(replies).map(({ json }) => json.transaction_id));
      assert.equal(ids.size, 1, replies.map(({ text }) => text).join('\n'));
      assert.deepEqual([await balance(recipient.wallet.id), await sumOf(sender, recipient)], [0, before]);
    });
  });

  test('a recall is accepted or contested, not both', async () => {
    await rounds(async (sender, recipient) => {
      const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 8_000));
      const [accepted, contested] = (await Promise.all([
        acceptOn(kissi, recipient, id),
        on(second, recipient, `/me/cases/${id}/contest`, {}),
      ])) as [CallReply, CallReply];
      const isReturned = accepted.status === 200;
      assert.notEqual(isReturned, contested.status === 200, `${accepted.text} ${contested.text}`);
      assert.equal(await balance(recipient.wallet.id), isReturned ? 0 : 8_000);
      assert.equal((await ownCase(sender, id)).recall.state, isReturned ? 'returned' : 'contested');
      assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
    });
  });

  test('a recall is accepted before its expiry or expires', async () => {
    await rounds(async (sender, recipient) => {
      const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 8_000));
      kissi.clock.advance(72 * HOUR_MS - 1);
      const phone = await again(kissi, recipient);
      const accepting = acceptOn(second, phone, id);
      kissi.clock.advance(1);
      const [accepted] = await Promise.all([
        accepting,
        runChore(kissi, 'expire holds'),
        runChore(second, 'settle recalls'),
      ]);
      const isReturned = accepted.status === 200;
      if (!isReturned) assertRefused(accepted, 409, 'EXPIRED');
      assert.equal(await balance(recipient.wallet.id), isReturned ? 0 : 8_000);
      await runChore(kissi, 'settle recalls');
      const seen = await ownCase(await again(kissi, sender), id);
      assert.equal(seen.recall.state, isReturned ? 'returned' : 'expired');
    });
  });

  test('a legal order and an acceptance return the transfer once', async () => {
    const [one, two] = [await user(kissi, 'compliance_user'), await user(kissi, 'compliance_user')];
    await rounds(async (sender, recipient) => {
      const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 8_000));
      const order = { order_reference: 'High Court 17/2026', reason: 'Return it.', amount: 8_000 };
      const body = { ...order, request_id: newRequestId() };
      const { token } = await openSession(kissi, one);
      const approval = pendingOf(await kissi.call('POST', `/api/v1/cases/${id}/legal-order`, { token, body }));
      const decider: User = { ...two, token: (await openSession(kissi, two)).token };
      const before = await sumOf(sender, recipient);
      await Promise.all([decide(second, approval.id, 'approve', decider), acceptOn(kissi, recipient, id)]);
      assert.deepEqual([await balance(recipient.wallet.id), await sumOf(sender, recipient)], [0, before]);
      await runChore(kissi, 'settle recalls');
      const seen: Json = await ownCase(sender, id);
      assert.deepEqual([seen.recall.state, seen.recall.returned], ['returned', 8_000]);
    });
  });
});

describe('a reversal that takes what is held', () => {
  test('leaves the rest to be returned', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const reference = newReference();
    assertStatus(await rokel.credit({ reference, amount: 5_000, msisdn: recipient.wallet.phone }), 200);
    const { rows } = await kissi.db.query('select id from inbound_transactions where reference = $1', [reference]);
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 8_000));
    // The credit was spent, and the bank takes it back: the balance is below what is held.
    const payee = { sender_id: recipient.wallet.id, recipient_id: sender.wallet.id, amount: 4_900, pin: PIN };
    assertStatus(await bank.post('/wallet/transfer', payee), 200);
    const path = `/admin/inbound/${rows[0].id}/reverse`;
    assertStatus(await kissi.asAdmin.post(path, { reason: 'A mistake of the bank', allow_negative: true }), 200);
    const left = await balance(recipient.wallet.id);
    assert.ok(left < 8_000 && left > 0, String(left));
    assert.equal(assertStatus(await accept(recipient, id), 200).json.amount, left);
    assert.equal(await balance(recipient.wallet.id), 0);
    const seen = await ownCase(sender, id);
    assert.deepEqual([seen.state, seen.recall.returned], ['investigating', left]);
    assertRefused(await askBack(sender, seen.transaction_id), 409, 'CASE_EXISTS');
  });
});
