// An upgrade from the first schema with money to the current one: all rows persist, the ledger verifies, wallets can pay.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runService, type ServiceProcess, temporaryFolder } from '@kissi/testkit/service';
import pg from 'pg';
import { verifyBooks } from '../../src/app/verification.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { reportOf } from '../../src/ledger/verification/verify.ts';
import { databaseUrl } from '../support/database.ts';
import { FirstService, firstSchema, type OldSubscriber, type OldTransfer, PIN } from '../support/first-schema.ts';
import { type Json, SECRETS } from '../support/gateway.ts';
import { waitFor } from '../support/wait.ts';

const FUNDS = 1_000_000;
const [OLD_ROWS, OLD_COLUMNS] = [
  {
    subscribers: 'id',
    pins: 'owner_id',
    accounts: 'id',
    movements: 'id',
    postings: 'account_id, seq',
    requests: 'request_id',
  },
  `select table_name as table, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
     from information_schema.columns where table_schema = 'public' and table_name = any($1) group by 1`,
];

async function newDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `upgrade_${randomBytes(6).toString('hex')}`;
  const administer = async (statement: string) => {
    const client = new pg.Client({ connectionString: databaseUrl('postgres') });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await administer(`create database ${name}`);
  return { url: databaseUrl(name), drop: () => administer(`drop database ${name} with (force)`) };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

async function assertLedgerVerifies(url: string): Promise<void> {
  const verification = await verifyBooks(url, SECRETS.MASTER_KEY);
  assert.ok(verification.clean, reportOf(verification));
}

const SEAL_HISTORY = fileURLToPath(new URL('../../scripts/ledger-seal-history.ts', import.meta.url));

function sealHistoryOf(url: string): Promise<{ code: number; out: string }> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url, ...SECRETS };
  return new Promise((resolve) => {
    execFile(process.execPath, [SEAL_HISTORY], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
    );
  });
}

type Snapshot = Record<string, unknown[]>;

/** All rows of the tables of the first schema, with the columns of the first schema. */
async function snapshot(client: pg.Client, columns: Record<string, string>): Promise<Snapshot> {
  const found: Snapshot = {};
  for (const [table, order] of Object.entries(OLD_ROWS)) {
    found[table] = (await client.query(`select ${columns[table]} from ${table} order by ${order}`)).rows;
  }
  return found;
}

async function columnsOf(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ table: string; columns: string }>(OLD_COLUMNS, [Object.keys(OLD_ROWS)]);
  return Object.fromEntries(rows.map(({ table, columns }) => [table, columns]));
}

/** The only row that migrations add to a table of the first schema. */
const NEW_ACCOUNT = 'sys_payouts_in_transit';

describe('an upgrade from the first schema', () => {
  let database: Awaited<ReturnType<typeof newDatabase>>;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let old: FirstService;
  let service: ServiceProcess;
  let [payer, payee]: OldSubscriber[] = [];
  const transfers: OldTransfer[] = [];
  let [rowsBefore, rowsAfter]: Snapshot[] = [];

  before(async () => {
    database = await newDatabase();
    folder = await temporaryFolder();
    await firstSchema(database.url);
    old = new FirstService(database.url);
    await old.start();
    await old.makeKey();
    [payer, payee] = [await old.register('Aminata'), await old.register('Ibrahim')];
    await old.fund(idOf(payer), FUNDS);
    for (let n = 1; n <= 5; n++) {
      transfers.push(await old.transfer(idOf(payer), idOf(payee), 1_000 * n, `old-${n}`));
    }
    const columns = await withClient(database.url, columnsOf);
    rowsBefore = await withClient(database.url, (client) => snapshot(client, columns));
    service = await runService({ ...SECRETS, DATABASE_URL: database.url, DATA_DIR: folder.path });
    rowsAfter = await withClient(database.url, (client) => snapshot(client, columns));
  });
  after(async () => {
    await service.stop('SIGTERM');
    await old.stop();
    await folder.remove();
    await database.drop();
  });

  const idOf = (person: OldSubscriber | undefined) => person?.id ?? '';

  async function call(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ reply: Response; text: string; json: Json }> {
    const headers = { authorization: `Bearer ${old.key.bearer}`, 'content-type': 'application/json' };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const reply = await fetch(`${service.url}/api/v1${path}`, { method, headers, ...sent });
    const text = await reply.text();
    return { reply, text, json: JSON.parse(text) };
  }

  const transfer = (amount: number, requestId: string, [from, to] = [idOf(payer), idOf(payee)]) =>
    call('POST', '/wallet/transfer', {
      ...{ sender_id: from, recipient_id: to, amount, pin: PIN, request_id: requestId },
    });

  test('the service migrates the schema at its start, and every row is unchanged', async () => {
    assert.match(service.stdout(), /Kissi is ready/);
    assert.match(service.stderr(), /the database schema was brought up to date/);
    const { accounts = [], ...others } = rowsAfter ?? {};
    const kept = accounts.filter((account) => (account as Json).id !== NEW_ACCOUNT);
    assert.equal(accounts.length, kept.length + 1, 'one system account is new');
    assert.deepEqual({ ...others, accounts: kept }, rowsBefore);
    assert.deepEqual(await migrate(database.url), [], 'no migration is pending');
    await assertLedgerVerifies(database.url);
  });

  test('wallets pay with their earlier balance and daily use', async () => {
    const spent = transfers.reduce((sum, { amount, fee }) => sum + amount + fee, 0);
    const paid = await transfer(2_000, 'new-1');
    assert.equal(paid.reply.status, 200, paid.text);
    assert.equal(paid.json.balance, FUNDS - spent - 2_030);
    const back = await transfer(500, 'new-2', [idOf(payee), idOf(payer)]);
    assert.equal(back.reply.status, 200, back.text);
    const day = transfers.reduce((sum, { amount }) => sum + amount, 2_000);
    assert.equal((await transfer(10_000_000 - day + 1, 'new-3')).json.code, 'DAILY_LIMIT_EXCEEDED');
    const { rows } = await withClient(database.url, (client) =>
      client.query('select daily_used::int as used from accounts where id = $1', [idOf(payer)]),
    );
    assert.equal(rows[0]?.used, day);
    await assertLedgerVerifies(database.url);
  });

  test('the history contains earlier and new transactions', async () => {
    const { json } = await call('GET', `/transactions?subscriber_id=${idOf(payer)}&limit=100`);
    const ids = json.transactions.map(({ transaction_id }: Json) => transaction_id);
    for (const { id } of transfers) assert.ok(ids.includes(id));
    const sum = json.transactions.reduce((total: number, { direction, amount, fee }: Json) => {
      return total + (direction === 'credit' ? amount : -amount - fee);
    }, 0);
    assert.equal(sum, json.transactions[0].balance_after);
  });

  test('the first version can still write next to the new one, which continues from its rows', async () => {
    const [late, other] = [await old.register('Mariama'), await old.register('Sorie')];
    await old.fund(late.id, 50_000);
    await old.transfer(late.id, other.id, 1_000, 'late-1');
    const paid = await transfer(1_000, 'late-2', [late.id, other.id]);
    assert.equal(paid.json.balance, 50_000 - 2 * 1_015, paid.text);
    await assertLedgerVerifies(database.url);
  });

  test('activity windows have no gap when an old gateway writes between new ones', async () => {
    const [late, other] = [await old.register('Hawa'), await old.register('Abu')];
    await old.fund(late.id, 50_000);
    assert.equal((await transfer(1_000, 'gap-1', [late.id, other.id])).reply.status, 200);
    await old.transfer(late.id, other.id, 1_000, 'gap-2');
    await assertLedgerVerifies(database.url);
    assert.equal((await transfer(1_000, 'gap-3', [late.id, other.id])).reply.status, 200);
    await assertLedgerVerifies(database.url);
  });

  test('the history of the earlier version is sealed once, on request; changes to it are detected from then on', async () => {
    const before = await verifyBooks(database.url, SECRETS.MASTER_KEY);
    assert.match(before.notices.join(), /without a seal.*npm run ledger:seal-history/s);
    const [first, second] = [await sealHistoryOf(database.url), await sealHistoryOf(database.url)];
    assert.deepEqual([first.code, second.code], [0, 1], first.out + second.out);
    assert.match(first.out, /^Sealed \d+ movements\./m);
    const sealed = await verifyBooks(database.url, SECRETS.MASTER_KEY);
    assert.ok(sealed.clean, reportOf(sealed));
    assert.deepEqual(sealed.notices, []);
    const id = transfers[0]?.id;
    const [narration, at] = [
      `update movements set narration = $2 where id = $1`,
      `update movements set at = $2 where id = $1`,
    ];
    for (const [text, value] of [
      [narration, 'x'],
      [at, '2020-01-01'],
    ] as const) {
      await withClient(database.url, async (client) => {
        const { rows } = await client.query('select narration, at::text from movements where id = $1', [id]);
        await client.query(text, [id, value]);
        const { broken } = await verifyBooks(database.url, SECRETS.MASTER_KEY);
        assert.ok(broken.has('seal_differs'), text);
        await client.query('update movements set narration = $2, at = $3 where id = $1', [
          id,
          rows[0].narration,
          rows[0].at,
        ]);
      });
    }
    await assertLedgerVerifies(database.url);
  });
});

describe('the schema', () => {
  test('a version refuses to start on a database that a newer version has migrated', async () => {
    const database = await newDatabase();
    const folder = await temporaryFolder();
    try {
      await migrate(database.url);
      const future = `insert into kysely_migration (name, timestamp) values ('9999_future', '2100-01-01T00:00:00.000Z')`;
      await withClient(database.url, (client) => client.query(future));
      const service = await runService({ ...SECRETS, DATABASE_URL: database.url, DATA_DIR: folder.path });
      assert.equal(await service.stop('SIGKILL'), 1);
      assert.match(service.stdout(), /newer version of Kissi \(9999_future\)/);
      assert.doesNotMatch(service.stdout(), /\n\s+at /, 'a message without a stack trace');
    } finally {
      await folder.remove();
      await database.drop();
    }
  });

  test('a migration that waits for a long reader lets other writes pass, and completes when the reader ends', async () => {
    const database = await newDatabase();
    const reader = new pg.Client({ connectionString: database.url });
    try {
      await firstSchema(database.url);
      await reader.connect();
      await reader.query('begin; select count(*) from accounts');
      const migrating = migrate(database.url);
      await withClient(database.url, async (client) => {
        const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        await waitFor('the migration waits', async () => (await client.query(isWaiting)).rowCount === 1);
        // This update queues behind the migration, which gives up its place.
        await client.query(`set lock_timeout = '3s'`);
        await client.query(`update accounts set balance = balance where id = 'sys_suspense'`);
      });
      await reader.query('rollback');
      assert.ok((await migrating).length > 5);
    } finally {
      await reader.end();
      await database.drop();
    }
  });

  test('docs/operations/migrations.md lists every migration', async () => {
    const page = await readFile(new URL('../../docs/operations/migrations.md', import.meta.url), 'utf8');
    const names = await readdir(new URL('../../sql/migrations/', import.meta.url));
    const missing = names.filter((name) => !page.includes(`| \`${name.slice(0, 4)}\``));
    assert.deepEqual(missing, []);
  });
});
