// npm run citus:drill: kills workers and the coordinator of a Citus cluster under payments, and verifies that no acknowledged
// payment is lost. Exits 0 on success, or if Citus is not installed; otherwise 1.
import type { Load } from '@kissi/testkit/load';
import { runScript } from '@kissi/testkit/service';
import { readArguments } from './arguments.ts';
import { type CitusCluster, findCitus, inDatabase, startCitus } from './drill/citus-cluster.ts';
import { longestOutage, payDuring, waitForPayments } from './drill/payments.ts';
import type { PostgresServer } from './drill/postgres-server.ts';
import { print, runDrill, type Sandbox, waitUntil } from './drill/sandbox.ts';
import { startService, verifyLedger } from './drill/service.ts';

const WORKERS = 2;

readArguments({
  usage: `npm run citus:drill
Starts a Citus cluster and two gateways in a temporary directory, kills workers and the coordinator under payments, and
verifies that no acknowledged payment is lost. Skipped where Citus is not installed.`,
  failure: 'The drill was not started',
  failureCode: 1,
});

const bin = await findCitus();
if (bin === null) print('Skipped: the extension citus is not installed for PostgreSQL.');
else await runDrill('citus', (sandbox) => run(sandbox, bin));

async function run(sandbox: Sandbox, bin: string): Promise<void> {
  print(`Starting a coordinator and ${WORKERS} workers from ${bin} …`);
  const cluster = await startCitus(sandbox, bin, WORKERS);
  const database = { databaseUrl: cluster.url, dataDir: sandbox.directory };
  await npmScript('db-migrate', cluster.url);
  await npmScript('db-distribute', cluster.url);
  const start = () => startService(database, sandbox.directory);
  const gateways = [await start(), await start()] as const;
  try {
    await payDuring(gateways, (load) => injectFailures(cluster, load));
    await assertNothingPrepared(cluster);
    print(await verifyLedger(database));
  } finally {
    for (const gateway of gateways) await gateway.stop();
  }
}

async function npmScript(name: string, url: string): Promise<void> {
  const { code, output } = await runScript(`scripts/${name}.ts`, { DATABASE_ADMIN_URL: url });
  print(output);
  if (code !== 0) throw new Error(`${name} exited with code ${code}`);
}

async function injectFailures({ coordinator, workers }: CitusCluster, load: Load): Promise<void> {
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
    const failedAt = performance.now();
    await Promise.all(servers.map((server) => server.kill()));
    for (const server of servers) await restart(server);
    await waitForPayments(load);
    const { gap, end } = longestOutage(load, failedAt);
    print(`kill -9 of ${what}: no payments for ${gap}, until ${end} after the failure`);
  }
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
