// npm run ha:drill: repeatedly kills the leader of a PostgreSQL cluster under load and verifies that no acknowledged payment
// is lost. Exits 0 on success, or if the required programs are not installed; otherwise 1.
import type { Load } from '@kissi/testkit/load';
import { readArguments } from './arguments.ts';
import { type Cluster, type Node, type Programs, startCluster, TTL_SECONDS } from './drill/patroni-cluster.ts';
import { inSeconds, longestOutage, payDuring, waitForPayments } from './drill/payments.ts';
import {
  findPostgresql,
  findProgram,
  INSTALL_COMMAND,
  print,
  runDrill,
  type Sandbox,
  waitUntil,
} from './drill/sandbox.ts';
import { startService, verifyLedger } from './drill/service.ts';

const FAILURES = ['node', 'postgres', 'node', 'patroni', 'node'] as const;
const DESCRIPTIONS = {
  node: 'kill -9 of PostgreSQL and Patroni',
  postgres: 'kill -9 of PostgreSQL only',
  patroni: 'kill -9 of Patroni only (PostgreSQL keeps running)',
};

readArguments({
  usage: `npm run ha:drill
Starts a Patroni cluster and a gateway in a temporary directory, kills the leader again and again under payments, and
verifies that no acknowledged payment is lost. Skipped where Patroni is not installed.`,
  failure: 'The drill was not started',
  failureCode: 1,
});
const programs = await findPrograms();
if (programs) await runDrill('ha', (sandbox) => run(sandbox, programs));

async function findPrograms(): Promise<Programs | null> {
  const [postgresql, patroni, etcd] = [await findPostgresql(), await findProgram('patroni'), await findProgram('etcd')];
  if (postgresql && patroni && etcd) return { postgresql, patroni, etcd };
  const missing = Object.entries({ PostgreSQL: postgresql, Patroni: patroni, etcd }).filter(([, path]) => !path);
  print(`Skipped: ${missing.map(([name]) => name).join(', ')} not installed. On Debian:\n  ${INSTALL_COMMAND}`);
  return null;
}

async function run(sandbox: Sandbox, programs: Programs): Promise<void> {
  print(`Starting three servers from ${programs.postgresql} under Patroni, with a ttl of ${TTL_SECONDS} s …`);
  const startedAt = performance.now();
  const cluster = await startCluster(sandbox, programs);
  print(`The cluster is healthy after ${inSeconds(performance.now() - startedAt)}.`);
  const database = { databaseUrl: cluster.url, dataDir: sandbox.directory };
  const service = await startService(database, sandbox.directory);
  try {
    await payDuring([service], (load) => injectFailures(cluster, load));
    print(await verifyLedger(database));
  } finally {
    await service.stop();
  }
}

async function injectFailures(cluster: Cluster, load: Load): Promise<void> {
  for (const what of FAILURES) {
    await cluster.waitUntilHealthy();
    await waitForPayments(load);
    const oldLeader = (await cluster.leader()) as Node;
    const failedAt = performance.now();
    await cluster.kill(oldLeader, what);
    await waitUntil('another server is leader', async () => ![null, oldLeader].includes(await cluster.leader()));
    const election = inSeconds(performance.now() - failedAt);
    const newLeader = await cluster.leader();
    await waitForPayments(load);
    const { gap, end } = longestOutage(load, failedAt);
    print(
      `${DESCRIPTIONS[what]} on ${oldLeader.name}: ${newLeader?.name} is leader after ${election}; no payments for ${gap}, until ${end} after the failure`,
    );
    await cluster.restore(oldLeader);
  }
}
