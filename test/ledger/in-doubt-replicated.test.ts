// Synchronous replication: a commit that only the primary has is never acknowledged.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { LONG_TIMEOUTS, pgPool } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { startReplicas } from '../support/replicas.ts';
import { waitFor } from '../support/wait.ts';
import { open, orderOf } from './books.ts';

const servers = await startReplicas();
await migrate(servers.address('a', 'b'));
const database = openDatabase({ url: servers.address('a', 'b'), poolSize: 8, timeouts: LONG_TIMEOUTS });
after(async () => {
  await database.close();
  await servers.remove();
});

async function requireStandby(standby: string): Promise<void> {
  await servers.primary.query(`alter system set synchronous_standby_names = '${standby}'`);
  await servers.primary.query('select pg_reload_conf()');
}

const WAITING = `from pg_stat_activity where wait_event = 'SyncRep'`;
const countWaiting = () => servers.primary.query(`select count(*) ${WAITING}`);
const terminateWaiting = () => servers.primary.query(`select pg_terminate_backend(pid) ${WAITING}`);

/** Waits until the new setting is in force: makes commits until one of them waits for the standby. */
async function commitsWaitForStandby(): Promise<void> {
  const tries: Promise<unknown>[] = [];
  await waitFor('commits wait for the standby', async () => {
    tries.push(
      pgPool(database.pool)
        .query(`create table try_${tries.length} ()`)
        .catch(() => undefined),
    );
    return (await countWaiting()) !== '0';
  });
  let trying = true;
  void Promise.all(tries).then(() => {
    trying = false;
  });
  await waitFor('the trial commits have ended', async () => {
    await terminateWaiting();
    return !trying && (await countWaiting()) === '0';
  });
}

test('a commit terminated while it waits for replication is acknowledged only once it is replicated', async () => {
  await open(database.queries, ['from', 'to']);
  await open(database.queries, ['bank'], { floor: null });
  const ledger = testLedger({ pool: database.ledgerPool, clock: systemClock });
  await ledger.post(orderOf({ from: 'bank', to: 'from', amount: 1_000 }));

  await requireStandby('nobody');
  await commitsWaitForStandby();
  const order = orderOf({ from: 'from', to: 'to', amount: 100, request: { id: 'cut-off' } });
  let outcome: string | undefined;
  void ledger.post(order).then(
    () => {
      outcome = 'acknowledged';
    },
    () => {
      outcome = 'unknown';
    },
  );
  await waitFor('the commit waits for the standby', async () => (await countWaiting()) === '1');
  // Each further attempt finds the commit and waits for its replication too.
  await waitFor('the ledger gives up', async () => {
    await terminateWaiting();
    return outcome;
  });
  assert.equal(outcome, 'unknown');

  await requireStandby('');
  const again = await ledger.post({ ...orderOf({ from: 'from', to: 'to', amount: 100, request: { id: 'cut-off' } }) });
  assert.equal(again.outcome, 'replayed');
  assert.equal(
    again.outcome === 'replayed' && again.reply,
    JSON.stringify({ transaction_id: order.movement.id, balance: 900 }),
  );
});
