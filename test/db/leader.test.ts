// Failover between real servers: every kind of connection goes to the leader and follows a promotion.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { integer, text } from '../../src/db/driver/columns.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { targetOf } from '../../src/db/failover/leader-client.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { LONG_TIMEOUTS } from '../support/database.ts';
import { type Replicas, startReplicas } from '../support/replicas.ts';
import { waitFor } from '../support/wait.ts';

let servers: Replicas;
let database: Database;
before(async () => {
  servers = await startReplicas();
});
after(() => servers.remove());

beforeEach(() => {
  database = openDatabase({ url: servers.address('b', 'a'), poolSize: 8, timeouts: LONG_TIMEOUTS });
});

/** The last letter of a server's data directory is its name. */
const NAME = `right(current_setting('data_directory'), 1)`;
const SERVER = statement('server', `select ${NAME}`, ([name]) => text(name));
const WRITE = statement('write', 'insert into written default values');

/** The server at the other end of each kind of connection. */
async function connectedTo(): Promise<(string | undefined)[]> {
  const { reader, pool, ledgerPool, queries } = database;
  const { rows } = await sql<{ name: string }>`select ${sql.raw(NAME)} as name`.execute(queries);
  const runners = [reader, pool, ledgerPool];
  const names = await Promise.all(runners.map(async (runner) => (await runner.run(SERVER))[0]));
  return [...names, rows[0]?.name];
}

const ALL_AT = (name: string) => [name, name, name, name];
const write = () => database.pool.execute(WRITE);

afterEach(() => database.close());

describe('two servers, one of them a standby', () => {
  test('migrations and every kind of connection use the server that accepts writes, even though the standby is listed first', async () => {
    assert.ok((await migrate(servers.address('b', 'a'))).length > 0);
    await sql`create table written (n serial)`.execute(database.queries);
    assert.deepEqual(await connectedTo(), ALL_AT('a'));
  });

  test('a standby alone is neither written to nor read from: connecting fails at once', async () => {
    const { connectionString, Client } = targetOf(servers.address('b'));
    await assert.rejects(new Client({ connectionString }).connect(), { code: 'NO_LEADER' });
  });

  test('a leader that becomes read-only is abandoned at the first rejected write and used again later', async () => {
    assert.deepEqual(await connectedTo(), ALL_AT('a'));
    await servers.primary.query('alter system set default_transaction_read_only = on');
    await servers.primary.query('select pg_reload_conf()');
    await waitFor('a write is rejected', () =>
      write().then(
        () => false,
        (error) => error.code === '25006',
      ),
    );
    await assert.rejects(write(), { code: 'NO_LEADER' });
    await servers.primary.query('alter system reset default_transaction_read_only');
    await servers.primary.query('select pg_reload_conf()');
    await waitFor('writes are accepted again', async () => (await write()) === 1);
  });

  test('after a promotion with the old leader still running, one failed connection moves all of them', async () => {
    await database.close();
    database = openDatabase({ url: servers.address('a', 'b'), poolSize: 8, timeouts: LONG_TIMEOUTS });
    assert.deepEqual(await connectedTo(), ALL_AT('a'));
    assert.equal(await servers.standby.query('select pg_promote()'), true);
    // One connection is cut. The others are alive, on a server that still accepts writes.
    const PID = statement('pid', 'select pg_backend_pid()', ([pid]) => integer(pid));
    const [pid] = await database.ledgerPool.run(PID);
    await servers.primary.query(`select pg_terminate_backend(${pid}, 5000)`);
    await waitFor('all are on the new leader', async () => (await connectedTo()).join('') === 'bbbb');
    assert.equal(await write(), 1);
    const connections = `select count(*) from pg_stat_activity where application_name = 'kissi'`;
    await waitFor('none is left on the old leader', async () => (await servers.primary.query(connections)) === '0');
  });

  test('the old leader is not used again even though it is listed first, and its crash has no effect', async () => {
    assert.deepEqual(await connectedTo(), ALL_AT('b'));
    const later = openDatabase({ url: servers.address('a', 'b'), poolSize: 8, timeouts: LONG_TIMEOUTS });
    assert.deepEqual(await later.pool.run(SERVER), ['b']);
    await later.close();
    await servers.primary.kill();
    assert.equal(await write(), 1);
  });

  test('a query fails with the reason when all servers are down', async () => {
    assert.deepEqual(await connectedTo(), ALL_AT('b'));
    await servers.standby.kill();
    await assert.rejects(writeUntilFailure(), /ENOENT|ECONNREFUSED|EPIPE|ECONNRESET|terminat(ed|ing)|accepts writes/);
  });
});

/** Each pooled connection may fail once before the search for a leader fails. */
async function writeUntilFailure(): Promise<void> {
  for (let n = 0; n < 20; n++) await write();
}
