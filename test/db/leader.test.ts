// A database of several servers: the service writes to the one that leads, and goes with the lead by itself.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { reach } from '../../src/db/failover/follower.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { type Replicas, startReplicas } from '../support/replicas.ts';
import { waitFor } from '../support/wait.ts';

let servers: Replicas;
let database: Database;
before(async () => {
  servers = await startReplicas();
});
after(() => servers.remove());

beforeEach(() => {
  database = openDatabase({ url: servers.address('b', 'a'), poolSize: 8 });
});

const SERVER = `select current_setting('data_directory') as place`;
const nameOf = (place: string) => place.slice(-1);

/** The server at the other end of each kind of connection. */
async function connectedTo(): Promise<string[]> {
  const { rows: read } = await database.reader.query<{ place: string }>({ text: SERVER });
  const { rows: pooled } = await database.pool.query<{ place: string }>(SERVER);
  const { rows: ledger } = await database.ledgerPool.query<{ place: string }>(SERVER);
  const { rows: typed } = await sql<{ place: string }>`select current_setting('data_directory') as place`.execute(
    database.queries,
  );
  return [read, pooled, ledger, typed].map((rows) => nameOf(rows[0]?.place ?? ''));
}

const ALL_AT = (name: string) => [name, name, name, name];
const write = () => database.pool.query('insert into written default values');

afterEach(() => database.close());

describe('two servers, one of them a standby', () => {
  test('migrations and every kind of connection go to the one that takes writes, though the standby stands first', async () => {
    assert.ok((await migrate(servers.address('b', 'a'))).length > 0);
    await database.pool.query('create table written (n serial)');
    assert.deepEqual(await connectedTo(), ALL_AT('a'));
  });

  test('a standby alone is never written to nor read from: that there is no leader is said at once', async () => {
    const { connectionString, Client } = reach(servers.address('b'));
    await assert.rejects(new Client({ connectionString }).connect(), { code: 'NO_LEADER' });
  });

  test('a leader that takes no more writes is left at the first one it refuses, and found again when it does', async () => {
    assert.deepEqual(await connectedTo(), ALL_AT('a'));
    await servers.primary.query('alter system set default_transaction_read_only = on');
    await servers.primary.query('select pg_reload_conf()');
    await waitFor('a write is refused', () =>
      write().then(
        () => false,
        (error) => error.code === '25006',
      ),
    );
    await assert.rejects(write(), { code: 'NO_LEADER' });
    await servers.primary.query('alter system reset default_transaction_read_only');
    await servers.primary.query('select pg_reload_conf()');
    await waitFor('writes are taken again', async () => (await write()).rowCount === 1);
  });

  test('the standby is promoted while the old leader lives on: whoever is in doubt goes to the new one, and takes all along', async () => {
    await database.close();
    database = openDatabase({ url: servers.address('a', 'b'), poolSize: 8 });
    assert.deepEqual(await connectedTo(), ALL_AT('a'));
    assert.equal(await servers.standby.query('select pg_promote()'), true);
    // One connection is cut; the others are alive, at a server that still takes writes for itself alone.
    const { rows } = await database.ledgerPool.query<{ pid: number }>('select pg_backend_pid() as pid');
    await servers.primary.query(`select pg_terminate_backend(${rows[0]?.pid}, 5000)`);
    await waitFor('all are at the new leader', async () => (await connectedTo()).join('') === 'bbbb');
    assert.equal((await write()).rowCount, 1);
    const followers = `select count(*) from pg_stat_activity where application_name = 'kissi'`;
    await waitFor('nobody is left at the old one', async () => (await servers.primary.query(followers)) === '0');
  });

  test('the old leader, though it stands first, is not gone back to; and when it is killed nobody notices', async () => {
    assert.deepEqual(await connectedTo(), ALL_AT('b'));
    const later = openDatabase({ url: servers.address('a', 'b'), poolSize: 8 });
    assert.deepEqual(
      (await later.pool.query(SERVER)).rows.map(({ place }) => nameOf(place)),
      ['b'],
    );
    await later.close();
    await servers.primary.kill();
    assert.equal((await write()).rowCount, 1);
  });

  test('with all of them gone a request fails within the time, and says so', async () => {
    assert.deepEqual(await connectedTo(), ALL_AT('b'));
    await servers.standby.kill();
    const began = performance.now();
    await assert.rejects(eventuallyFails(), /ENOENT|ECONNREFUSED|terminated|takes writes/);
    assert.ok(performance.now() - began < 5_000);
  });
});

/** The connections in the pool may end with a failure each; then the search for a leader fails. */
async function eventuallyFails(): Promise<void> {
  for (let n = 0; n < 20; n++) await write();
}
