// Tests problems by USSD: a report, money asked back with the PIN, a confirmation of a call, and the recipient's answers.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { assertClean } from '../../ledger/books.ts';
import { heldOf, ownCase, recalled, strangers, transferTo } from '../../support/cases.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { createBank, PIN, WRONG_PIN } from '../../support/money.ts';
import { dial, USSD, walk } from '../../support/ussd.ts';

const kissi = await testGateway({ env: USSD });
const bank = await createBank(kissi);
after(async () => {
  await assertClean(kissi.db.url);
  await kissi.close();
});

const PROBLEM = '6';
const [WRONG, CASES, FAILED] = ['1', '2', '3'];
const casesOf = async (id: string): Promise<Json[]> =>
  assertStatus(await kissi.asAdmin.get(`/cases?subscriber_id=${id}`), 200).json.cases;

describe('a problem by USSD', () => {
  test('is reported without a PIN, and listed with its state', async () => {
    const { id, phone } = await bank.wallet(0);
    const said = await walk(kissi, phone, PROBLEM, FAILED);
    const [opened] = await casesOf(id);
    assert.deepEqual([opened?.kind, opened?.channel, opened?.state], ['failed_payment', 'ussd', 'open']);
    assert.equal(said, `We have your report ${opened?.number} and will call you. We never ask for your PIN.`);
    const list = await dial(kissi, phone).type(PROBLEM, CASES);
    assert.equal(list.text, `My reports\n1 ${opened?.number}\n0 Back`);
    assert.equal(await walk(kissi, phone, PROBLEM, CASES, '1'), `${opened?.number}: we have your report.`);
  });

  test('shows what was sent after the PIN only, and opens one case for a repeated callback', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    await transferTo(sender, recipient.wallet.phone, 5_000);
    const phone = dial(kissi, sender.wallet.phone);
    assert.equal((await phone.type(PROBLEM, WRONG)).text, 'Show what you sent.\nEnter your PIN, or 0 to cancel');
    assert.match((await phone.type(WRONG_PIN)).text, /^Wrong PIN\. 2 more tries\./);
    assert.match((await phone.type(PIN)).text, /^Which one was wrong\?\n1 \d\d\/\d\d SLE 50\.00 Foday S\.\n0 Back$/);
    assert.match((await phone.type('1')).text, /^Ask Foday S\. to return SLE 50\.00\?/);
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
    const done = await phone.type(PIN);
    assert.deepEqual(await phone.again(), done);
    const cases = await casesOf(sender.wallet.id);
    assert.equal(cases.length, 1);
    assert.match(done.text, new RegExp(`^We have asked them to return it.*Case ${cases[0]?.number}\\.$`));
    assert.equal(await heldOf(kissi, recipient.wallet.id), 5_000);
  });

  test('that staff opened on a call is confirmed with the PIN', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const transaction_id = await transferTo(sender, recipient.wallet.phone, 6_000);
    const about = { kind: 'wrong_transfer', subscriber_id: sender.wallet.id, transaction_id, description: 'A call' };
    const { number } = assertStatus(await kissi.asAdmin.post('/cases', about), 201).json.case;
    const phone = dial(kissi, sender.wallet.phone);
    assert.equal((await phone.type(PROBLEM, CASES)).text, `My reports\n1 ${number}\n0 Back`);
    assert.match((await phone.type('1')).text, /^Ask Foday S\. to return SLE 60\.00\?/);
    assert.match((await phone.type(PIN)).text, new RegExp(`^We have asked them.*${number}`));
    assert.equal(await heldOf(kissi, recipient.wallet.id), 6_000);
  });

  test('outside the rules is a case in which staff decide, and nothing is held', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    await transferTo(sender, recipient.wallet.phone, 1_000);
    await transferTo(sender, recipient.wallet.phone, 2_000);
    assert.match(
      await walk(kissi, sender.wallet.phone, PROBLEM, WRONG, PIN, '1', PIN),
      /We will look at it and call you/,
    );
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
  });
});

describe('a recall answered by USSD', () => {
  test('is accepted with the PIN, once', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 7_000));
    const before = await bank.balance(sender.wallet.id);
    const phone = dial(kissi, recipient.wallet.phone);
    assert.match((await phone.type(PROBLEM, CASES)).text, /^My reports\n1 Aminata K\. SLE 70\.00\n/);
    assert.match((await phone.type('1')).text, /^Aminata K\. says SLE 70\.00 was sent to you by mistake\. Answer by/);
    assert.match((await phone.type('1')).text, /^Return SLE 70\.00 to Aminata K\. No fee\.\nEnter your PIN/);
    assert.match((await phone.type(WRONG_PIN)).text, /^Wrong PIN\. 2 more tries\./);
    assert.equal(await bank.balance(sender.wallet.id), before);
    const done = await phone.type(PIN);
    assert.match(done.text, /^You returned SLE 70\.00 to Aminata K\. Balance SLE 0\.00\. Id txn_/);
    assert.deepEqual(await phone.again(), done);
    assert.deepEqual(
      [await bank.balance(sender.wallet.id), await bank.balance(recipient.wallet.id)],
      [before + 7_000, 0],
    );
    assert.equal((await ownCase(sender, id)).recall.state, 'returned');
  });

  test('is contested: the hold ends, and nothing moves', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 8_000));
    const said = await walk(kissi, recipient.wallet.phone, PROBLEM, CASES, '1', '2');
    assert.equal(said, 'Thank you. We have noted that the money is yours.');
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
    assert.equal(await bank.balance(recipient.wallet.id), 8_000);
    assert.equal((await ownCase(sender, id)).recall.state, 'contested');
  });
});
