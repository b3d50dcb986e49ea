// Idempotency keys of parties are deleted after IDEMPOTENCY_DAYS; partners' references are kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { verifyBooks } from '../../../src/app/verification.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { createRequestPruning } from '../../../src/ledger/posting/request-pruning.ts';
import { reportOf, type Verification } from '../../../src/ledger/verification/verify.ts';
import { newFundedAgent } from '../../support/agents.ts';
import { SEAL_KEYS } from '../../support/ledger.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { newReference, partnerBank } from '../../support/partner.ts';
import { SECRETS } from '../../support/secrets.ts';
import { assertStatus, runChore } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile({ env: { IDEMPOTENCY_DAYS: '30' } });

const verify = (): Promise<Verification> => verifyBooks(kissi.db.url, SECRETS.MASTER_KEY);
const prune = () => runChore(kissi, 'prune idempotency keys');

async function keyCount(requestId: string): Promise<number> {
  const text = 'select count(*)::int as n from requests where request_id = $1';
  return (await kissi.db.query(text, [requestId])).rows[0].n;
}

async function newTransfer(requestId: string) {
  const [from, to] = [await bank.wallet(10_000), await bank.wallet()];
  const body = { sender_id: from.id, recipient_id: to.id, amount: 1_000, pin: PIN, request_id: requestId };
  return { from, to, body, send: () => bank.post('/wallet/transfer', body) };
}

test('a retry is replayed until the key expires, and is a new payment afterwards', async () => {
  const { to, send } = await newTransfer('expiring');
  const first = assertStatus(await send(), 200);
  kissi.clock.advance(29 * DAY_MS);
  await prune();
  const replayed = await send();
  assert.equal(replayed.text, first.text);
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
  assert.equal(await bank.balance(to.id), 1_000);

  kissi.clock.advance(8 * DAY_MS);
  await prune();
  assert.equal(await keyCount('expiring'), 0);
  const verification = await verify();
  assert.ok(verification.clean, reportOf(verification));
  assert.match(verification.notices.join('\n'), /Idempotency keys .* before 2026-\d\d-\d\dT.* may have been deleted/);

  const second = assertStatus(await send(), 200);
  assert.equal(second.headers.get('idempotent-replayed'), null);
  assert.notEqual(second.json.transaction_id, first.json.transaction_id);
  assert.equal(await bank.balance(to.id), 2_000);
});

test("a partner's reference never credits twice", async () => {
  const partner = await partnerBank(kissi);
  const wallet = await bank.wallet();
  const cashIn = { reference: newReference(), phone_number: wallet.phone, amount: 700 };
  const first = assertStatus(await partner.cashIn(cashIn), 200);
  kissi.clock.advance(40 * DAY_MS);
  await prune();
  const again = await partner.cashIn(cashIn);
  assert.equal(again.text, first.text);
  assert.equal(await bank.balance(wallet.id), 700);
});

test('the keys of every kind of party expire', async () => {
  const terminal = await terminalOf(kissi);
  const wallet = await bank.wallet(10_000);
  await terminal.pay(await bank.card(wallet), { amount: 100 });
  const agent = await newFundedAgent(kissi, 1_000);
  const cashIn = { agent_id: agent.id, subscriber_id: wallet.id, amount: 10, pin: agent.pin, request_id: 'cash-in' };
  assert.equal((await bank.post('/agents/cashin', cashIn)).status, 200);
  const funding = { amount: 5, request_id: 'float' };
  assert.equal((await kissi.asAdmin.post(`/agents/${agent.id}/fund`, funding)).status, 200);
  const parties = async () => {
    const { rows } = await kissi.db.query(
      "select distinct split_part(scope, '_', 1) as party from requests order by 1",
    );
    return rows.map(({ party }) => party);
  };
  const all = ['agent', 'operator', 'proc', 'ptn'];
  assert.deepEqual(
    (await parties()).filter((party) => all.includes(party)),
    all,
  );
  kissi.clock.advance(40 * DAY_MS);
  await prune();
  assert.deepEqual(await parties(), ['reference:ptn']);
});

test('a pass takes the table page by page, and payments go on', async () => {
  const { body } = await newTransfer('');
  const requestIds = Array.from({ length: 60 }, (_, n) => `paged-${n}`);
  await Promise.all(requestIds.map((id) => bank.post('/wallet/transfer', { ...body, amount: 10, request_id: id })));
  assert.equal(await keyCount('paged-59'), 1);
  kissi.clock.advance(40 * DAY_MS);
  const { pool } = kissi.db.database;
  const onePage = createRequestPruning({
    pool,
    clock: kissi.clock,
    sealKeys: SEAL_KEYS,
    days: 30,
    pages: 1,
    roundMs: 0,
  });
  const inPass = async () => (await kissi.db.query('select page from request_pruning')).rows[0].page !== null;
  const { to, send } = await newTransfer('meanwhile');
  await onePage.prune();
  assert.ok(await inPass(), 'the table has several pages');
  const replies = [send(), send()];
  while (await inPass()) await onePage.prune();
  for (const reply of await Promise.all(replies)) assert.equal(reply.status, 200, reply.text);
  assert.equal(await bank.balance(to.id), 1_000);
  assert.equal(await keyCount('paged-0'), 0);
  assert.equal(await keyCount('paged-59'), 0);
  assert.equal(await keyCount('meanwhile'), 1);
  const verification = await verify();
  assert.ok(verification.clean, reportOf(verification));
});

test("the service's role can delete neither a key itself nor young ones with the function", async () => {
  const { pool } = kissi.db.database;
  const asService = { run: (text: string) => kissi.db.database.queries.executeQuery(raw(text)) };
  await assert.rejects(() => asService.run(`delete from requests`), /permission denied for table requests/);
  await assert.rejects(() => asService.run(`update request_pruning set before = now()`), /permission denied/);
  const young = createRequestPruning({ pool, clock: { now: () => Date.now() }, sealKeys: SEAL_KEYS, days: 6 });
  await assert.rejects(() => young.prune(), /kept for at least seven days/);
});

test("a temporary table of the service's role does not stand in for the one with the limit", async () => {
  const owner = new pg.Client({ connectionString: kissi.db.url });
  await owner.connect();
  try {
    // As on the workers of a Citus cluster, which have the function but not the table.
    await owner.query('begin; alter table request_pruning rename to elsewhere; set local role kissi_app');
    await owner.query(`create temp table request_pruning (before, mac, page) as select now(), ''::bytea, 0::bigint`);
    await assert.rejects(
      () => owner.query(`select prune_requests(now(), '', 1000)`),
      /"public\.request_pruning" does not exist/,
    );
  } finally {
    await owner.end();
  }
});

test('verification finds a removed young key, and a moved limit', async () => {
  const { send } = await newTransfer('young');
  assert.equal((await send()).status, 200);
  const removal = `delete from requests where request_id = 'young'`;
  assert.deepEqual(await brokenBy(removal), ['movement_without_request', 'requests_differ']);
  const moved = await brokenBy(`${removal}; update request_pruning set before = before + interval '90 days'`);
  assert.ok(moved.includes('pruning_differs'), moved.join());
  assert.ok(moved.includes('movement_without_request'), moved.join());
});

function raw(text: string) {
  return { sql: text, parameters: [], query: { kind: 'RawNode' } as never, queryId: { queryId: 'test' } };
}

/** The rules that verification finds broken after a change by the tables' owner, which is then undone. */
async function brokenBy(change: string): Promise<string[]> {
  const owner = new pg.Client({ connectionString: kissi.db.url });
  await owner.connect();
  try {
    await owner.query(
      `create temp table saved_requests as table requests; create temp table saved_pruning as table request_pruning`,
    );
    await owner.query(change);
    return [...(await verify()).broken.keys()].sort();
  } finally {
    await owner.query(`begin; truncate requests, request_pruning; insert into requests table saved_requests;
      insert into request_pruning table saved_pruning; drop table saved_requests, saved_pruning; commit`);
    await owner.end();
  }
}
