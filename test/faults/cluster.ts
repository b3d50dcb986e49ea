// The Citus cluster of the fault tests: a coordinator and two workers. A fault breaks one of these servers after the other.

import { setTimeout as wait } from 'node:timers/promises';
import { FrozenProcesses, killServer, postmasterOf, queryOnce, sendSignal } from '@kissi/testkit/faults';
import { findCitus, startCitus } from '../../scripts/drill/citus-cluster.ts';
import type { PostgresServer } from '../../scripts/drill/postgres-server.ts';
import { createSandbox } from '../../scripts/drill/sandbox.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { distributeTables } from '../support/citus.ts';
import { waitFor } from '../support/wait.ts';
import type { FaultyDatabase } from './database.ts';
import { oneAtATime } from './gateways.ts';

const WORKERS = 2;
const RESPONSIVE_WITHIN_MS = 180_000;

/** Gateways' sessions on the coordinator, and the coordinator's on workers. */
const SESSIONS = `select pid from pg_stat_activity where application_name = 'kissi' or application_name like 'citus_internal%' order by pid`;

export async function startFaultyCluster(): Promise<FaultyDatabase> {
  const bin = await findCitus();
  if (bin === null) throw new Error('The extension citus is not installed for PostgreSQL.');
  const sandbox = await createSandbox('faults-citus');
  try {
    const { coordinator, workers, url } = await startCitus(sandbox, bin, WORKERS);
    await migrate(url);
    await distributeTables(url);
    return faultyCluster(url, [coordinator, ...workers], () => sandbox.close());
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

function faultyCluster(url: string, servers: readonly PostgresServer[], closeAll: () => Promise<void>): FaultyDatabase {
  const frozen = new FrozenProcesses();
  const [nextToKill, nextToFreeze] = [inTurn(servers.toReversed()), inTurn(servers)];

  const isServerRunning = async ({ pgdata }: PostgresServer) => (await postmasterOf(pgdata)) !== null;

  async function stoppedServers(): Promise<PostgresServer[]> {
    const running = await Promise.all(servers.map(isServerRunning));
    return servers.filter((_, n) => !running[n]);
  }

  /** Counting rows reads every shard. */
  async function isResponding(): Promise<boolean> {
    return (await queryOnce(url, 'select count(*) from allowances')) !== null;
  }

  async function countPrepared(): Promise<number> {
    const text = 'select count(*) from pg_prepared_xacts';
    const counts = await Promise.all(servers.map((server) => server.query(text)));
    return counts.reduce((sum: number, count) => sum + Number(count), 0);
  }

  return {
    url: () => url,
    hasSmallDisk: false,
    kill: () => killServer(nextToKill().pgdata),
    killAll: async () => void (await Promise.all(servers.map(({ pgdata }) => killServer(pgdata)))),
    async killBackend(random) {
      const found = await Promise.all(servers.map(({ superuserUrl }) => queryOnce(superuserUrl, SESSIONS)));
      const sessions = found.flatMap((rows) => (rows ?? []) as { pid: number }[]);
      return sessions.length > 0 && sendSignal(random.pick(sessions).pid, 'SIGKILL');
    },
    freeze: () => frozen.freeze(nextToFreeze().pgdata),
    fillDisk: () => Promise.reject(new Error('the disk of a cluster is not small')),
    exhaustWal: async () => false,
    isRunning: async () => (await stoppedServers()).length === 0,
    settle: async () => void (await waitFor('nothing is prepared', async () => (await countPrepared()) === 0)),
    ensureRunning: oneAtATime(async () => {
      frozen.thaw();
      const end = performance.now() + RESPONSIVE_WITHIN_MS;
      do {
        // The processes that a killed server leaves behind end soon after it; until then it cannot start.
        for (const server of await stoppedServers()) await server.start().catch(() => undefined);
        if (await isResponding()) return;
        await wait(50);
      } while (performance.now() < end);
      throw new Error('the cluster did not recover');
    }),
    async stop() {
      frozen.thaw();
      await closeAll();
    },
  };
}

function inTurn<T>(items: readonly T[]): () => T {
  let calls = 0;
  return () => items[calls++ % items.length] as T;
}
