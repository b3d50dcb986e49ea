// Tests a processor's history: pagination, filters and exact totals.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { asOwner } from '../../ledger/books.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { insertHistory } from '../../support/history.ts';
import { bankForFile, newFundingId } from '../../support/money.ts';
import { assertRefused, directPayments, type Merchant, newMerchant } from '../../support/processors.ts';

const { kissi, bank } = await bankForFile({
  brokenRules: ['refund_without_payment', 'recent_differs', 'row_unsealed', 'daily_use_differs', 'match_item_differs'],
});
const payments = directPayments(kissi, bank);
const customer = await bank.wallet(40_000_000);

function path({ id }: Merchant, query: Record<string, string | number>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `/processors/${id}/transactions?${pairs.join('&')}`;
}

async function history(merchant: Merchant, query: Record<string, string | number> = {}): Promise<Json> {
  return assertStatus(await bank.get(path(merchant, query)), 200).json;
}

async function transfer(from: Merchant, to: { to_processor_id?: string; to_subscriber_id?: string }, amount: number) {
  const reply = await bank.post(`/processors/${from.id}/transfer`, { ...to, amount, request_id: newFundingId() });
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
}

/** Fees charged less fee income from an account's payments: the commissions paid, because no other party earns any here. */
async function commissionsPaid(id: string): Promise<number> {
  const { rows } = await kissi.db.query(
    `with own as materialized (select movement_id from postings where account_id = $1)
     select (select coalesce(sum(fee), 0)::bigint from movements where id in (select movement_id from own)) as charged,
       (select coalesce(sum(amount), 0)::bigint from postings
         where movement_id in (select movement_id from own) and account_id like 'sys_fees_%') as kept`,
    [id],
  );
  return rows[0].charged - rows[0].kept;
}

/** The same totals, computed independently from all the account's postings. */
async function totalsFromPostings({ id }: Merchant): Promise<Json> {
  const { rows } = await kissi.db.query(
    `with own as materialized (select movement_id, fee, amount from postings where account_id = $1)
     select m.type, m.from_account, m.amount, own.fee, own.amount as change
     from movements m join own on own.movement_id = m.id`,
    [id],
  );
  const sum = (pick: (row: Json) => boolean, of: (row: Json) => number) =>
    rows.filter(pick).reduce((total, row) => total + of(row), 0);
  const moved = (pick: (row: Json) => boolean) => sum(pick, (row) => row.amount);
  const isIn = (row: Json) => row.from_account !== id;
  const isTransfer = (row: Json) => row.type === 'processor_transfer';
  return {
    count: rows.length,
    received: moved((row) => isIn(row) && !isTransfer(row)),
    refunded: moved((row) => row.type === 'pos_refund'),
    fees: sum(
      () => true,
      (row) => row.fee,
    ),
    commissions: await commissionsPaid(id),
    transferred_in: moved((row) => isIn(row) && isTransfer(row)),
    transferred_out: moved((row) => !isIn(row) && isTransfer(row)),
    paid_out: moved((row) => row.type === 'processor_payout'),
    payouts_returned: moved((row) => row.type === 'payout_returned'),
    balance_change: await bank.balance(id),
  };
}

function assertAddsUp({ totals }: Json): void {
  const { received, refunded, fees, commissions, net, transferred_in, transferred_out, balance_change } = totals;
  assert.equal(net, received - refunded - fees + commissions);
  assert.equal(balance_change, net + transferred_in - transferred_out);
}

const ZERO_TOTALS = {
  count: 0,
  received: 0,
  received_count: 0,
  refunded: 0,
  refunded_count: 0,
  fees: 0,
  commissions: 0,
  net: 0,
  transferred_in: 0,
  transferred_out: 0,
  paid_out: 0,
  payouts_returned: 0,
  balance_change: 0,
};

describe('transactions', () => {
  test('are shown from the view of the processor, newest first, as in GET /transactions', async () => {
    const merchant = await newMerchant(kissi);
    const paid = await payments.pay(customer, merchant, 10_000);
    const refunded = await payments.refund(merchant, customer, 2_500);
    const page = await history(merchant);
    assert.deepEqual(page.transactions, [
      {
        transaction_id: refunded.transactionId,
        type: 'pos_refund',
        direction: 'debit',
        amount: 2_500,
        fee: 0,
        commission: 0,
        balance_after: 7_400,
        counterparty: customer.id,
        payer_id: merchant.id,
        payee_id: customer.id,
        narration: null,
        status: 'COMPLETED',
        request_id: null,
        reference: null,
        created_at: new Date(refunded.at).toISOString(),
        metadata: null,
      },
      {
        transaction_id: paid.transactionId,
        type: 'pos_payment',
        direction: 'credit',
        amount: 10_000,
        fee: 100,
        commission: 0,
        balance_after: 9_900,
        counterparty: customer.id,
        payer_id: customer.id,
        payee_id: merchant.id,
        narration: null,
        status: 'COMPLETED',
        request_id: null,
        reference: null,
        created_at: new Date(paid.at).toISOString(),
        metadata: null,
      },
    ]);
    assert.deepEqual([page.total_count, page.limit, page.offset, page.next_cursor], [2, 50, 0, null]);
  });

  test('of a new processor are an empty list with zero totals', async () => {
    const page = await history(await newMerchant(kissi));
    assert.deepEqual(page, {
      transactions: [],
      total_count: 0,
      limit: 50,
      offset: 0,
      next_cursor: null,
      totals: ZERO_TOTALS,
    });
  });

  test('are paginated by offset and cursor without gaps or duplicates while new ones arrive', async () => {
    const merchant = await newMerchant(kissi);
    const amounts = Array.from({ length: 23 }, (_, index) => 1_000 + index);
    for (const amount of amounts) await payments.pay(customer, merchant, amount);
    const seen: number[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null; pages++) {
      const page: Json = await history(merchant, { limit: 5, ...(cursor ? { cursor } : {}), type: 'pos_payment' });
      seen.push(...page.transactions.map((record: Json) => record.amount));
      assert.equal(page.total_count, 23);
      // Totals are only on the first page, because they are the same on the others.
      assert.equal(
        page.totals?.received ?? null,
        pages === 0 ? amounts.reduce((sum, amount) => sum + amount, 0) : null,
      );
      await payments.pay(customer, merchant, 9);
      cursor = page.next_cursor;
    }
    assert.deepEqual(seen, amounts.toReversed());
    const page = await history(merchant, { limit: 2, offset: 5 });
    assert.deepEqual(
      page.transactions.map((record: Json) => record.amount),
      [1_022, 1_021],
    );
    assert.equal(page.totals.count, page.total_count);
    const empty = await history(merchant, { limit: 0 });
    assert.deepEqual([empty.transactions, empty.next_cursor, empty.totals.count], [[], null, empty.total_count]);
  });

  test('and totals are of the same snapshot while new payments arrive', async () => {
    const merchant = await newMerchant(kissi);
    const paying = (async () => {
      for (let index = 0; index < 60; index++) await payments.pay(customer, merchant, 100);
    })();
    for (let index = 0; index < 20; index++) {
      const { transactions, totals, total_count } = await history(merchant, { limit: 100 });
      assert.deepEqual([totals.count, total_count], [transactions.length, transactions.length]);
      assert.equal(totals.balance_change, transactions[0]?.balance_after ?? 0);
    }
    await paying;
  });
});

describe('totals', () => {
  test('match the postings for payments, refunds, fees and transfers', async () => {
    const [merchant, other] = [await newMerchant(kissi), await payments.fundedMerchant(50_000)];
    const amounts = Array.from({ length: 30 }, (_, index) => 333 + index * 77);
    await Promise.all(amounts.map((amount) => payments.pay(customer, merchant, amount)));
    await payments.refund(merchant, customer, 1_234);
    await payments.refund(merchant, customer, 1);
    await transfer(other, { to_processor_id: merchant.id }, 7_000);
    await transfer(merchant, { to_processor_id: other.id }, 4_321);
    await transfer(merchant, { to_subscriber_id: customer.id }, 99);
    await kissi.gateway.backgroundTasks.find(({ name }) => name === 'write checkpoints')?.run();
    const page = await history(merchant);
    const { received_count, refunded_count, net, ...sums } = page.totals;
    assert.deepEqual(sums, await totalsFromPostings(merchant));
    const received = amounts.reduce((sum, amount) => sum + amount, 0);
    const fees = amounts.reduce((sum, amount) => sum + Math.round(amount / 100), 0);
    assert.deepEqual([sums.received, sums.fees, sums.refunded], [received, fees, 1_235]);
    assert.deepEqual([received_count, refunded_count, sums.commissions], [30, 2, 0]);
    assert.equal(net, received - fees - 1_235);
    assert.deepEqual([sums.transferred_in, sums.transferred_out], [7_000, 4_420]);
    assertAddsUp(page);
    const { processor } = (await bank.get(`/processors/${merchant.id}`)).json;
    assert.equal(processor.balance, sums.balance_change);
  });

  test('include fees up to the whole payment, and commissions', async () => {
    const set = async (fee: object, party_type = 'processor') => {
      const body = { transaction_type: 'pos_payment', party_type, fee_type: 'flat', ...fee };
      assertStatus(await kissi.asAdmin.put('/fee-settings', body), 200);
    };
    const merchant = await newMerchant(kissi);
    await set({ fee_value: 3, debit_enabled: true });
    await payments.pay(customer, merchant, 250);
    await set({ fee_value: 2, debit_enabled: false, credit_enabled: true });
    await set({ fee_value: 5 }, 'sender');
    await payments.pay(customer, merchant, 1_000);
    for (const party of ['processor', 'sender']) {
      await kissi.asAdmin.delete(`/fee-settings/pos_payment/${party}`);
    }
    const page = await history(merchant);
    const { received, received_count, fees, commissions, net, balance_change } = page.totals;
    assert.deepEqual(
      { received, received_count, fees, commissions, net, balance_change },
      { received: 1_250, received_count: 2, fees: 250, commissions: 200, net: 1_200, balance_change: 1_200 },
    );
    assert.equal(commissions, await commissionsPaid(merchant.id));
    assertAddsUp(page);
  });

  test('and transactions can be filtered by type, status and inclusive period', async () => {
    const merchant = await newMerchant(kissi);
    const first = kissi.clock.now();
    await payments.pay(customer, merchant, 1_000);
    kissi.clock.advance(DAY_MS);
    const second = kissi.clock.now();
    await payments.pay(customer, merchant, 2_000);
    await payments.refund(merchant, customer, 500);
    await transfer(merchant, { to_subscriber_id: customer.id }, 70);
    const totalsFor = async (query: Record<string, string>) => {
      const { totals, total_count, transactions } = await history(merchant, query);
      assert.deepEqual([totals.count, transactions.length], [total_count, total_count]);
      const { received, refunded, fees, net, transferred_out, balance_change } = totals;
      return [total_count, received, refunded, fees, net, transferred_out, balance_change];
    };
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const instant = (at: number) => new Date(at).toISOString();
    assert.deepEqual(await totalsFor({}), [4, 3_000, 500, 30, 2_470, 70, 2_400]);
    assert.deepEqual(await totalsFor({ type: 'pos_payment' }), [2, 3_000, 0, 30, 2_970, 0, 2_970]);
    assert.deepEqual(await totalsFor({ type: 'pos_refund' }), [1, 0, 500, 0, -500, 0, -500]);
    assert.deepEqual(await totalsFor({ type: 'processor_transfer' }), [1, 0, 0, 0, 0, 70, -70]);
    assert.deepEqual(await totalsFor({ type: 'transfer_p2p' }), [0, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual(await totalsFor({ to: day(first) }), [1, 1_000, 0, 10, 990, 0, 990]);
    assert.deepEqual(await totalsFor({ from: day(second) }), [3, 2_000, 500, 20, 1_480, 70, 1_410]);
    assert.deepEqual(await totalsFor({ from: instant(first), to: instant(first) }), [1, 1_000, 0, 10, 990, 0, 990]);
    assert.deepEqual(await totalsFor({ from: instant(first + 1), to: instant(second - 1) }), [0, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual(await totalsFor({ from: day(second), type: 'pos_payment' }), [1, 2_000, 0, 20, 1_980, 0, 1_980]);
    assert.deepEqual(await totalsFor({ status: 'COMPLETED' }), [4, 3_000, 500, 30, 2_470, 70, 2_400]);
    assert.deepEqual((await history(merchant, { status: 'FAILED' })).totals, ZERO_TOTALS);
  });
});

describe('a processor with many postings', () => {
  const POSTINGS = 13_000;
  const RARE = `case when n % 6000 = 1 then 'processor_transfer' else 'pos_payment' end`;
  const checkpointWrites = (action: 'grant' | 'revoke') => {
    const preposition = action === 'grant' ? 'to' : 'from';
    const statement = `${action} insert on account_checkpoints ${preposition} kissi_app`;
    return asOwner(kissi.db.url, (client) => client.query(statement));
  };
  let merchant: Merchant;
  before(async () => {
    merchant = await newMerchant(kissi);
    await insertHistory(kissi.db.url, { accountId: merchant.id, postings: POSTINGS, type: RARE });
  });

  test('has null totals with totals_pending until they are computed; transactions are listed', async () => {
    await checkpointWrites('revoke');
    const all = await history(merchant, { limit: 3 });
    assert.deepEqual([all.totals, all.totals_pending, all.total_count], [null, true, POSTINGS]);
    assert.equal(all.transactions.length, 3);
    assert.ok(!('total_is_minimum' in all), 'the account stores the number of its postings');
    const rare = await history(merchant, { type: 'processor_transfer' });
    assert.deepEqual([rare.totals, rare.totals_pending, rare.total_is_minimum], [null, true, true]);
    assert.equal(rare.transactions.length, 3);
    assert.ok(rare.total_count <= 3);
    await checkpointWrites('grant');
    const later = await history(merchant, { type: 'processor_transfer', limit: 2 });
    assert.deepEqual([later.totals.count, later.total_count, later.transactions.length], [3, 3, 2]);
    assert.ok(!('totals_pending' in later) && !('total_is_minimum' in later));
    const last = await history(merchant, { type: 'processor_transfer', limit: 2, cursor: later.next_cursor });
    assert.deepEqual([last.transactions.length, last.total_count, last.next_cursor], [1, 3, null]);
  });

  test('has exact totals once they are computed, and pages up to the maximum offset', async () => {
    const first = await history(merchant, { limit: 1 });
    const { rows } = await kissi.db.query(
      `select count(*) filter (where p.amount > 0 and m.type = 'pos_payment')::int as many,
         coalesce(sum(m.amount) filter (where p.amount > 0 and m.type = 'pos_payment'), 0) as received
       from postings p join movements m on m.id = p.movement_id where p.account_id = $1`,
      [merchant.id],
    );
    assert.deepEqual([first.totals.received_count, first.totals.received], [rows[0].many, Number(rows[0].received)]);
    assert.equal(first.totals.balance_change, await bank.balance(merchant.id));
    const behind = await history(merchant, { offset: POSTINGS - 2 });
    assert.equal(behind.transactions.length, 2);
    const ofType = await history(merchant, { type: 'pos_payment', offset: POSTINGS - 4 });
    assert.deepEqual([ofType.transactions.length, ofType.total_count], [1, POSTINGS - 3]);
    assert.deepEqual((await history(merchant, { offset: 100_000 })).transactions, []);
    const refused = assertRefused(await bank.get(path(merchant, { offset: 100_001 })), 400, 'INVALID_REQUEST');
    assert.match(refused.json.error, /offset.*100,000.*cursor/);
  });
});

test('invalid parameters are rejected with 400 by name; an unknown processor with 404', async () => {
  const merchant = await payments.fundedMerchant(10);
  const cases: [Record<string, string>, RegExp][] = [
    [{ cursor: 'nonsense' }, /cursor/],
    [{ cursor: Buffer.from('txn_00000000000000000000000000.1').toString('base64url') }, /cursor/],
    [{ cursor: Buffer.from('9999999999999999.1').toString('base64url') }, /cursor/],
    [{ from: 'yesterday' }, /from/],
    [{ to: '2026-02-31' }, /to/],
    [{ from: '2026-03-02', to: '2026-03-01' }, /from/],
    [{ type: 'gift' }, /type/],
    [{ status: 'LOST' }, /status/],
    [{ limit: '-1' }, /limit/],
    [{ offset: 'x' }, /offset/],
  ];
  for (const [query, message] of cases) {
    const reply = assertRefused(await bank.get(path(merchant, query)), 400, 'INVALID_REQUEST', JSON.stringify(query));
    assert.match(reply.json.error, message);
  }
  assertRefused(await bank.get('/processors/proc_unknown/transactions'), 404, 'NOT_FOUND');
  assertRefused(await bank.get(`/processors/${customer.id}/transactions`), 404, 'NOT_FOUND');
  assertRefused(await bank.get('/processors/sys_fees_00/transactions'), 404, 'NOT_FOUND');
});
