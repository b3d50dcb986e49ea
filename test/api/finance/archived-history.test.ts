// Archiving under payments, and what histories, statements and look-ups say about an archived period.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { firstIdAt } from '../../../src/kernel/ids.ts';
import { createStatements } from '../../../src/ledger/queries/statement.ts';
import { asOwner } from '../../ledger/books.ts';
import { user } from '../../support/approvals.ts';
import {
  archive,
  assertInOrder,
  type MonthOfPayments,
  newArchiveDirectory,
  oldLedger,
  START,
  transfer,
} from '../../support/archive.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { movementCount } from '../../support/money.ts';

const HORIZON = '2024-04-01T00:00:00.000Z';
const ledger = await oldLedger();
const { kissi, bank, terminal, active, shop, idle, months } = ledger;
after(() => kissi.close());
const directory = await newArchiveDirectory();
const archived = months.filter(({ at }) => at < Date.parse(HORIZON));
const live = months.filter(({ at }) => at >= Date.parse(HORIZON));
const [old] = archived as [MonthOfPayments];
const idleBalance = await bank.balance(idle.id);

// A statement that a slow client reads while its postings are archived.
const statements = createStatements(kissi.db.database.pool);
const whole = { accountId: active.wallet.id, from: START, to: kissi.clock.now() };
const reading = statements.pages(await statements.period(whole), 5);
const firstPage = await reading.next();

const change = (sql: string) => asOwner(kissi.db.url, (client) => client.query(sql));
const asAdmin = async (method: string, path: string, body?: object) =>
  kissi.call(method, `/api/v1${path}`, { token: await kissi.adminToken(), ...(body ? { body } : {}) });
const listed = async (query: string): Promise<Json> => {
  return assertStatus(await asAdmin('GET', `/transactions?${query}`), 200).json;
};

function assertArchived({ status, json, text }: CallReply): void {
  assert.equal(status, 409, text);
  assert.equal(json.code, 'ARCHIVED');
  assert.equal(json.archived_before, HORIZON);
}

test('payments go on while keys are pruned and quarters are archived', async () => {
  const locks = `select count(*)::int as n from pg_locks l join pg_class c on c.oid = l.relation
    join pg_database d on d.oid = l.database where d.datname = current_database() and c.relname in ('movements', 'postings', 'requests', 'accounts') and l.mode in ('ExclusiveLock', 'AccessExclusiveLock',
      'ShareLock', 'ShareRowExclusiveLock')`;
  let isArchiving = true;
  const archiving = archive(kissi, directory).finally(() => {
    isArchiving = false;
  });
  const before = await bank.balance(shop.wallet.id);
  const pruning = kissi.gateway.backgroundTasks.find(({ name }) => name === 'prune idempotency keys');
  let paid = 0;
  let strongLocks = 0;
  do {
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, () => transfer(ledger, active.wallet, shop.wallet, { amount: 10 })),
      transfer(ledger, active.wallet, shop.wallet, { amount: 10, request_id: `online-${paid}` }),
    ]);
    for (const reply of replies) assert.equal(reply.status, 200, reply.text);
    paid += replies.length;
    strongLocks += (await kissi.db.query(locks)).rows[0].n;
    await pruning?.run();
  } while (isArchiving);
  assert.equal(await archiving, 5);
  assert.equal(strongLocks, 0, 'no lock that a payment would wait for');
  assert.equal(await bank.balance(shop.wallet.id), before + 10 * paid);
  await assertInOrder(kissi, null);
  await assertInOrder(kissi, directory);
});

test('a statement that is being read ends with an error instead of a gap', async () => {
  assert.equal(firstPage.value?.length, 5);
  await assert.rejects(() => Array.fromAsync(reading), /archived while they were read/);
  // One that does not remember when there was no archive.
  const { period: periodOf, pages } = createStatements(kissi.db.database.pool);
  const period = await periodOf(whole);
  const entries = (await Array.fromAsync(pages(period, 5))).flat();
  assert.ok(entries.length > 0);
  assert.equal(entries.at(-1)?.balanceAfter, period.closing);
});

test('a transaction of an archived period is answered with 409, even if it never existed', async () => {
  for (const id of [old.transfer, old.payment, `${firstIdAt('txn', old.at)}0000000000000000`]) {
    assertArchived(await asAdmin('GET', `/transactions/${id}`));
  }
  assertStatus(await asAdmin('GET', `/transactions/${live[0]?.transfer}`), 200);
  const missing = await asAdmin('GET', `/transactions/${firstIdAt('txn', kissi.clock.now())}0000000000000000`);
  assert.equal(missing.json.code, 'NOT_FOUND');
});

test('an archived card payment cannot be refunded, nor an archived credit reversed, and no money moves', async () => {
  const before = await bank.balance(active.wallet.id);
  const movements = await movementCount(kissi, active.wallet.id);
  assertArchived(await terminal.refund(old.payment, { amount: 100 }));
  assertArchived(await terminal.refund(old.payment));
  assertArchived(await asAdmin('POST', `/admin/inbound/${old.credit}/reverse`, { reason: 'Sent twice' }));
  assert.equal(await bank.balance(active.wallet.id), before);
  assert.equal(await movementCount(kissi, active.wallet.id), movements);
  assertStatus(await terminal.refund(live[0]?.payment as string, { amount: 100 }), 200);
});

test('a history that reaches into the archived period says so, and counts what it lists', async () => {
  const of = `subscriber_id=${active.wallet.id}`;
  const all = await listed(`${of}&limit=100`);
  assert.equal(all.archived_before, HORIZON);
  const pages: Json[] = [all];
  for (let next = all.next_cursor; next; next = pages.at(-1).next_cursor) {
    pages.push(await listed(`${of}&limit=100&cursor=${next}`));
  }
  const records = pages.flatMap(({ transactions }) => transactions);
  assert.equal(all.total_count, records.length);
  assert.equal(records.filter(({ created_at }) => created_at < HORIZON).length, 0);
  assert.ok(records.some(({ transaction_id }) => transaction_id === live[0]?.transfer));

  const cards = await listed(`${of}&type=pos_payment`);
  assert.deepEqual([cards.total_count, cards.archived_before], [live.length, HORIZON]);
  const since = await listed(`${of}&from=2024-04-01&type=pos_payment`);
  assert.deepEqual([since.total_count, since.archived_before], [live.length, undefined]);
  const earlier = await listed(`${of}&from=2023-01-01&to=2023-12-31`);
  assert.deepEqual([earlier.total_count, earlier.transactions, earlier.archived_before], [0, [], HORIZON]);
  assert.equal((await listed('limit=1')).archived_before, HORIZON);
  assert.equal((await listed(`transaction_id=${old.transfer}`)).archived_before, HORIZON);
});

test('the CSV of a history says in its name and in a header what it lacks', async () => {
  const token = await kissi.adminToken();
  const csv = (query: string) =>
    kissi.call('GET', `/api/v1/transactions?${query}`, { token, headers: { accept: 'text/csv' } });
  const all = assertStatus(await csv(`subscriber_id=${active.wallet.id}`), 200);
  assert.equal(all.headers.get('archived-before'), HORIZON);
  assert.match(String(all.headers.get('content-disposition')), /"kissi-transactions-since-2024-04-01-2024-\S+\.csv"/);
  const recent = await csv(`subscriber_id=${active.wallet.id}&from=2024-04-01`);
  assert.equal(recent.headers.get('archived-before'), null);
  assert.match(String(recent.headers.get('content-disposition')), /"kissi-transactions-2024-\S+\.csv"/);
});

test('a search says from when on it finds transactions, to those who may read them', async () => {
  const found = assertStatus(await asAdmin('GET', `/search?q=${old.transfer}`), 200);
  assert.deepEqual([found.json.hits, found.json.archived_before], [[], HORIZON]);
  const { token } = await user(kissi, 'sales_user');
  const other = await kissi.call('GET', `/api/v1/search?q=${old.transfer}`, { token });
  assert.deepEqual([other.status, other.json.archived_before], [200, undefined]);
});

test('a wallet whose history is archived altogether has an empty list and its balance', async () => {
  const page = await listed(`subscriber_id=${idle.id}`);
  assert.deepEqual([page.total_count, page.transactions, page.archived_before], [0, [], HORIZON]);
  const balance = await bank.get(`/balance/${idle.id}`);
  assert.equal(balance.json.balance, idleBalance);
});

test('totals of a merchant cover the records that its history lists', async () => {
  const reply = assertStatus(await asAdmin('GET', `/processors/${terminal.merchant.id}/transactions?limit=100`), 200);
  const { transactions, totals, archived_before, total_count } = reply.json;
  assert.equal(archived_before, HORIZON);
  assert.equal(total_count, transactions.length);
  const gross = transactions.filter((each: Json) => each.type === 'pos_payment');
  assert.equal(totals.received_count, gross.length);
  assert.equal(gross.length, live.length);
});

const statementOf = (subscriberId: string, from: string, to: string, format = 'json') =>
  asAdmin('POST', '/wallet/account-statement', { subscriber_id: subscriberId, from, to, format });

test('a statement that begins in the archived period begins with the balance at its end', async () => {
  const crossing = assertStatus(await statementOf(active.wallet.id, '2024-01-01', '2024-10-31'), 200);
  const whole = await statementOf(active.wallet.id, '2024-04-01', '2024-10-31');
  assert.equal(crossing.json.archived_before, HORIZON);
  assert.equal(whole.json.archived_before, undefined);
  for (const { json } of [crossing, whole]) {
    const { opening_balance, total_credits, total_debits, closing_balance, entries, entry_count } = json;
    assert.equal(opening_balance + total_credits - total_debits, closing_balance);
    assert.equal(entries.length, entry_count);
    assert.equal(entries[0].balance_after - entries[0].credit + entries[0].debit, opening_balance);
  }
  assert.deepEqual(crossing.json.entries, whole.json.entries);
  assert.equal(crossing.json.closing_balance, await bank.balance(active.wallet.id));

  const csv = await statementOf(active.wallet.id, '2024-01-01', '2024-10-31', 'csv');
  assert.match(csv.text, /2024-04-01T00:00:00.000Z,,opening_balance,Opening balance; earlier entries are archived/);
  assertStatus(await statementOf(active.wallet.id, '2024-01-01', '2024-10-31', 'pdf'), 200);

  const quiet = await statementOf(idle.id, '2024-06-01', '2024-10-31');
  assert.deepEqual(
    [quiet.json.opening_balance, quiet.json.closing_balance, quiet.json.entry_count],
    [idleBalance, idleBalance, 0],
  );
});

test('a statement of an archived period is answered with 409', async () => {
  assertArchived(await statementOf(active.wallet.id, '2023-02-01', '2023-12-31'));
});

test('an archive waits for open items, for seals and for expired keys; then it follows the ones before', async () => {
  const later = Date.parse('2025-01-02') - kissi.clock.now();
  await assert.rejects(
    () => archive(kissi, directory, { before: Date.parse('2024-12-01') }),
    /HISTORY_MONTHS=6 keeps all movements since 2024-04-01/,
  );
  kissi.clock.advance(later);
  await change(`update request_pruning set page = 0`);
  await change(`insert into movements (id, type, from_account, to_account, amount, fee, details, at)
    values ('txn_01HZ0000000000000000000000', 'partner_cashin', 'sys_suspense', '${idle.id}', 5, 0, '{}', '2024-06-01')`);
  const refused = await archive(kissi, directory).catch(String);
  for (const reason of [
    /1 movement without a seal/,
    /keys are not deleted yet/,
    /1 open item of the suspense account/,
  ]) {
    assert.match(String(refused), reason);
  }
  assert.equal((await kissi.db.query('select count(*)::int as n from ledger_archives')).rows[0].n, 5);
  await change(`delete from movements where id = 'txn_01HZ0000000000000000000000'`);
  await change(`update request_pruning set page = null`);
  assert.equal(await archive(kissi, directory, { noticeMs: 2_000 }), 1);
  await assertInOrder(kissi, null);
  await assertInOrder(kissi, directory);
  assert.equal((await listed(`subscriber_id=${active.wallet.id}`)).archived_before, '2024-07-01T00:00:00.000Z');
});
