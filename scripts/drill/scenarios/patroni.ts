// npm run drill:patroni: kills the primary PostgreSQL of a Patroni cluster under payments, again and again, and verifies that no
// acknowledged payment is lost.
import { setTimeout as wait } from 'node:timers/promises';
import type { Load } from '@kissi/testkit/load';
import type { Drill, DrillOptions, DrillResult } from '../drill.ts';
import { type Cluster, type Node, type Programs, startCluster } from '../patroni-cluster.ts';
import { inSeconds, type Ledger, longestOutage, payDuring, waitForPayments } from '../payments.ts';
import { findPostgresql, findProgram, INSTALL_COMMAND, step, waitUntil } from '../sandbox.ts';
import { startService, verifiedLedger } from '../service.ts';
import { findMissing, waitForFullRate } from '../traffic.ts';

/** Each brings the lost server back before the next one. */
const FAILURES = ['node', 'postgres', 'node', 'patroni', 'node', 'switchover'] as const;
const DESCRIPTIONS = {
  node: 'kill -9 of PostgreSQL and Patroni',
  postgres: 'kill -9 of PostgreSQL only',
  patroni: 'kill -9 of Patroni only (PostgreSQL keeps running)',
  switchover: 'switchover on purpose',
};

export const drill: Drill = {
  about: `Kills the primary PostgreSQL of a Patroni cluster (deploy/patroni/kissi.yml) under payments, in three ways, and switches over
on purpose. Verifies that no acknowledged payment is lost. Needs Debian's packages of PostgreSQL, Patroni and etcd.`,
  async run(sandbox, options) {
    const programs = await findPrograms();
    step(`starting etcd and three servers from ${programs.postgresql} under Patroni`);
    const cluster = await startCluster(sandbox, programs);
    const { ttl, loop_wait, retry_timeout, synchronous_mode } = cluster.settings;
    step(
      `the cluster is healthy: ttl ${ttl}, loop_wait ${loop_wait}, retry_timeout ${retry_timeout}, synchronous_mode ${synchronous_mode}`,
    );
    const database = { databaseUrl: cluster.url, adminUrl: cluster.ownerUrl, dataDir: sandbox.directory };
    const service = await startService(database, sandbox.directory);
    step('a gateway runs, and knows all three servers');
    const results = await payDuring([service], options.payers, (load, ledger) =>
      injectFailures(cluster, load, ledger, options),
    );
    step(await verifiedLedger(database));
    await service.stop();
    return results;
  },
};

async function findPrograms(): Promise<Programs> {
  const postgresql = await findPostgresql();
  const patroni = await findProgram('patroni');
  const etcd = await findProgram('etcd');
  if (postgresql && patroni && etcd) return { postgresql, patroni, etcd };
  const missing = Object.entries({ PostgreSQL: postgresql, Patroni: patroni, etcd }).filter(([, path]) => !path);
  throw new Error(`not installed: ${missing.map(([name]) => name).join(', ')}. On Debian:\n  ${INSTALL_COMMAND}`);
}

async function injectFailures(
  cluster: Cluster,
  load: Load,
  ledger: Ledger,
  { seconds }: DrillOptions,
): Promise<DrillResult[]> {
  const results: DrillResult[] = [];
  for (const what of FAILURES) {
    await cluster.waitUntilHealthy();
    await waitForPayments(load);
    const before = load.acknowledged;
    await wait(seconds * 1_000);
    const perSecond = (load.acknowledged - before) / seconds;
    const oldLeader = (await cluster.leader()) as Node;
    results.push(await injectFailure(what, { cluster, load, ledger, perSecond, oldLeader }));
    await cluster.restore(oldLeader);
  }
  return results;
}

interface Situation {
  cluster: Cluster;
  load: Load;
  ledger: Ledger;
  /** The rate of payments before the failure. */
  perSecond: number;
  oldLeader: Node;
}

async function injectFailure(what: keyof typeof DESCRIPTIONS, situation: Situation): Promise<DrillResult> {
  const { cluster, load, ledger, perSecond, oldLeader } = situation;
  const acknowledgedBefore = load.acknowledged;
  const failedAt = performance.now();
  await (what === 'switchover' ? cluster.switchOver(oldLeader) : cluster.kill(oldLeader, what));
  step(
    `${DESCRIPTIONS[what]} on ${oldLeader.name}, after ${acknowledgedBefore} payments, ${Math.round(perSecond)} a second`,
  );
  const newLeader = await waitForNewLeader(cluster, oldLeader);
  step(`  ${newLeader.name} is leader after ${inSeconds(performance.now() - failedAt)}`);
  await waitForPayments(load);
  const { gapMs, endMs } = longestOutage(load, failedAt);
  // The payment that ends the interruption may be the first at full rate.
  const fullRateMs = endMs + (await waitForFullRate(load, failedAt + endMs - 1, perSecond)) - 1;
  step(
    `  first payment after ${inSeconds(endMs)} (none for ${inSeconds(gapMs)}), full rate after ${inSeconds(fullRateMs)}`,
  );
  const missing = await findMissing(newLeader, ledger);
  step(`  ${missing.length} acknowledged payments are missing on ${newLeader.name}`);
  const oldestLostMs = Math.max(0, ...missing.map(({ acknowledgedAt = failedAt }) => failedAt - acknowledgedAt));
  return { failure: DESCRIPTIONS[what], acknowledgedBefore, lost: missing.length, oldestLostMs, recoveryMs: endMs };
}

async function waitForNewLeader(cluster: Cluster, oldLeader: Node): Promise<Node> {
  let leader: Node | null = null;
  await waitUntil('another server is leader', async () => {
    leader = await cluster.leader();
    return leader !== null && leader !== oldLeader;
  });
  return leader as unknown as Node;
}
