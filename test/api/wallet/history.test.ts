// Tests GET /transactions: for one wallet and for all movements, with filters, offsets and cursors.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { asOwner } from '../../ledger/books.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { HISTORY_START, insertHistory } from '../../support/history.ts';
import { bankForFile, newAgentFloat, PIN, type Wallet } from '../../support/money.ts';
import { openSession, staffMember, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({
  brokenRules: ['row_unsealed', 'daily_use_differs'],
  unauditedRecords: ['user'],
});

const list = async (query: Record<string, string | number>): Promise<Json> => {
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return assertStatus(await bank.get(`/transactions?${search.join('&')}`), 200).json;
};
const ids = (page: Json): string[] => page.transactions.map((record: Json) => record.transaction_id);

async function transfer(from: Wallet, to: Wallet, amount: number, extra: object = {}): Promise<Json> {
  const body = { sender_id: from.id, recipient_id: to.id, amount, pin: PIN, ...extra };
  return assertStatus(await bank.post('/wallet/transfer', body), 200).json;
}

describe("one wallet's transactions", () => {
  test("show direction, fee, balance and counterparty from the wallet's point of view", async () => {
    const [from, to] = [await bank.wallet(50_000), await bank.wallet()];
    const paid = await transfer(from, to, 10_000, { request_id: 'h-1', description: 'Rent' });
    const common = {
      transaction_id: paid.transaction_id,
      type: 'transfer_p2p',
      amount: 10_000,
      payer_id: from.id,
      payee_id: to.id,
      narration: 'Rent',
      status: 'COMPLETED',
      request_id: 'h-1',
      reference: null,
      created_at: paid.created_at,
      commission: 0,
      metadata: null,
    };
    const sent = await list({ subscriber_id: from.id });
    assert.equal(sent.total_count, 2);
    assert.deepEqual(sent.transactions[0], {
      ...common,
      direction: 'debit',
      fee: 150,
      balance_after: 39_850,
      counterparty: to.id,
    });
    assert.equal(sent.transactions[1].type, 'vult_fund');
    const received = await list({ subscriber_id: to.id });
    assert.deepEqual(received, {
      transactions: [{ ...common, direction: 'credit', fee: 0, balance_after: 10_000, counterparty: from.id }],
      total_count: 1,
      limit: 50,
      offset: 0,
      next_cursor: null,
    });
  });

  test('can be filtered by type, status and inclusive period, as dates or timestamps', async () => {
    const [from, to, agent] = [await bank.wallet(500_000), await bank.wallet(), await newAgentFloat(kissi)];
    const first = kissi.clock.now();
    const one = await transfer(from, to, 100);
    kissi.clock.advance(DAY_MS);
    const two = await transfer(from, to, 200);
    const cash = { subscriber_id: from.id, agent_id: agent, amount: 300, pin: PIN };
    await bank.post('/wallet/withdraw', cash);
    const filtered = (query: object) => list({ subscriber_id: from.id, ...query });
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const second = kissi.clock.now();
    assert.deepEqual(ids(await filtered({ type: 'transfer_p2p' })), [two.transaction_id, one.transaction_id]);
    assert.equal((await filtered({ type: 'transfer_p2p' })).total_count, 2);
    assert.equal((await filtered({ from: day(second) })).total_count, 2);
    assert.equal((await filtered({ to: day(first) })).total_count, 2, 'the funding and the first transfer');
    assert.equal((await filtered({ from: day(first), to: day(second) })).total_count, 4);
    assert.deepEqual(ids(await filtered({ from: new Date(second).toISOString(), type: 'transfer_p2p' })), [
      two.transaction_id,
    ]);
    assert.equal((await filtered({ from: new Date(second + 1).toISOString() })).total_count, 0);
    assert.equal((await filtered({ to: new Date(first - 1).toISOString() })).total_count, 0);
    assert.equal((await filtered({ status: 'COMPLETED' })).total_count, 4);
    assert.deepEqual(await filtered({ status: 'REVERSED' }), {
      transactions: [],
      total_count: 0,
      limit: 50,
      offset: 0,
      next_cursor: null,
    });
  });

  test('are paginated by cursor without gaps or duplicates while new ones arrive', async () => {
    const [from, to] = [await bank.wallet(5_000_000), await bank.wallet()];
    const all: Json[] = [];
    // 100 at a time: fetch gives up on a connection that is not accepted within ten seconds.
    while (all.length < 1_000) {
      all.push(...(await Promise.all(Array.from({ length: 100 }, (_, index) => transfer(from, to, 1 + (index % 7))))));
    }
    const seen: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const page: Json = await list({ subscriber_id: to.id, limit: 37, ...(cursor ? { cursor } : {}) });
      seen.push(...ids(page));
      assertChained(page.transactions);
      assert.equal(page.total_count, 1_000 + Math.min(pages, 5));
      if (pages < 5) await transfer(from, to, 1);
      cursor = page.next_cursor;
    }
    assert.equal(pages, Math.ceil(1_000 / 37));
    assert.equal(seen.length, 1_000);
    assert.deepEqual(new Set(seen), new Set(all.map((reply) => reply.transaction_id)));
  });

  /** Newest first: the balance before each transaction is the balance after the next one. */
  function assertChained(records: Json[]): void {
    for (const [index, older] of records.slice(1).entries()) {
      assert.equal(records[index].balance_after - records[index].amount, older.balance_after);
    }
  }

  test("continue by cursor with the same filter and the first page's count", async () => {
    const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
    for (let index = 0; index < 5; index++) await transfer(from, to, 10 + index);
    const query = { subscriber_id: from.id, type: 'transfer_p2p', limit: 2 };
    const first = await list(query);
    await transfer(from, to, 99);
    const second = await list({ ...query, cursor: first.next_cursor });
    const third = await list({ ...query, cursor: second.next_cursor });
    const amounts = [first, second, third].map((page) => page.transactions.map((record: Json) => record.amount));
    assert.deepEqual(amounts, [[14, 13], [12, 11], [10]]);
    assert.deepEqual(
      [first, second, third].map((page) => page.total_count),
      [5, 5, 5],
    );
    assert.equal(third.next_cursor, null);
  });

  test('are skipped by offset; limit is at most 100 and may be 0', async () => {
    const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
    for (let index = 1; index <= 3; index++) await transfer(from, to, index);
    const page = await list({ subscriber_id: to.id, limit: 1, offset: 1 });
    assert.deepEqual([page.transactions[0].amount, page.limit, page.offset], [2, 1, 1]);
    assert.equal((await list({ subscriber_id: to.id, limit: 5_000 })).limit, 100);
    const empty = await list({ subscriber_id: to.id, limit: 0 });
    assert.deepEqual([empty.transactions, empty.total_count, empty.next_cursor], [[], 3, null]);
    assert.deepEqual((await list({ subscriber_id: to.id, offset: 100_000 })).transactions, []);
  });

  test('of a rare type among thousands are found, counted and paginated', async () => {
    const { id } = await bank.wallet();
    const type = `case when n % 5000 = 1 then 'wallet_withdraw' else 'vult_fund' end`;
    await insertHistory(kissi.db.url, { accountId: id, postings: 15_000, type });
    const query = { subscriber_id: id, type: 'wallet_withdraw', limit: 1 };
    let cursor: string | null = '';
    const seen: string[] = [];
    for (let pages = 0; cursor !== null; pages++) {
      const page: Json = await list({ ...query, ...(cursor ? { cursor } : {}) });
      assert.deepEqual([page.total_count, page.transactions.length], [3, 1]);
      assert.ok(!('total_is_minimum' in page));
      seen.push(...ids(page));
      cursor = page.next_cursor;
      assert.equal(cursor === null, pages === 2, 'the last page says that it is the last');
    }
    assert.equal(new Set(seen).size, 3);
    const skipped = await list({ ...query, offset: 2 });
    assert.deepEqual([ids(skipped), skipped.next_cursor], [seen.slice(2), null]);
    const none = await list({ subscriber_id: id, type: 'transfer_p2p' });
    assert.deepEqual([none.transactions, none.total_count, none.next_cursor], [[], 0, null]);
    const period = {
      from: new Date(HISTORY_START + 4_000_000).toISOString(),
      to: new Date(HISTORY_START + 6_000_000).toISOString(),
    };
    assert.deepEqual(ids(await list({ ...query, ...period })), [seen[1]]);
    assert.equal((await list({ subscriber_id: id, ...period })).total_count, 2_001);
  });

  test('have total_is_minimum while the exact count is too expensive; pagination works', async () => {
    const { id } = await bank.wallet();
    await insertHistory(kissi.db.url, { accountId: id, postings: 13_000, type: `'vult_fund'` });
    await asOwner(kissi.db.url, (client) => client.query('revoke insert on account_checkpoints from kissi_app'));
    const query = { subscriber_id: id, type: 'vult_fund', limit: 2 };
    const first = await list(query);
    const second = await list({ ...query, cursor: first.next_cursor });
    await asOwner(kissi.db.url, (client) => client.query('grant insert on account_checkpoints to kissi_app'));
    for (const page of [first, second]) {
      assert.equal(page.total_is_minimum, true);
      assert.ok(page.total_count >= 10_000 && page.total_count < 13_000);
      assert.equal(page.transactions.length, 2);
    }
    assert.equal((await list(query)).total_count, 13_000, 'the next request has the exact count');
  });
});

describe('all transactions', () => {
  test('list every movement once, newest first, without direction or balance', async () => {
    const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
    kissi.clock.advance(1);
    const paid = await transfer(from, to, 1_000);
    const page = await list({ limit: 2 });
    const [newest, before] = page.transactions;
    assert.equal(newest.transaction_id, paid.transaction_id);
    const { direction, balance_after, counterparty, payer_id, payee_id, fee } = newest;
    assert.deepEqual(
      { direction, balance_after, counterparty, payer_id, payee_id, fee },
      { direction: null, balance_after: null, counterparty: null, payer_id: from.id, payee_id: to.id, fee: 15 },
    );
    assert.equal(before.type, 'vult_fund');
    const { rows } = await kissi.db.query('select count(*)::int as n from movements');
    assert.equal(page.total_count, rows[0].n);
  });

  test('are paginated by cursor and filtered by type and period', async () => {
    kissi.clock.advance(DAY_MS);
    const start = new Date(kissi.clock.now()).toISOString();
    const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
    for (let index = 1; index <= 5; index++) {
      kissi.clock.advance(1_000);
      await transfer(from, to, index);
    }
    const query = { from: start, type: 'transfer_p2p', limit: 2 };
    const amounts: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Json = await list({ ...query, ...(cursor ? { cursor } : {}) });
      assert.equal(page.total_count, 5);
      amounts.push(...page.transactions.map((record: Json) => record.amount));
      cursor = page.next_cursor;
    } while (cursor);
    assert.deepEqual(amounts, [5, 4, 3, 2, 1]);
    const until = new Date(Date.parse(start) + 2_000).toISOString();
    assert.equal((await list({ ...query, to: until })).total_count, 2);
  });
});

test('an invalid parameter is rejected with a 400 that names it, an unknown subscriber with 404', async () => {
  const { id } = await bank.wallet(1_000);
  const globalCursor = (await list({ limit: 1 })).next_cursor;
  const cases: [string, RegExp][] = [
    ['cursor=nonsense', /cursor/],
    ['cursor=', /cursor/],
    [`cursor=${Buffer.from('99999999999999999.1').toString('base64url')}`, /cursor/],
    [`cursor=${Buffer.from('9999999999999999.1').toString('base64url')}&subscriber_id=${id}`, /cursor/],
    [`subscriber_id=${id}&cursor=${globalCursor}`, /cursor/],
    [`cursor=${Buffer.from('5.1').toString('base64url')}`, /cursor/],
    ['from=yesterday', /from/],
    ['to=2026-02-31', /to/],
    ['from=2026-03-02&to=2026-03-01', /from/],
    ['type=gift', /type/],
    ['status=LOST', /status/],
    ['limit=-1', /limit/],
    ['offset=x', /offset/],
    ['offset=100001', /offset.*cursor/],
    [`offset=100001&subscriber_id=${id}`, /offset.*cursor/],
    ['offset=999999999999999', /offset.*cursor/],
  ];
  for (const [query, message] of cases) {
    const reply = await bank.get(`/transactions?${query}`);
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_REQUEST'], query);
    assert.match(reply.json.error, message, query);
  }
  const unknown = await bank.get('/transactions?subscriber_id=sub_unknown');
  assert.deepEqual([unknown.status, unknown.json.code], [404, 'SUBSCRIBER_NOT_FOUND']);
});

test('agents see only the movements on their own float', async () => {
  const agent = await newAgentFloat(kissi);
  const from = await bank.wallet(100_000);
  await bank.post('/wallet/withdraw', { subscriber_id: from.id, agent_id: agent, amount: 500, pin: PIN });
  const staff = await staffMember(kissi, 'sub_agent');
  await kissi.db.database.queries.updateTable('users').set({ agent_id: agent }).where('id', '=', staff.id).execute();
  const { token } = await openSession(kissi, staff);
  const own = await kissi.call('GET', '/api/v1/transactions', { token });
  assert.equal(own.json.total_count, 1);
  const [record] = own.json.transactions;
  assert.deepEqual([record.direction, record.amount, record.counterparty], ['credit', 500, null]);
  const other = await kissi.call('GET', `/api/v1/transactions?subscriber_id=${from.id}`, { token });
  assert.deepEqual([other.status, other.json.code], [403, 'FORBIDDEN']);
  const withoutAgent = await staffToken(kissi, 'super_agent');
  assert.equal((await kissi.call('GET', '/api/v1/transactions', { token: withoutAgent })).json.total_count, 0);
});
