// DATABASE_READ_URL with a real streaming standby: reads from it show what was acknowledged, or come from the primary. Runs with Debian's
// PostgreSQL if it is installed, and otherwise with the embedded one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { batchLoader } from '../../src/db/batch-loader.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Reader } from '../../src/db/driver/reader.ts';
import { type ReadTarget, readTarget } from '../../src/db/replicas/read-target.ts';
import { createReplicas, type Replica } from '../../src/db/replicas/replicas.ts';
import { APP_ROLE, migrate } from '../../src/db/schema/migrate.ts';
import { onReplica } from '../../src/kernel/read-context.ts';
import { createArchives } from '../../src/ledger/queries/archives.ts';
import { createCheckpoints } from '../../src/ledger/queries/checkpoints.ts';
import { createAccountTotals } from '../../src/ledger/queries/totals.ts';
import { newPhone } from '../support/customers.ts';
import { LONG_TIMEOUTS, pgPool, type TestDatabase } from '../support/database.ts';
import { assertStatus, type TestGateway, testGateway } from '../support/gateway.ts';
import { type Bank, createBank, PIN, type Wallet } from '../support/money.ts';
import { type Replicas, startReplicas } from '../support/replicas.ts';
import { waitFor } from '../support/wait.ts';

/** Longer than a loaded machine needs to replay, and shorter than a test waits. */
const PATIENT_MS = 60_000;
const IMPATIENT_MS = 50;

let servers: Replicas;
let patient: TestGateway;
let impatient: TestGateway;
let bank: Bank;
let [payer, payee]: Wallet[] = [];

before(async () => {
  servers = await startReplicas({ debian: true });
  await migrate(servers.address('a'));
  patient = await testGateway({ db: databaseWithReplica(PATIENT_MS) });
  await patient.gateway.services.audit.begin();
  impatient = await testGateway({ db: databaseWithReplica(IMPATIENT_MS) });
  bank = await createBank(patient);
  [payer, payee] = [await bank.wallet(1_000_000), await bank.wallet()];
});
after(async () => {
  for (const kissi of [patient, impatient]) {
    await kissi.close();
    await kissi.db.close();
  }
  await servers.remove();
});

function databaseWithReplica(maxLagMs: number): TestDatabase {
  const url = servers.address('a');
  const replicas = { url: servers.address('b').replace(/\?.*/, ''), maxLagMs };
  const database = openDatabase({ url, poolSize: 12, role: APP_ROLE, timeouts: LONG_TIMEOUTS, replicas });
  const pool = pgPool(database.pool);
  return { url, database, query: pool.query.bind(pool), close: () => database.close() };
}

const countsOf = ({ db }: TestGateway) => ({ ...(db.database.replicas?.counts ?? assert.fail('there is no replica')) });

async function pay(): Promise<string> {
  const order = { sender_id: payer?.id, recipient_id: payee?.id, amount: 100, pin: PIN };
  return assertStatus(await bank.post('/wallet/transfer', order), 200).json.transaction_id;
}

async function newestTransaction(kissi: TestGateway): Promise<string> {
  const reply = assertStatus(await kissi.call('GET', '/api/v1/transactions?limit=1', { token: bank.key }), 200);
  return reply.json.transactions[0].transaction_id;
}

describe('a replica that keeps up', () => {
  test('shows a caller each payment right after it was acknowledged', async () => {
    const before = countsOf(patient);
    for (let paid = 0; paid < 20; paid += 1) {
      const id = await pay();
      assert.equal(await newestTransaction(patient), id);
    }
    assert.deepEqual(countsOf(patient), { ...before, replica: before.replica + 20 });
  });

  test('serves every route that may read from it, without one that tries to write there', async () => {
    const admin = await patient.adminToken();
    const { token: customer } = await newPhone(patient, payer as Wallet);
    const transaction = await pay();
    const endpoints = patient.gateway.routeGroups.flatMap((group) => group.endpoints);
    const marked = endpoints.filter(({ readsReplica }) => readsReplica).map(({ path }) => path);
    const staffPaths = marked.filter((path) => !path.startsWith('/partner/') && !path.includes(':'));
    const paths = [
      ...staffPaths.filter(
        (path) =>
          !['/search', '/wallet/account-statement', '/admin/series', '/me/statement', '/transactions/sums'].includes(
            path,
          ),
      ),
      '/me/statement?from=2026-01-01&to=2026-01-02',
      '/search?q=Kamara',
      `/transactions/sums?subscriber_id=${payer?.id}`,
      '/admin/series?metric=payments&step=day&from=2026-01-01&to=2026-01-02',
      `/transactions/${transaction}`,
      `/compliance/network/${payer?.id}`,
    ];
    assert.ok(paths.length > 12);
    const before = countsOf(patient);
    for (const path of paths) {
      const token = path.startsWith('/me') ? customer : admin;
      const reply = await patient.call('GET', `/api/v1${path}`, { token });
      assert.equal(reply.status, 200, `${path}: ${reply.text}`);
      assert.equal(countsOf(patient).failed, before.failed, path);
    }
    const period = { subscriber_id: payer?.id, from: '2026-01-01', to: '2026-12-31' };
    assert.equal((await bank.post('/wallet/account-statement', period)).status, 200);
    assert.deepEqual(countsOf(patient), { ...before, replica: before.replica + paths.length + 1 });
  });

  test('serves exports of lists, whose audit entry is written on the primary', async () => {
    const token = await patient.adminToken();
    const before = countsOf(patient);
    assertStatus(await patient.call('GET', '/api/v1/admin/users', { token, headers: { accept: 'text/csv' } }), 200);
    assert.equal(countsOf(patient).replica, before.replica + 1);
    const { rows } = await patient.db.query(`select action from audit_inbox where action like '%export%'`);
    const sealed = await patient.db.query(`select action from audit_log where action like '%export%'`);
    assert.ok(rows.length + sealed.rows.length > 0);
  });
});

test('look-ups that requests share are made on the primary', async () => {
  const load = batchLoader({ fetch: async (keys: string[]) => keys.map(() => readTarget()) });
  const replica = {} as ReadTarget;
  assert.equal(await onReplica(replica, () => load('a')), null);
  assert.equal(
    onReplica(replica, () => readTarget()),
    replica,
  );
});

test('checkpoints that are missing are written on the primary, and the totals read there', async () => {
  const { pool, replicas } = patient.db.database;
  const checkpoints = createCheckpoints(pool, { every: 5 });
  const totals = createAccountTotals(pool, { checkpoints, edge: 5, longEdge: 5 });
  const before = countsOf(patient);
  const accountId = payer?.id ?? '';
  const sums = await replicas?.read(() => totals.byType({ accountId }));
  assert.equal(sums?.complete, true);
  const { rows } = await patient.db.query('select from account_checkpoints where account_id = $1', [accountId]);
  assert.ok(rows.length > 0);
  assert.deepEqual(countsOf(patient), { ...before, replica: before.replica + 1 });
});

test('the instant of the last archive is read from the primary, since requests share it', async () => {
  const targets: (ReadTarget | null)[] = [];
  const archives = createArchives({
    async run() {
      targets.push(readTarget());
      return [];
    },
  });
  assert.equal(await onReplica({}, archives.before), null);
  assert.deepEqual(targets, [null]);
});

describe('a replica', () => {
  test('of an earlier timeline is not read from, however far it has replayed', async () => {
    const { address } = servers;
    const target = openDatabase({ url: address('b').replace(/\?.*/, ''), poolSize: 4, timeouts: LONG_TIMEOUTS });
    const replica = { reader: target.reader } as unknown as Replica;
    const readIn = async (timeline: number) => {
      const primary = { run: async () => [{ lsn: '0/1', timeline }] } as unknown as Reader;
      const replicas = createReplicas({
        replicas: [replica],
        primary,
        maxLagMs: timeline === 1 ? PATIENT_MS : IMPATIENT_MS,
      });
      return replicas.read(async () => (readTarget() ? 'replica' : 'primary'));
    };
    try {
      assert.equal(await readIn(1), 'replica');
      assert.equal(await readIn(2), 'primary');
    } finally {
      await target.close();
    }
  });

  test('that lags by more than the limit is not read from, until it has caught up', async () => {
    await servers.standby.query('select pg_wal_replay_pause()');
    await waitFor('the replay is paused', async () => {
      return (await servers.standby.query('select pg_get_wal_replay_pause_state()')) === 'paused';
    });
    const id = await pay();
    const before = countsOf(impatient);
    assert.equal(await newestTransaction(impatient), id);
    assert.equal(countsOf(impatient).replica, before.replica);
    assert.ok(countsOf(impatient).lagging > before.lagging);
    await servers.standby.query('select pg_wal_replay_resume()');
    await waitFor('the replica is read from again', async () => {
      assert.equal(await newestTransaction(impatient), id);
      return countsOf(impatient).replica > before.replica;
    });
  });

  test('that ends is not noticed by callers', async () => {
    assert.ok(await newestTransaction(patient));
    await servers.standby.kill();
    const before = countsOf(patient);
    const id = await pay();
    assert.equal(await newestTransaction(patient), id);
    assert.deepEqual(countsOf(patient).replica, before.replica);
    assert.ok(countsOf(patient).failed > before.failed);
  });
});

test('after a failover, a standby that follows the new primary is read from again', async () => {
  const { primary, server, address, folderOf, remove } = await startReplicas({ debian: true, third: true });
  const [promoted, follower] = [server('b'), server('c')];
  const replicas = { url: address('c').replace(/\?.*/, ''), maxLagMs: IMPATIENT_MS };
  const database = openDatabase({ url: address('b'), poolSize: 4, timeouts: LONG_TIMEOUTS, replicas });
  const whereRead = () => database.replicas?.read(async () => (readTarget() ? 'replica' : 'primary'));
  try {
    const lsn = String(await primary.query('select pg_current_wal_flush_lsn()'));
    await waitFor('both standbys have the database', async () => {
      const replayed = `select pg_last_wal_replay_lsn() >= '${lsn}'`;
      return (await promoted.query(replayed)) === true && (await follower.query(replayed)) === true;
    });
    await primary.kill();
    assert.equal(await promoted.query('select pg_promote()'), true);
    assert.equal(await whereRead(), 'primary');
    await follower.query(`alter system set primary_conninfo = 'host=${folderOf('b')} user=kissi'`);
    await follower.query('select pg_reload_conf()');
    await waitFor('the standby is read from', async () => (await whereRead()) === 'replica');
    const timeline = `select ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int`;
    assert.equal(await promoted.query(timeline), 2);
  } finally {
    await database.close();
    await remove();
  }
});
