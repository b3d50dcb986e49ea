// Where commits wait for a second server: one that only the first server has is not told to anybody as done.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { LONG_TIMEOUTS, pgPool } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { type Replicas, startReplicas } from '../support/replicas.ts';
import { waitFor } from '../support/wait.ts';
import { open, orderOf } from './books.ts';

let servers: Replicas;
let database: Database;
before(async () => {
  servers = await startReplicas();
  await migrate(servers.address('a', 'b'));
  database = openDatabase({ url: servers.address('a', 'b'), poolSize: 8, timeouts: LONG_TIMEOUTS });
});
after(async () => {
  await database.close();
  await servers.remove();
});

async function waitForCopiesAt(standby: string): Promise<void> {
  await servers.primary.query(`alter system set synchronous_standby_names = '${standby}'`);
  await servers.primary.query('select pg_reload_conf()');
}

const WAITING = `from pg_stat_activity where wait_event = 'SyncRep'`;
const countWaiting = () => servers.primary.query(`select count(*) ${WAITING}`);
const cutOff = () => servers.primary.query(`select pg_terminate_backend(pid) ${WAITING}`);

/** A new setting is in force some time after it was read: tried with commits of our own until one waits. */
async function commitsWait(): Promise<void> {
  const tries: Promise<unknown>[] = [];
  await waitFor('commits wait for a copy', async () => {
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
  await waitFor('the tries are over', async () => {
    await cutOff();
    return !trying && (await countWaiting()) === '0';
  });
}

test('a commit that was cut off while it waited is found, waited for, and acknowledged once it is safe', async () => {
  await open(database.queries, ['from', 'to']);
  await open(database.queries, ['bank'], { floor: null });
  const ledger = testLedger({ pool: database.ledgerPool, clock: systemClock });
  await ledger.post(orderOf({ from: 'bank', to: 'from', amount: 1_000 }));

  await waitForCopiesAt('nobody');
  await commitsWait();
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
  await waitFor('the commit waits for a copy', async () => (await countWaiting()) === '1');
  // Each further attempt finds the commit, and waits for its copy too.
  await waitFor('the ledger gives up', async () => {
    await cutOff();
    return outcome;
  });
  assert.equal(outcome, 'unknown');

  await waitForCopiesAt('');
  const again = await ledger.post({ ...orderOf({ from: 'from', to: 'to', amount: 100, request: { id: 'cut-off' } }) });
  assert.equal(again.outcome, 'replayed');
  assert.equal(
    again.outcome === 'replayed' && again.reply,
    JSON.stringify({ transaction_id: order.movement.id, balance: 900 }),
  );
});
