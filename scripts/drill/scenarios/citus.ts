// npm run drill:citus: kills workers and the coordinator of a Citus cluster under payments, and verifies that no acknowledged
// payment is lost.
import type { Load } from '@kissi/testkit/load';
import { runScript } from '@kissi/testkit/service';
import { type CitusCluster, findCitus, startCitus } from '../citus-cluster.ts';
import type { Drill, DrillResult } from '../drill.ts';
import { inSeconds, longestOutage, payDuring, waitForPayments } from '../payments.ts';
import { inDatabase, type PostgresServer } from '../postgres-server.ts';
import { step, waitUntil } from '../sandbox.ts';
import { startService, verifiedLedger } from '../service.ts';

const WORKERS = 2;

export const drill: Drill = {
  about: `Starts a Citus cluster and two gateways in a temporary directory, kills workers and the coordinator under payments, and
verifies that no acknowledged payment is lost. Fails where Citus is not installed.`,
  async run(sandbox, { payers }) {
    const bin = await findCitus();
    if (bin === null) throw new Error('the extension citus is not installed for PostgreSQL');
    step(`starting a coordinator and ${WORKERS} workers from ${bin}`);
    const cluster = await startCitus(sandbox, bin, WORKERS);
    const database = { databaseUrl: cluster.url, dataDir: sandbox.directory };
    await npmScript('db-migrate', cluster.url);
    await npmScript('db-distribute', cluster.url);
    const start = () => startService(database, sandbox.directory);
    const gateways = [await start(), await start()] as const;
    try {
      const results = await payDuring(gateways, payers, (load) => injectFailures(cluster, load));
      await assertNothingPrepared(cluster);
      step(await verifiedLedger(database));
      return results;
    } finally {
      for (const gateway of gateways) await gateway.stop();
    }
  },
};

async function npmScript(name: string, url: string): Promise<void> {
  const { code, output } = await runScript(`scripts/${name}.ts`, { DATABASE_ADMIN_URL: url });
  step(output);
  if (code !== 0) throw new Error(`${name} exited with code ${code}`);
}

async function injectFailures({ coordinator, workers }: CitusCluster, load: Load): Promise<DrillResult[]> {
  const results: DrillResult[] = [];
  const [one, other] = workers as [PostgresServer, PostgresServer];
  const failures: [string, PostgresServer[]][] = [
    ['one worker', [one]],
    ['the coordinator', [coordinator]],
    ['the other worker', [other]],
    ['both workers', [one, other]],
    ['the coordinator and a worker', [coordinator, one]],
  ];
  for (const [what, servers] of failures) {
    await waitForPayments(load);
    const acknowledgedBefore = load.acknowledged;
    const failedAt = performance.now();
    await Promise.all(servers.map((server) => server.kill()));
    for (const server of servers) await restart(server);
    await waitForPayments(load);
    const { gapMs, endMs } = longestOutage(load, failedAt);
    step(`kill -9 of ${what}: no payments for ${inSeconds(gapMs)}, until ${inSeconds(endMs)} after the failure`);
    results.push({ failure: what, acknowledgedBefore, lost: 0, oldestLostMs: 0, recoveryMs: endMs });
  }
  return results;
}

/** The processes that a killed server leaves behind end soon after it; until then it cannot start. */
async function restart(server: PostgresServer): Promise<void> {
  await waitUntil('the server starts again', async () => {
    await server.start();
    return true;
  });
}

/** Each server has ended what the failures left prepared. */
async function assertNothingPrepared({ coordinator, workers }: CitusCluster): Promise<void> {
  const prepared = async (server: PostgresServer) =>
    Number((await inDatabase(server, 'select count(*) from pg_prepared_xacts'))[0]?.count);
  await waitUntil('no transaction is prepared', async () => {
    const counts = await Promise.all([coordinator, ...workers].map(prepared));
    return counts.every((count) => count === 0);
  });
}
