// Tests what a recall is refused for: each rule about the transfer and the sender, and what staff decide then.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { assertClean } from '../../ledger/books.ts';
import { user } from '../../support/approvals.ts';
import {
  accept,
  askBack,
  heldOf,
  knownPhones,
  newRequestId,
  ownCase,
  recalled,
  strangers,
  transferTo,
} from '../../support/cases.ts';
import { again, newPhone, type Phone } from '../../support/customers.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { createBank, PIN } from '../../support/money.ts';
import { shopOf } from '../../support/payment-requests.ts';
import { assertRefused, auditRows, openSession, type Staff } from '../../support/staff.ts';

const kissi = await testGateway();
const bank = await createBank(kissi);
const compliance = await user(kissi, 'compliance_user');
const support = await user(kissi, 'support_user');
after(async () => {
  await assertClean(kissi.db.url);
  await kissi.close();
});

/** The clock moves, and sessions end. */
async function staff(user: Staff, path: string, body: unknown) {
  const { token } = await openSession(kissi, user);
  return kissi.call('POST', `/api/v1${path}`, { token, body });
}

/** Staff decide, and nothing is held. */
async function assertOutside(opened: Json, recipient: Phone, rule: string): Promise<void> {
  assert.deepEqual([opened.state, opened.recall.state], ['open', 'staff_decides'], rule);
  assert.equal(typeof opened.recall.reason, 'string');
  assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
  const seen = await kissi.asAdmin.get(`/cases/${opened.id}`);
  assert.equal(seen.json.case.recall.outside_rule, rule);
  // Nobody has been asked.
  assertRefused(await (await again(kissi, recipient)).get(`/me/cases/${opened.id}`), 404, 'NOT_FOUND');
}

describe('a recall within the rules', () => {
  test('is of the first payment to somebody', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    await transferTo(sender, recipient.wallet.phone, 1_000);
    const second = await transferTo(sender, recipient.wallet.phone, 5_000);
    await assertOutside(await recalled(sender, second), recipient, 'first_payment');
  });

  test('is of the only payment to somebody: who paid again meant it', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const first = await transferTo(sender, recipient.wallet.phone, 5_000);
    await transferTo(sender, recipient.wallet.phone, 1_000);
    await assertOutside(await recalled(sender, first), recipient, 'paid_since');
  });

  test('is within 24 hours of the transfer', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const early = await transferTo(sender, recipient.wallet.phone, 5_000);
    kissi.clock.advance(24 * HOUR_MS - 1);
    const other = await bank.wallet();
    const late = await again(kissi, sender);
    assert.equal((await recalled(late, early)).recall.state, 'asked');
    const [one, two] = await strangers(kissi, bank);
    const transfer = await transferTo(one, two.wallet.phone, 5_000);
    kissi.clock.advance(24 * HOUR_MS);
    await assertOutside(await recalled(await again(kissi, one), transfer), two, 'window');
    assert.ok(other.id);
  });

  test('is of a transfer to a phone number or an account number', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const { account_number } = (await recipient.get('/me')).json.profile;
    const quote = (await sender.post('/me/quote', { type: 'transfer', account_number, amount: 4_000 })).json.quote;
    const paid = { quote_id: quote.id, pin: PIN, request_id: newRequestId() };
    const { transaction_id } = assertStatus(await sender.post('/me/transfers', paid), 200).json;
    assert.equal((await recalled(sender, transaction_id)).recall.state, 'asked');
    const [other, holder] = await strangers(kissi, bank);
    const ids = { sender_id: other.wallet.id, recipient_id: holder.wallet.id, amount: 4_000, pin: PIN };
    const byId = assertStatus(await bank.post('/wallet/transfer', ids), 200).json.transaction_id;
    await assertOutside(await recalled(other, byId), holder, 'addressing');
    const [third, byCardHolder] = await strangers(kissi, bank);
    const recipient_card_serial = await bank.card(byCardHolder.wallet);
    const byCard = { sender_id: third.wallet.id, recipient_card_serial, amount: 4_000, pin: PIN };
    const cardPaid = assertStatus(await bank.post('/wallet/transfer-p2p', byCard), 200).json.transaction_id;
    await assertOutside(await recalled(third, cardPaid), byCardHolder, 'addressing');
    const phone_number = { sender_id: third.wallet.id, recipient_phone: (await bank.wallet()).phone };
    const typed = await bank.post('/wallet/transfer', { ...phone_number, amount: 4_000, pin: PIN });
    assert.equal((await recalled(third, assertStatus(typed, 200).json.transaction_id)).recall.state, 'asked');
  });

  test('is never of a paid request', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const asked = { amount: 3_000, description: 'Rice', request_id: newRequestId() };
    const request = assertStatus(await recipient.post('/me/payment-requests', asked), 201).json.payment_request;
    const quote = (await sender.post('/me/quote', { type: 'payment_request', code: request.code })).json.quote;
    const approval = { quote_id: quote.id, pin: PIN, request_id: newRequestId() };
    const paid = assertStatus(await sender.post(`/me/payment-requests/${request.id}/approve`, approval), 200).json;
    await assertOutside(await recalled(sender, paid.transaction_id), recipient, 'addressing');
  });

  test('is never of a payment to a merchant, which becomes a case without a recall', async () => {
    const [sender] = await strangers(kissi, bank);
    const shop = await shopOf(kissi);
    const { merchant_number } = (await kissi.asAdmin.get(`/processors/${shop.merchant.id}`)).json.processor;
    const quote = (await sender.post('/me/quote', { type: 'merchant', merchant_number, amount: 2_000 })).json.quote;
    const paid = { quote_id: quote.id, pin: PIN, request_id: newRequestId() };
    const { transaction_id } = assertStatus(await sender.post('/me/payments', paid), 200).json;
    const opened = await recalled(sender, transaction_id);
    assert.deepEqual([opened.recall, opened.can_confirm, opened.state], [null, false, 'open']);
    assertRefused(await sender.post(`/me/cases/${opened.id}/confirm`, { pin: PIN }), 409, 'NO_RECALL');
    const body = { reason: 'The customer insists.' };
    assertRefused(await staff(compliance, `/cases/${opened.id}/recall`, body), 409, 'NO_RECALL');
  });

  test('is of a transfer that the customer sent', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const transfer = await transferTo(sender, recipient.wallet.phone, 5_000);
    assert.equal((await recalled(recipient, transfer)).recall, null);
    const [stranger] = await strangers(kissi, bank);
    assertRefused(await askBack(stranger, transfer), 404, 'NOT_FOUND');
    assertRefused(await askBack(stranger, 'txn_none'), 404, 'NOT_FOUND');
    const without = { kind: 'wrong_transfer', description: 'Which one?', pin: PIN };
    assertRefused(await stranger.post('/me/cases', without), 400, 'INVALID_REQUEST');
  });

  test('is one at a time, and two in 30 days', async () => {
    const [sender, first] = await strangers(kissi, bank);
    const others = await knownPhones(kissi, await Promise.all([1, 2, 3, 4].map(() => bank.wallet())));
    const phone = await again(kissi, sender);
    const transfers: string[] = [];
    for (const { wallet } of [first, ...others]) transfers.push(await transferTo(phone, wallet.phone, 5_000));
    const [one, two, three] = transfers as [string, string, string];
    const opened = await recalled(phone, one);
    await assertOutside(await recalled(phone, two), others[0] as Phone, 'one_open');
    assertStatus(await accept(await again(kissi, first), opened.id), 200);
    assert.equal((await recalled(phone, three)).recall.state, 'asked');
    assertStatus(await (others[1] as Phone).post(`/me/cases/${(await newest(phone)).id}/contest`), 200);
    await assertOutside(await recalled(phone, transfers[3] as string), others[2] as Phone, 'two_in_30_days');
    kissi.clock.advance(30 * DAY_MS);
    const later = await again(kissi, phone);
    const [, fresh] = await strangers(kissi, bank);
    const last = await transferTo(await again(kissi, later), fresh.wallet.phone, 5_000);
    assert.equal((await recalled(await again(kissi, later), last)).recall.state, 'asked');
  });

  test('is once for each transfer', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const transfer = await transferTo(sender, recipient.wallet.phone, 5_000);
    const { id, number } = await recalled(sender, transfer);
    const refused = assertRefused(await askBack(sender, transfer), 409, 'CASE_EXISTS');
    assert.deepEqual([refused.json.case_id, refused.json.case_number], [id, number]);
    assertStatus(await recipient.post(`/me/cases/${id}/contest`), 200);
    const closing = { state: 'rejected', reason: 'The recipient sold goods.' };
    assertStatus(await staff(support, `/cases/${id}/state`, closing), 200);
    assert.equal((await recalled(sender, transfer)).recall, null);
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
  });
});

const newest = async (phone: Phone): Promise<Json> => (await phone.get('/me/cases')).json.cases[0];

describe('a recall outside the rules', () => {
  test('holds once compliance decides, and the recipient can answer', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    await transferTo(sender, recipient.wallet.phone, 1_000);
    const transfer = await transferTo(sender, recipient.wallet.phone, 9_000);
    const { id } = await recalled(sender, transfer);
    const body = { reason: 'The recipient is another person of the same name.' };
    assertRefused(await staff(support, `/cases/${id}/recall`, body), 403, 'FORBIDDEN');
    const decided = assertStatus(await staff(compliance, `/cases/${id}/recall`, body), 200).json.case;
    assert.deepEqual([decided.recall.state, decided.recall.held], ['asked', 9_000]);
    assert.equal(decided.recall.decided_by, compliance.id);
    assertRefused(await staff(compliance, `/cases/${id}/recall`, body), 409, 'ALREADY_DECIDED');
    assert.equal((await auditRows(kissi, { action: 'case.recall', resource_id: id })).length, 1);
    assertStatus(await accept(recipient, id), 200);
    assert.equal((await ownCase(sender, id)).state, 'resolved');
  });

  test('holds nothing before the sender confirmed it', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const transaction_id = await transferTo(sender, recipient.wallet.phone, 9_000);
    const call = { kind: 'wrong_transfer', subscriber_id: sender.wallet.id, transaction_id, description: 'Called us.' };
    const { id } = assertStatus(await staff(support, '/cases', call), 201).json.case;
    const body = { reason: 'On the phone.' };
    assertRefused(await staff(compliance, `/cases/${id}/recall`, body), 409, 'NO_RECALL');
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
    assert.equal((await ownCase(sender, id)).can_confirm, true);
    assertRefused(await recipient.post(`/me/cases/${id}/confirm`, { pin: PIN }), 404, 'NOT_FOUND');
    assertRefused(await sender.post(`/me/cases/${id}/confirm`, { pin: '9999' }), 401, 'INVALID_PIN');
    const confirmed = assertStatus(await sender.post(`/me/cases/${id}/confirm`, { pin: PIN }), 200).json.case;
    assert.deepEqual([confirmed.recall.state, confirmed.can_confirm], ['asked', false]);
    assert.equal(await heldOf(kissi, recipient.wallet.id), 9_000);
    // Again changes nothing.
    assertStatus(await sender.post(`/me/cases/${id}/confirm`, { pin: PIN }), 200);
    assert.equal(await heldOf(kissi, recipient.wallet.id), 9_000);
  });
});

describe('blocks and new devices', () => {
  test('a recall finds the money of a recipient who is blocked, who cannot answer', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const transfer = await transferTo(sender, recipient.wallet.phone, 6_000);
    assertStatus(await kissi.asAdmin.post(`/subscribers/${recipient.wallet.id}/block`, { reason: 'Fraud' }), 200);
    const { id } = await recalled(sender, transfer);
    assert.equal(await heldOf(kissi, recipient.wallet.id), 6_000);
    assert.equal((await accept(recipient, id)).status, 401);
  });

  test('the money returns to a sender who was blocked since', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 6_000));
    assertStatus(await kissi.asAdmin.post(`/subscribers/${sender.wallet.id}/block`, { reason: 'Lost phone' }), 200);
    const before = await bank.balance(sender.wallet.id);
    assertStatus(await accept(recipient, id), 200);
    assert.equal(await bank.balance(sender.wallet.id), before + 6_000);
  });

  test('what a new device returns counts for what it may pay', async () => {
    const [sender, recipient] = await strangers(kissi, bank, 9_000_000);
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 2_000_000));
    const fresh = await newPhone(kissi, recipient.wallet);
    assertRefused(await accept(fresh, id), 422, 'DAILY_LIMIT_EXCEEDED');
    assertStatus(await accept(recipient, id), 200);
  });
});
