// npm run drill:primary: kills the primary PostgreSQL under load and verifies that no acknowledged payment is lost. With
// Patroni it is replaced automatically, several times; otherwise the drill promotes a synchronous standby itself.
import type { Load } from '@kissi/testkit/load';
import type { Drill, DrillOptions, DrillResult } from '../drill.ts';
import { type Cluster, type Node, type Programs, startCluster, TTL_SECONDS } from '../patroni-cluster.ts';
import { inSeconds, longestOutage, payDuring, waitForPayments } from '../payments.ts';
import { findPostgresql, findProgram, type Sandbox, serverPrograms, step, waitUntil } from '../sandbox.ts';
import { startService, verifiedLedger } from '../service.ts';
import { promote, startPair } from '../standby.ts';
import { conclude, startTraffic } from '../traffic.ts';

const FAILURES = ['node', 'postgres', 'node', 'patroni', 'node'] as const;
const DESCRIPTIONS = {
  node: 'kill -9 of PostgreSQL and Patroni',
  postgres: 'kill -9 of PostgreSQL only',
  patroni: 'kill -9 of Patroni only (PostgreSQL keeps running)',
};

export const drill: Drill = {
  about: `Kills the primary PostgreSQL under payments and verifies that no acknowledged payment is lost: again and again in a Patroni
cluster, or once with a synchronous standby that the drill promotes, where Patroni and etcd are not installed.`,
  async run(sandbox, options) {
    const programs = await findPrograms();
    return programs ? failOver(sandbox, programs, options) : promoteByHand(sandbox, options);
  },
};

async function findPrograms(): Promise<Programs | null> {
  const [postgresql, patroni, etcd] = [await findPostgresql(), await findProgram('patroni'), await findProgram('etcd')];
  return postgresql && patroni && etcd ? { postgresql, patroni, etcd } : null;
}

async function promoteByHand(sandbox: Sandbox, options: DrillOptions): Promise<DrillResult[]> {
  const bin = await serverPrograms(sandbox);
  const { primary, standby } = await startPair(sandbox, { bin, name: 'pair', isSynchronous: true });
  step(`Patroni is not installed: a primary and a synchronous standby from ${bin}, promoted by the drill`);
  const both = new URL(primary.url);
  const hosts = [primary, standby].map(({ url }) => new URL(url).host).join(',');
  const databaseUrl = `${both.href.replace(both.host, hosts)}?target_session_attrs=read-write`;
  const database = { databaseUrl, dataDir: sandbox.directory };
  const service = await startService(database, sandbox.directory);
  const traffic = await startTraffic(service.address, options);
  const failedAt = performance.now();
  await primary.kill();
  await promote(standby);
  step(`primary killed with kill -9, standby promoted after ${inSeconds(performance.now() - failedAt)}`);
  const recoveryMs = await traffic.waitForFullRate(failedAt);
  return [await conclude(traffic, { failure: 'primary', failedAt, recoveryMs, server: standby, service, database })];
}

async function failOver(sandbox: Sandbox, programs: Programs, { payers }: DrillOptions): Promise<DrillResult[]> {
  step(`starting three servers from ${programs.postgresql} under Patroni, with a ttl of ${TTL_SECONDS} s`);
  const cluster = await startCluster(sandbox, programs);
  step('the cluster is healthy');
  const database = { databaseUrl: cluster.url, dataDir: sandbox.directory };
  const service = await startService(database, sandbox.directory);
  const results = await payDuring([service], payers, (load) => injectFailures(cluster, load));
  step(await verifiedLedger(database));
  await service.stop();
  return results;
}

async function injectFailures(cluster: Cluster, load: Load): Promise<DrillResult[]> {
  const results: DrillResult[] = [];
  for (const what of FAILURES) {
    await cluster.waitUntilHealthy();
    await waitForPayments(load);
    const oldLeader = (await cluster.leader()) as Node;
    const acknowledgedBefore = load.acknowledged;
    const failedAt = performance.now();
    await cluster.kill(oldLeader, what);
    await waitUntil('another server is leader', async () => ![null, oldLeader].includes(await cluster.leader()));
    const election = inSeconds(performance.now() - failedAt);
    const newLeader = await cluster.leader();
    await waitForPayments(load);
    const { gapMs, endMs } = longestOutage(load, failedAt);
    step(
      `${DESCRIPTIONS[what]} on ${oldLeader.name}: ${newLeader?.name} is leader after ${election}; no payments for ${inSeconds(gapMs)}, until ${inSeconds(endMs)} after the failure`,
    );
    results.push({ failure: DESCRIPTIONS[what], acknowledgedBefore, lost: 0, oldestLostMs: 0, recoveryMs: endMs });
    await cluster.restore(oldLeader);
  }
  return results;
}
