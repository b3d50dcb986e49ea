// Tests the transaction history of the partner API: only the partner's own movements, with exact totals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, newFundingId, PIN } from '../../support/money.ts';
import { inboundHeaders, newReference, type PartnerBank, partnerBank } from '../../support/partner.ts';
import { assertRefused } from '../../support/staff.ts';

const MINUTE = 60_000;

const { kissi, bank } = await bankForFile();

async function cashIns(partner: PartnerBank, count: number): Promise<Json[]> {
  const { phone } = await bank.wallet();
  const replies: Json[] = [];
  for (let index = 1; index <= count; index++) {
    kissi.clock.advance(MINUTE);
    const reply = assertStatus(await partner.cashIn({ phone_number: phone, amount: index * 100 }), 200);
    replies.push(reply.json);
  }
  return replies;
}

const idsOf = ({ json }: CallReply) => json.transactions.map((entry: Json) => entry.transaction_id);

test('lists the cash-ins, fundings and settlements of the clearing account, newest first', async () => {
  const rokel = await partnerBank(kissi);
  const wallet = await bank.wallet();
  const reference = newReference();
  const cashed = await rokel.cashIn({ phone_number: wallet.phone, amount: 5_000, reference, narration: 'Rent' });
  kissi.clock.advance(MINUTE);
  const funding = { partner_id: rokel.id, subscriber_id: wallet.id, amount: 300, request_id: newFundingId() };
  const funded = await bank.post('/wallet/fund-from-partner', funding);
  kissi.clock.advance(MINUTE);
  const settlement = { amount: 1_000, reference: 'TT-9' };
  const settled = await kissi.asAdmin.post(`/admin/partners/${rokel.id}/settle`, settlement);
  // The partner does not see what the customer does with the money.
  const to = await bank.wallet();
  await bank.post('/wallet/transfer', { sender_id: wallet.id, recipient_id: to.id, amount: 100, pin: PIN });

  const reply = assertStatus(await rokel.history(), 200);
  const { success, total_count, limit, offset, transactions } = reply.json;
  assert.deepEqual([success, total_count, limit, offset], [true, 3, 50, 0]);
  assert.deepEqual(
    transactions.map(({ transaction_id, type, direction, amount, balance_after }: Json) => [
      transaction_id,
      type,
      direction,
      amount,
      balance_after,
    ]),
    [
      [settled.json.transaction_id, 'partner_settlement', 'credit', 1_000, -4_300],
      [funded.json.transaction_id, 'vult_fund', 'debit', 300, -5_300],
      [cashed.json.transaction_id, 'partner_cashin', 'debit', 5_000, -5_000],
    ],
  );
  const { created_at: _, ...first } = transactions[2];
  assert.deepEqual(first, {
    transaction_id: cashed.json.transaction_id,
    type: 'partner_cashin',
    direction: 'debit',
    amount: 5_000,
    fee: 0,
    commission: 0,
    balance_after: -5_000,
    counterparty: null,
    payer_id: rokel.id,
    payee_id: null,
    narration: 'Rent',
    status: 'COMPLETED',
    request_id: reference,
    reference,
    metadata: null,
  });
  const { counterparty, payer_id, payee_id } = transactions[0];
  assert.deepEqual([counterparty, payer_id, payee_id], [null, null, rokel.id], 'system accounts are not named');
});

test("does not show another partner's movements", async () => {
  const [one, other] = [await partnerBank(kissi), await partnerBank(kissi)];
  const [own] = await cashIns(one, 1);
  const [foreign] = await cashIns(other, 1);
  assert.deepEqual(idsOf(await one.history()), [own.transaction_id]);
  assert.deepEqual(idsOf(await other.history()), [foreign.transaction_id]);
  const filter = { partner_id: other.id, account_id: other.id, subscriber_id: foreign.payee_id };
  assert.deepEqual(idsOf(await one.history(filter)), [own.transaction_id], 'the body cannot select another partner');
  assertRefused(await one.history({}, { partnerId: other.id }), 403, 'PARTNER_MISMATCH');
});

test('includes inbound credits', async () => {
  const rokel = await partnerBank(kissi);
  const { id, phone } = await bank.wallet();
  const [reference, cashInReference] = [newReference(), newReference()];
  const body = JSON.stringify({ reference, msisdn: phone, amount: 700, currency: 'SLE' });
  const path = '/api/v1/inbound/credit';
  const signed = { method: 'POST', path, at: new Date(kissi.clock.now()).toISOString(), body };
  const headers = inboundHeaders(rokel.key, signed, { idempotencyKey: 'op-1' });
  const credited = assertStatus(await kissi.call('POST', path, { raw: body, headers }), 200);
  kissi.clock.advance(MINUTE);
  const cashed = await rokel.cashIn({ phone_number: phone, amount: 700, reference: cashInReference });
  assert.equal(cashed.status, 200, cashed.text);
  const reply = await rokel.history();
  assert.deepEqual(idsOf(reply), [cashed.json.transaction_id, credited.json.data.transaction_id]);
  assert.deepEqual(
    reply.json.transactions.map((entry: Json) => [entry.type, entry.reference]),
    [
      ['partner_cashin', cashInReference],
      ['inbound_credit', reference],
    ],
  );
  assert.equal(await bank.balance(id), 1_400);
});

test('is paginated, with the exact total on each page', async () => {
  const rokel = await partnerBank(kissi);
  const done = await cashIns(rokel, 7);
  const newestFirst = done.map(({ transaction_id }) => transaction_id).reverse();
  const seen: string[] = [];
  for (let offset = 0; offset < 7; offset += 3) {
    const reply = await rokel.history({ limit: 3, offset });
    assert.deepEqual([reply.json.total_count, reply.json.limit, reply.json.offset], [7, 3, offset]);
    seen.push(...idsOf(reply));
  }
  assert.deepEqual(seen, newestFirst);
  const beyond = await rokel.history({ offset: 100 });
  assert.deepEqual([beyond.json.transactions, beyond.json.total_count], [[], 7]);
  assert.equal((await rokel.history({ limit: 1_000 })).json.limit, 100);
  assert.deepEqual((await rokel.history({ limit: 0 })).json.transactions, []);
  assert.equal((await rokel.send('/transaction-history', undefined, { raw: '' })).json.total_count, 7, 'no body');
});

test('can be limited by from and to, both inclusive', async () => {
  const rokel = await partnerBank(kissi);
  const done = await cashIns(rokel, 5);
  const all = (await rokel.history()).json.transactions;
  const [from, to] = [all[3].created_at, all[1].created_at];
  const reply = await rokel.history({ from, to, limit: 2 });
  assert.deepEqual([reply.json.total_count, idsOf(reply).length], [3, 2]);
  assert.deepEqual(idsOf(reply), [done[3].transaction_id, done[2].transaction_id]);
  const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
  assert.equal((await rokel.history({ from: day, to: day })).json.total_count, 5);
  assert.equal((await rokel.history({ to: '2020-01-01' })).json.total_count, 0);
});

test('rejects invalid periods, limits and offsets', async () => {
  const rokel = await partnerBank(kissi);
  const pages: object[] = [{ limit: -1 }, { limit: 1.5 }, { limit: '5' }, { offset: 1e300 }];
  const periods = [{ from: 'monday' }, { to: '2026-02-30' }, { from: '2026-03-02', to: '2026-03-01' }, { from: 5 }];
  for (const body of [...pages, ...periods]) assertRefused(await rokel.history({ ...body }), 400, 'INVALID_REQUEST');
});
