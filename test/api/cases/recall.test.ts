// Tests the recall of a wrong transfer: what is held, how the recipient answers, and how it ends without an answer.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { assertClean } from '../../ledger/books.ts';
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
import { again } from '../../support/customers.ts';
import { assertStatus, testGateway } from '../../support/gateway.ts';
import { createBank, MAX_BALANCE, WRONG_PIN } from '../../support/money.ts';
import { assertRefused, auditRows, messageTo, runChore } from '../../support/staff.ts';

const kissi = await testGateway();
const bank = await createBank(kissi);
after(async () => {
  await assertClean(kissi.db.url);
  await kissi.close();
});
const { balance } = bank;

describe('a recall', () => {
  test('holds the transfer in the wallet of the recipient, who is asked, and the sender sees it', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const transfer = await transferTo(sender, recipient.wallet.phone, 50_000);
    const opened = await recalled(sender, transfer);
    assert.match(opened.number, /^C-\d{4}-\d{7}$/);
    assert.deepEqual([opened.state, opened.role, opened.transaction_id], ['waiting_other_party', 'customer', transfer]);
    assert.deepEqual(
      [opened.recall.state, opened.recall.amount, opened.recall.counterparty],
      ['asked', 50_000, 'Foday S.'],
    );
    assert.equal(await heldOf(kissi, recipient.wallet.id), 50_000);
    const message = await messageTo(kissi, recipient.wallet.phone);
    assert.equal(message.kind, 'recall');
    assert.match(message.text, /^Aminata K\. says SLE 500\.00 was sent to you by mistake/);
    assert.ok(message.text.endsWith(`Case ${opened.number}.`), message.text);
    const asked = await ownCase(recipient, opened.id);
    assert.deepEqual([asked.role, asked.description, asked.recall.amount], ['recipient', null, 50_000]);
    assert.equal(asked.recall.counterparty, 'Aminata K.');
    assert.equal(Date.parse(asked.recall.answer_by), kissi.clock.now() + 72 * HOUR_MS);
    assert.deepEqual(
      assertStatus(await recipient.get('/me/cases'), 200).json.cases.map(({ id }: { id: string }) => id),
      [opened.id],
    );
  });

  test('holds only what is left', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const transfer = await transferTo(sender, recipient.wallet.phone, 50_000);
    await transferTo(recipient, sender.wallet.phone, 30_000);
    const left = await balance(recipient.wallet.id);
    const opened = await recalled(sender, transfer);
    assert.equal(await heldOf(kissi, recipient.wallet.id), left);
    const returned = assertStatus(await accept(recipient, opened.id), 200).json;
    assert.equal(returned.amount, left);
    const after = await ownCase(sender, opened.id);
    // Staff go on with the rest.
    assert.deepEqual([after.state, after.recall.state, after.recall.returned], ['investigating', 'returned', left]);
  });

  test('that finds nothing in the wallet is a case in which staff go on', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const transfer = await transferTo(sender, recipient.wallet.phone, 10_000);
    // With the fee, all that is there.
    await bank.fund(recipient.wallet, 150);
    await transferTo(recipient, sender.wallet.phone, 10_000);
    const opened = await recalled(sender, transfer);
    assert.deepEqual([opened.state, opened.recall.state], ['investigating', 'nothing_left']);
    assertRefused(await accept(recipient, opened.id), 404, 'NOT_FOUND');
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
  });

  test('needs the PIN of the sender, who is locked after three wrong ones', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const transfer = await transferTo(sender, recipient.wallet.phone, 5_000);
    assertRefused(await askBack(sender, transfer, { pin: '12' }), 400, 'INVALID_PIN');
    for (const left of [2, 1, 0]) {
      const refused = assertRefused(await askBack(sender, transfer, { pin: WRONG_PIN }), 401, 'INVALID_PIN');
      assert.equal(refused.json.attempts_remaining, left);
    }
    assertRefused(await askBack(sender, transfer), 403, 'ACCOUNT_LOCKED');
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
    assert.equal(assertStatus(await sender.get('/me/cases'), 200).json.total_count, 0);
  });
});

describe('a recipient who accepts', () => {
  test('returns the money once, without a fee, and the receipt says so', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const before = await balance(sender.wallet.id);
    const transfer = await transferTo(sender, recipient.wallet.phone, 40_000);
    const fee = before - (await balance(sender.wallet.id)) - 40_000;
    const { id } = await recalled(sender, transfer);
    const request_id = newRequestId();
    const first = assertStatus(await accept(recipient, id, { request_id }), 200);
    assert.deepEqual([first.json.amount, first.json.balance, first.json.case_id], [40_000, 0, id]);
    const second = assertStatus(await accept(recipient, id, { request_id }), 200);
    assert.deepEqual([second.text, second.headers.get('idempotent-replayed')], [first.text, 'true']);
    assertRefused(await accept(recipient, id), 409, 'RECALL_ENDED');
    assertRefused(await recipient.post(`/me/cases/${id}/contest`), 409, 'RECALL_ENDED');
    assert.deepEqual([await balance(sender.wallet.id), await balance(recipient.wallet.id)], [before - fee, 0]);
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
    const after = await ownCase(sender, id);
    assert.deepEqual([after.state, after.recall.state, after.recall.returned], ['resolved', 'returned', 40_000]);
    assert.equal((await messageTo(kissi, sender.wallet.phone)).kind, 'case_changed');
    const details = assertStatus(await sender.get(`/me/transactions/${transfer}`), 200).json.transaction;
    const receipt = await kissi.call('GET', new URL(details.receipt_url, 'http://kissi').pathname, {
      headers: { accept: 'application/json' },
    });
    assert.deepEqual([receipt.json.receipt.status, receipt.json.receipt.returned_amount], ['recalled', 40_000]);
    assert.equal((await auditRows(kissi, { action: 'case.accept', resource_id: id })).length, 1);
  });

  test('is not limited by the daily limit, nor the sender by the maximum balance', async () => {
    const [sender, recipient] = await strangers(kissi, bank, 9_000_000);
    await bank.fund(recipient.wallet, 11_000_000);
    const transfer = await transferTo(sender, recipient.wallet.phone, 200_000);
    const { id } = await recalled(sender, transfer);
    await transferTo(recipient, (await bank.wallet()).phone, 9_900_000);
    await bank.fund(sender.wallet, MAX_BALANCE - (await balance(sender.wallet.id)));
    assertStatus(await accept(recipient, id), 200);
    assert.equal(await balance(sender.wallet.id), MAX_BALANCE + 200_000);
  });

  test('needs the PIN', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 5_000));
    assertRefused(await accept(recipient, id, { pin: WRONG_PIN }), 401, 'INVALID_PIN');
    assertRefused(await accept(recipient, id, { pin: 'none' }), 400, 'INVALID_PIN');
    assert.equal(await heldOf(kissi, recipient.wallet.id), 5_000);
    assertStatus(await accept(recipient, id), 200);
  });

  test('is the only one who can', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const [other] = await strangers(kissi, bank);
    const [again1, again2] = [await again(kissi, sender), await again(kissi, recipient)];
    const { id } = await recalled(again1, await transferTo(again1, recipient.wallet.phone, 5_000));
    assertRefused(await accept(other, id), 404, 'NOT_FOUND');
    assertRefused(await accept(again1, id), 409, 'NO_RECALL');
    assertRefused(await other.get(`/me/cases/${id}`), 404, 'NOT_FOUND');
    assertRefused(await other.post(`/me/cases/${id}/contest`), 404, 'NOT_FOUND');
    assertStatus(await accept(again2, id), 200);
  });
});

describe('a recipient who contests', () => {
  test('has the money at once, and staff go on', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 20_000));
    const reason = 'She bought rice from me.';
    const contested = assertStatus(await recipient.post(`/me/cases/${id}/contest`, { reason }), 200).json.case;
    assert.equal(contested.recall.state, 'contested');
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
    await transferTo(recipient, (await bank.wallet()).phone, 15_000);
    const seen = await ownCase(sender, id);
    assert.deepEqual([seen.state, seen.recall.state, seen.recall.returned], ['investigating', 'contested', 0]);
    assert.ok(!JSON.stringify(seen).includes(reason));
    assertRefused(await accept(recipient, id), 409, 'RECALL_ENDED');
    assertRefused(await askBack(sender, seen.transaction_id), 409, 'CASE_EXISTS');
  });
});

describe('silence', () => {
  test('ends the hold after 72 hours exactly, and the case stays open', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 20_000));
    kissi.clock.advance(72 * HOUR_MS - MINUTE_MS);
    const [before, other] = [await again(kissi, recipient), await again(kissi, sender)];
    assert.equal((await ownCase(before, id)).recall.state, 'asked');
    kissi.clock.advance(MINUTE_MS);
    // Nothing has run since.
    assert.equal((await ownCase(before, id)).recall.state, 'expired');
    assertRefused(await accept(before, id), 409, 'EXPIRED');
    assertRefused(await before.post(`/me/cases/${id}/contest`), 409, 'EXPIRED');
    await transferTo(before, (await bank.wallet()).phone, 15_000);
    await runChore(kissi, 'settle recalls');
    const seen = await ownCase(other, id);
    assert.deepEqual([seen.state, seen.recall.state, seen.closed_at], ['investigating', 'expired', null]);
  });
});
