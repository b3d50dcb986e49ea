// Upgrades to a later version while gateways of this one work, and upgrades that are interrupted.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../src/db/schema/migrate.ts';
import { databaseUrl } from '../support/database.ts';
import { type Folder, migrationsWith } from '../support/later-version.ts';
import { waitFor } from '../support/wait.ts';

const SUBSCRIBERS = 2_000;
/** The timeouts of a gateway. */
const TIMEOUTS = '-c statement_timeout=2000 -c idle_in_transaction_session_timeout=3000';

/** One of each kind: columns and a table, an index on a large table, changes of many rows, and a check. */
const EXAMPLES = {
  '9002_nicknames': `
    alter table subscribers add column nickname text;
    create table nicknames (name text primary key);
    grant select on nicknames to kissi_app;`,
  '9003_movements_by_fee': `-- no-transaction
create index concurrently if not exists movements_by_fee on movements (fee, id) where fee > 0;
`,
  '9004_nicknames_of_subscribers': `-- no-transaction
do $$
declare
  last text := '';
  slice text[];
begin
  loop
    select array_agg(id order by id) into slice
    from (select id from subscribers where id > last order by id limit 500 for update) locked;
    exit when slice is null;
    update subscribers set nickname = left(first_name, 3) where id = any (slice);
    last := slice[array_upper(slice, 1)];
    commit;
  end loop;
end $$;
`,
  '9005_card_colours': 'alter table cards add column colour text;',
  '9006_card_labels': `-- no-transaction
set local lock_timeout = '500ms';
alter table cards add constraint cards_label_check check (length(label) <= 100) not valid;

alter table cards validate constraint cards_label_check;
`,
};
const NAMES = Object.keys(EXAMPLES);

const HISTORY = `
  insert into subscribers (id, account_number, phone_number, first_name, last_name, kyc_level, status, created_at, updated_at)
  select 'sub_old' || n, 'A' || n, '+2327700' || n, 'Aminata' || n % 97, 'Kamara', 1, 'ACTIVE', now(), now()
  from generate_series(1, ${SUBSCRIBERS}) n;
  insert into accounts (id, kind, opened_at) select id, 'wallet', created_at from subscribers;
  insert into movements (id, type, from_account, to_account, amount, fee, details, at)
  select 'txn_old' || n, 'vult_fund', 'sys_treasury_03', 'sub_old' || n, 700, 1, '{}', to_timestamp(1750000000 + n * 60)
  from generate_series(1, ${SUBSCRIBERS}) n`;

let folder: Folder;
let url = '';
let owner: pg.Client;

const upgrade = () => migrate(url, folder.path);

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

before(async () => {
  folder = await migrationsWith(EXAMPLES);
});
after(() => folder.remove());
beforeEach(async () => {
  url = databaseUrl(`online_upgrade_${randomBytes(6).toString('hex')}`);
  await administer(`create database ${new URL(url).pathname.slice(1)}`);
  await migrate(url);
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

test('gateways pay, look up and edit during the upgrade, and none of their statements fails', async () => {
  const clients = [0, 1, 2, 3].map(
    () => new pg.Client({ connectionString: url, options: `-c role=kissi_app ${TIMEOUTS}` }),
  );
  const [payer, otherPayer, editor, reader] = clients as [pg.Client, pg.Client, pg.Client, pg.Client];
  await Promise.all(clients.map((client) => client.connect()));
  const idOf = (n: number) => `sub_old${(n % SUBSCRIBERS) + 1}`;
  let payments = 0;
  const pay = (client: pg.Client, name: string) => async (n: number) => {
    await client.query('begin');
    await client.query('update accounts set balance = balance + 1, posting_count = posting_count + 1 where id = $1', [
      name,
    ]);
    await client.query(
      `insert into movements (id, type, from_account, to_account, amount, fee, details, at)
       values ($1, 'transfer_p2p', $2, 'sub_old9', 1, 1, '{}', now())`,
      [`txn_${name}_${n}`, name],
    );
    await client.query('commit');
    payments += 1;
  };
  const edit = (n: number) =>
    editor.query('update subscribers set first_name = $1 where id = $2', [`Hawa${n}`, idOf(n)]);
  const lookUp = (n: number) =>
    reader.query(
      `select s.id from subscribers s join accounts a on a.id = s.id left join cards c on c.subscriber_id = s.id
       where s.id = $1`,
      [idOf(n)],
    );
  const steps = [pay(payer, 'sub_old1'), pay(otherPayer, 'sub_old2'), edit, lookUp];
  assert.deepEqual(await during(upgrade, steps), NAMES);
  await Promise.all(clients.map((client) => client.end()));
  const { rows } = await owner.query(`select (select count(*)::int from subscribers where nickname is null) as missing,
    (select sum(balance)::int from accounts) as paid, (select count(*)::int from movements where id not like 'txn_old%') as moved`);
  assert.deepEqual(rows, [{ missing: 0, paid: payments, moved: payments }]);
  assert.ok(payments > 0);
  assert.deepEqual(await upgrade(), []);
});

const MIGRATE = new URL('../../src/db/schema/migrate.ts', import.meta.url).href;

function upgradeInProcess() {
  const program = `import { migrate } from '${MIGRATE}'; await migrate(process.env.URL, process.env.FOLDER)`;
  const { promise, resolve } = Promise.withResolvers<{ code: unknown }>();
  const child = execFile(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { env: { PATH: process.env.PATH ?? '', URL: url, FOLDER: folder.path } },
    (error) => resolve({ code: error?.signal ?? error?.code ?? 0 }),
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
    const killed = upgradeInProcess();
    await waitFor('9004 is applied', async () => (await migratedNames()).includes('9004_nicknames_of_subscribers'));
    killed.kill();
    assert.equal((await killed.ended).code, 'SIGKILL');
  });
  assert.equal((await migratedNames()).at(-1), '9004_nicknames_of_subscribers');
  assert.deepEqual(await upgrade(), NAMES.slice(3));
  assert.deepEqual(await upgrade(), []);
});

const WAITS_FOR_CARDS = `select from pg_locks where relation = 'cards'::regclass and not granted`;

test('cards are read while the migration of their checks waits for a long reader', async () => {
  await upgrade();
  await owner.query(`delete from kysely_migration where name = '9006_card_labels';
    alter table cards drop constraint cards_label_check`);
  let migrating: Promise<string[]> | undefined;
  await withReader('begin; select from cards', async () => {
    migrating = upgrade();
    await waitFor('the migration waits', async () => (await owner.query(WAITS_FOR_CARDS)).rowCount === 1);
    // Behind a migration that does not give up, this waits as long as the reader, which ends after it.
    await owner.query(`set statement_timeout = '60s'; select from cards`);
  });
  assert.deepEqual(await migrating, ['9006_card_labels']);
});

const INDEX = `select indisvalid as valid from pg_index where indexrelid = to_regclass('movements_by_fee')`;

test('an index whose build was interrupted is built again', async () => {
  // The index waits for this snapshot.
  await withReader('begin isolation level repeatable read; select 1', async () => {
    const broken = upgradeInProcess();
    await waitFor('the index exists', async () => (await owner.query(INDEX)).rows[0]?.valid === false);
    await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like '%movements_by_fee on%'
      and pid <> pg_backend_pid() and datname = current_database()`);
    assert.equal((await broken.ended).code, 1);
  });
  assert.deepEqual((await owner.query(INDEX)).rows, [{ valid: false }]);
  assert.equal((await upgrade())[0], '9003_movements_by_fee');
  assert.deepEqual((await owner.query(INDEX)).rows, [{ valid: true }]);
  const { rows } = await owner.query('select indexrelid::regclass::text from pg_index where not indisvalid');
  assert.deepEqual(rows, []);
});

test('two processes that migrate at once apply each migration once', async () => {
  const applied = await Promise.all([upgrade(), upgrade()]);
  const [all, none] = applied.sort((one, other) => other.length - one.length);
  assert.deepEqual(all, NAMES);
  assert.deepEqual(none, []);
});
