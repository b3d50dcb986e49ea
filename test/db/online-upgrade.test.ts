// An upgrade from the schema of version 0.3.0 while its gateways pay, and upgrades that are interrupted.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { verifyBooks } from '../../src/app/verification.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { rollUpHistory } from '../../src/ledger/seals/rollup-history.ts';
import { reportOf } from '../../src/ledger/verification/verify.ts';
import { databaseUrl } from '../support/database.ts';
import { FirstService, schemaUpTo } from '../support/first-schema.ts';
import { SECRETS } from '../support/gateway.ts';
import { waitFor } from '../support/wait.ts';

const LAST_OF_0_3_0 = '0034_attempt_counts';
const SUBSCRIBERS = 4_000;
/** The timeouts of a gateway. */
const TIMEOUTS = '-c statement_timeout=2000 -c idle_in_transaction_session_timeout=3000';

const HISTORY = `
  insert into subscribers (id, account_number, phone_number, first_name, last_name, kyc_level, status, created_at, updated_at)
  select 'sub_old' || n, 'A' || n, '+2327700' || n, 'Aminata' || n % 97, 'Kamara', 1, 'ACTIVE', now(), now()
  from generate_series(1, ${SUBSCRIBERS}) n;
  insert into accounts (id, kind, balance, ceiling, daily_limit, last_seq, posting_count, opened_at)
  select 'sub_old' || n, 'wallet', 700, 50000000, 10000000, 1750000000000000 + n * 60000000::bigint, 1, now()
  from generate_series(1, ${SUBSCRIBERS}) n;
  insert into movements (id, type, from_account, to_account, amount, fee, details, at)
  select 'txn_old' || n, 'vult_fund', 'sys_treasury_03', 'sub_old' || n, 700, 0, '{}', to_timestamp(1750000000 + n * 60)
  from generate_series(1, ${SUBSCRIBERS}) n;
  insert into postings (account_id, seq, movement_id, amount, fee, balance_after)
  select account, 1750000000000000 + n * 60000000::bigint, 'txn_old' || n, amount, 0, balance from generate_series(1, ${SUBSCRIBERS}) n
  cross join lateral (values ('sub_old' || n, 700, 700), ('sys_treasury_03', -700, -700 * n)) as leg (account, amount, balance);
  update accounts set balance = -700 * ${SUBSCRIBERS}, posting_count = ${SUBSCRIBERS},
    last_seq = 1750000000000000 + ${SUBSCRIBERS} * 60000000::bigint where id = 'sys_treasury_03'`;

let url = '';
let owner: pg.Client;

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

beforeEach(async () => {
  url = databaseUrl(`online_upgrade_${randomBytes(6).toString('hex')}`);
  await administer(`create database ${new URL(url).pathname.slice(1)}`);
  await schemaUpTo(url, LAST_OF_0_3_0);
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(HISTORY);
});
afterEach(async () => {
  await owner.end();
  await administer(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
});

/** Runs `step` again and again on every worker until `work` has ended. An error of a step fails the test. */
async function during<T>(work: () => Promise<T>, steps: ((n: number) => Promise<unknown>)[]): Promise<T> {
  let isDone = false;
  const loops = steps.map(async (step) => {
    let n = 0;
    do await step(++n);
    while (!isDone);
  });
  // A failed step ends the test after the work, which needs the database.
  const [result] = await Promise.allSettled([work().finally(() => (isDone = true)), ...loops]);
  await Promise.all(loops);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

async function migratedNames(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

const FORMER_NAMES = `
  with expected as (select 'subscriber' as kind, key, id from subscribers, search_keys(first_name || ' ' || last_name) as names (key))
  select count(*)::int as count from expected
  full join search_names s on s.kind = expected.kind and s.key = expected.key and s.record_id = expected.id
  where expected.id is null or s.record_id is null`;

test('gateways of 0.3.0 pay, look up and edit during the upgrade, and none of their statements fails', async () => {
  const gateways = [new FirstService(url, TIMEOUTS), new FirstService(url, TIMEOUTS), new FirstService(url, TIMEOUTS)];
  const clients = [0, 1].map(() => new pg.Client({ connectionString: url, options: `-c role=kissi_app ${TIMEOUTS}` }));
  const [editor, reader] = clients as [pg.Client, pg.Client];
  await Promise.all([...gateways.map((gateway) => gateway.start()), ...clients.map((client) => client.connect())]);
  let payments = 0;
  const paying = await Promise.all(
    gateways.map(async (gateway, g) => {
      const [payer, payee] = [await gateway.register('Aminata'), await gateway.register('Ibrahim')];
      await gateway.fund(payer.id, 5_000_000);
      return async (n: number) => {
        await gateway.transfer(payer.id, payee.id, 10, `during-${g}-${n}`);
        payments += 1;
      };
    }),
  );
  const edit = (n: number) =>
    editor.query(`update subscribers set first_name = $1 where id = $2`, [
      `Hawa${n}`,
      `sub_old${(n % SUBSCRIBERS) + 1}`,
    ]);
  const lookUp = (n: number) =>
    reader.query(
      `select s.id from subscribers s join accounts a on a.id = s.id left join cards c on c.subscriber_id = s.id
       where s.id = $1`,
      [`sub_old${n % SUBSCRIBERS}`],
    );
  const applied = await during(() => migrate(url), [...paying, edit, lookUp]);
  assert.equal(applied[0], '0040_approvals');
  assert.ok(payments > 0);
  const { rows } = await owner.query(FORMER_NAMES);
  assert.equal(rows[0]?.count, 0, 'the words of all names, and no former name');
  await Promise.all([...gateways.map((gateway) => gateway.stop()), ...clients.map((client) => client.end())]);

  const database = openDatabase({ url, poolSize: 1 });
  assert.equal(await database.transact(rollUpHistory), true);
  await database.close();
  const verification = await verifyBooks(url, SECRETS.MASTER_KEY);
  assert.ok(verification.clean, reportOf(verification));
  assert.deepEqual(await migrate(url), []);
});

test('history is counted at the upgrade, exactly', async () => {
  await migrate(url);
  const counted = () =>
    Promise.all(
      ['movement_rollups', 'account_rollups'].map(
        async (table) => (await owner.query(`table ${table} order by 1, 3`)).rows,
      ),
    );
  const before = await counted();
  assert.equal(
    before[0]?.reduce((sum, { count }) => sum + Number(count), 0),
    SUBSCRIBERS,
  );
  const database = openDatabase({ url, poolSize: 1 });
  await database.transact(rollUpHistory);
  await database.close();
  assert.deepEqual(await counted(), before);
});

const MIGRATE = fileURLToPath(new URL('../../scripts/db-migrate.ts', import.meta.url));

function migrateInProcess() {
  const env = { PATH: process.env.PATH ?? '', DATABASE_ADMIN_URL: url };
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; out: string }>();
  const child = execFile(process.execPath, [MIGRATE], { env }, (error, stdout, stderr) =>
    resolve({ code: error?.code ?? error?.signal ?? 0, out: stdout + stderr }),
  );
  return { ended: promise, kill: () => child.kill('SIGKILL') };
}

async function withReader(text: string, work: (reader: pg.Client) => Promise<void>): Promise<void> {
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query(text);
  await work(reader).finally(() => reader.end());
}

test('an upgrade that is killed between two migrations continues with the one that is missing', async () => {
  await withReader('begin; select from cards', async () => {
    const killed = migrateInProcess();
    await waitFor('0048 is applied', async () => (await migratedNames()).includes('0048_pin_resets'));
    killed.kill();
    assert.equal((await killed.ended).code, 'SIGKILL');
  });
  assert.equal((await migratedNames()).at(-1), '0048_pin_resets');
  assert.equal((await migrate(url))[0], '0049_unlinked_cards');
  assert.deepEqual(await migrate(url), []);
});

const WAITS_FOR_CARDS = `select from pg_locks where relation = 'cards'::regclass and not granted`;

test('cards are read while the migration of their checks waits for a long reader', async () => {
  await migrate(url);
  await owner.query(`delete from kysely_migration where name = '0127_flat_checks'`);
  let migrating: Promise<string[]> | undefined;
  await withReader('begin; select from cards', async () => {
    migrating = migrate(url);
    await waitFor('the migration waits', async () => (await owner.query(WAITS_FOR_CARDS)).rowCount === 1);
    // Behind a migration that does not give up, this waits as long as the reader, which ends after it.
    await owner.query(`set statement_timeout = '60s'; select from cards`);
  });
  assert.deepEqual(await migrating, ['0127_flat_checks']);
});

const INDEX = `select indisvalid as valid from pg_index where indexrelid = to_regclass('movements_by_reference')`;

test('an index whose build was interrupted is built again', async () => {
  // The index waits for this snapshot.
  await withReader('begin isolation level repeatable read; select 1', async () => {
    const broken = migrateInProcess();
    await waitFor('the index exists', async () => (await owner.query(INDEX)).rows[0]?.valid === false);
    await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like '%movements_by_reference on%'
      and pid <> pg_backend_pid() and datname = current_database()`);
    assert.equal((await broken.ended).code, 1);
  });
  assert.deepEqual((await owner.query(INDEX)).rows, [{ valid: false }]);
  assert.equal((await migrate(url))[0], '0043_transaction_lookup');
  assert.deepEqual((await owner.query(INDEX)).rows, [{ valid: true }]);
  const { rows } = await owner.query('select indexrelid::regclass::text from pg_index where not indisvalid');
  assert.deepEqual(rows, []);
});

test('two processes that migrate at once apply each migration once', async () => {
  const applied = await Promise.all([migrate(url), migrate(url)]);
  const [all, none] = applied.sort((one, other) => other.length - one.length);
  assert.ok((all?.length ?? 0) > 10);
  assert.deepEqual(none, []);
});
