// Upgrades to a later version, one gateway after another, and databases that a version refuses.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runService, type ServiceProcess, temporaryFolder } from '@kissi/testkit/service';
import pg from 'pg';
import { generateCatalogue } from '../../scripts/db-types/generate.ts';
import { migrate, SchemaError } from '../../src/db/schema/migrate.ts';
import { databaseUrl } from '../support/database.ts';
import { SECRETS } from '../support/gateway.ts';
import { checkoutWith, type Migrations, migrationsWith } from '../support/later-version.ts';
import { waitFor } from '../support/wait.ts';
import { assertPaidOnce, Clients, ENV, prepare } from './paying-clients.ts';

async function withDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const name = `upgrade_${randomBytes(6).toString('hex')}`;
  const administer = (statement: string) => withClient(databaseUrl('postgres'), (client) => client.query(statement));
  await administer(`create database ${name}`);
  await work(databaseUrl(name)).finally(() => administer(`drop database ${name} with (force)`));
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

async function withFolder(work: (path: string) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  await work(folder.path).finally(() => folder.remove());
}

const EXAMPLES = {
  '9002_nicknames': 'alter table subscribers add column nickname text; alter table accounts add column colour text;',
  '9003_movements_by_fee': `-- no-transaction
create index concurrently if not exists movements_by_fee on movements (fee, id) where fee > 0;
`,
};

/** What its npm run db:types generates. */
async function catalogueWith(examples: Migrations): Promise<string> {
  const folder = await migrationsWith(examples);
  let catalogue = '';
  await withDatabase(async (url) => {
    await migrate(url, folder.path);
    catalogue = await generateCatalogue(url);
  }).finally(() => folder.remove());
  return catalogue;
}

interface Ended {
  code: number;
  out: string;
}

const verifyLedger = (checkout: string, url: string): Promise<Ended> =>
  runCommand(checkout, 'ledger-verify', { DATABASE_URL: url, ...SECRETS });

function runCommand(checkout: string, script: string, variables: Record<string, string>): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? '', ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(checkout, `scripts/${script}.ts`)], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
    );
  });
}

/** The database with a login of the service's own, as `npm run db:migrate` makes it. */
async function withServiceLogin(work: (urls: { owner: string; service: string }) => Promise<void>): Promise<void> {
  const username = `upgrade_${randomBytes(6).toString('hex')}`;
  await withDatabase((owner) => {
    const service = Object.assign(new URL(owner), { username, password: 'test-only' }).toString();
    return work({ owner, service });
  }).finally(() => withClient(databaseUrl('postgres'), (client) => client.query(`drop role if exists ${username}`)));
}

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
/** Payments between two steps of the upgrade: enough to overlap with it, few enough to be fast. */
const PAYMENTS_PER_STEP = 40;

test('gateways of two versions pay side by side during an upgrade, and every payment is posted exactly once', async () => {
  const later = await checkoutWith(EXAMPLES, await catalogueWith(EXAMPLES));
  await withFolder((dataDir) =>
    withDatabase(async (url) => {
      const env = { ...ENV, DATABASE_URL: url, DATA_DIR: dataDir };
      const gateways: ServiceProcess[] = [await runService(env), await runService(env)];
      try {
        const urls = gateways.map((gateway) => gateway.url);
        const wallets = await prepare(urls[0] ?? '');
        const clients = new Clients(urls, wallets);
        await clients.morePayments(PAYMENTS_PER_STEP);
        for (const [index, address] of urls.entries()) {
          assert.equal(await gateways[index]?.stop('SIGTERM'), 0, 'the gateway exits cleanly');
          await clients.morePayments(PAYMENTS_PER_STEP);
          const program = [join(later.path, 'src/main.ts')];
          gateways[index] = await runService({ ...env, PORT: new URL(address).port }, undefined, program);
          assert.equal(gateways[index].url, address, gateways[index].stdout());
          await clients.morePayments(PAYMENTS_PER_STEP);
        }
        await clients.stop();
        assert.deepEqual(clients.unexpected, []);
        assert.match(gateways[0]?.stderr() ?? '', /9002_nicknames.*the database schema was brought up to date/);
        assert.doesNotMatch(gateways[1]?.stderr() ?? '', /was brought up to date/, 'one gateway migrates');
        await withClient(url, (client) => assertPaidOnce(client, clients.paid, wallets));
        assert.deepEqual(await migrate(url, join(later.path, 'sql/migrations')), [], 'no migration is pending');
        const { code, out } = await verifyLedger(later.path, url);
        assert.equal(code, 0, out);
      } finally {
        await Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL')));
      }
    }),
  ).finally(() => later.remove());
});

test('an upgrade in the order of deploy/kubernetes: migrate, then a new gateway serves before an old one stops', async () => {
  const later = await checkoutWith(EXAMPLES, await catalogueWith(EXAMPLES));
  await withFolder((dataDir) =>
    withServiceLogin(async ({ owner, service }) => {
      const migrateWith = async (checkout: string) => {
        const { code, out } = await runCommand(checkout, 'db-migrate', {
          DATABASE_ADMIN_URL: owner,
          DATABASE_URL: service,
        });
        assert.equal(code, 0, out);
        return out;
      };
      await migrateWith(CHECKOUT);
      const env = { ...ENV, DATABASE_URL: service, DATA_DIR: dataDir };
      const before = [await runService(env), await runService(env)];
      const after: ServiceProcess[] = [];
      try {
        // What the proxies send to. The clients read it before each attempt.
        const urls = before.map(({ url }) => url);
        const wallets = await prepare(urls[0] ?? '');
        const clients = new Clients(urls, wallets);
        await clients.morePayments(PAYMENTS_PER_STEP);
        assert.match(await migrateWith(later.path), /Applied 9002_nicknames, 9003_movements_by_fee/);
        await clients.morePayments(PAYMENTS_PER_STEP);
        for (const gateway of before) {
          const started = await runService(env, undefined, [join(later.path, 'src/main.ts')]);
          after.push(started);
          urls.push(started.url);
          await clients.morePayments(PAYMENTS_PER_STEP);
          urls.splice(urls.indexOf(gateway.url), 1);
          await clients.morePayments(PAYMENTS_PER_STEP);
          assert.equal(await gateway.stop('SIGTERM'), 0, 'the gateway exits cleanly');
        }
        await clients.morePayments(PAYMENTS_PER_STEP);
        await clients.stop();
        assert.deepEqual(
          urls,
          after.map(({ url }) => url),
        );
        assert.deepEqual(clients.unexpected, []);
        await withClient(owner, (client) => assertPaidOnce(client, clients.paid, wallets));
        const { code, out } = await verifyLedger(later.path, owner);
        assert.equal(code, 0, out);
      } finally {
        await Promise.all([...before, ...after].map((gateway) => gateway.stop('SIGKILL')));
      }
    }),
  ).finally(() => later.remove());
});

describe('a version refuses to start, with one sentence,', () => {
  async function assertRefused(url: string, message: RegExp): Promise<void> {
    await withFolder(async (dataDir) => {
      const service = await runService({ ...SECRETS, DATABASE_URL: url, DATA_DIR: dataDir });
      assert.equal(await service.stop('SIGKILL'), 1);
      assert.match(service.stdout(), message);
      assert.doesNotMatch(service.stdout(), /\n\s+at /, 'a message without a stack trace');
    });
  }

  test('on a database that a newer version has migrated', () =>
    withDatabase(async (url) => {
      await migrate(url);
      const future = `insert into kysely_migration (name, timestamp) values ('9999_future', '2100-01-01T00:00:00.000Z')`;
      await withClient(url, (client) => client.query(future));
      await assertRefused(url, /newer version of Kissi \(9999_future\)/);
    }));

  test('on a database of version 0.4 or older, and changes nothing', () =>
    withDatabase(async (url) => {
      await withClient(url, (client) =>
        client.query(`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
          insert into kysely_migration values ('0001_foundation', ''), ('0150_request_log_subjects', '')`),
      );
      await assertRefused(
        url,
        /This database was made by version 0\.4 or older; version 0\.5 and later need a new database/,
      );
      await assert.rejects(migrate(url), SchemaError);
      const { rows } = await withClient(url, (client) =>
        client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`),
      );
      assert.deepEqual(rows, [{ relname: 'kysely_migration' }]);
    }));
});

test('a migration that waits for a long reader lets other writes pass, and completes when the reader ends', async () => {
  const folder = await migrationsWith(EXAMPLES);
  await withDatabase(async (url) => {
    await migrate(url);
    let migrating: Promise<string[]> | undefined;
    await withClient(url, async (reader) => {
      await reader.query('begin; select count(*) from accounts');
      migrating = migrate(url, folder.path);
      await withClient(url, async (client) => {
        const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        await waitFor('the migration waits', async () => (await client.query(isWaiting)).rowCount === 1);
        // This update queues behind the migration, which gives up its place.
        await client.query(`set lock_timeout = '3s'`);
        await client.query(`update accounts set balance = balance where id = 'sys_suspense'`);
      });
      await reader.query('rollback');
    });
    assert.deepEqual(await migrating, Object.keys(EXAMPLES));
  }).finally(() => folder.remove());
});

test('docs/operations/migrations.md lists every migration', async () => {
  const page = await readFile(new URL('../../docs/operations/migrations.md', import.meta.url), 'utf8');
  const names = await readdir(new URL('../../sql/migrations/', import.meta.url));
  const missing = names.filter((name) => !page.includes(`| \`${name.slice(0, 4)}\``));
  assert.deepEqual(missing, []);
});
