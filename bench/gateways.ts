// The npm run bench:gateways scenario: what a payment costs with one gateway process and with two, and whether the two
// wait for each other.
import { LOW_RATE, lowLoad } from './fixed-rate.ts';
import { type Measurements, measureInterleaved, type Sample, totalCpu, type Workload, withCpu } from './interleave.ts';
import type { Load } from './load-job.ts';
import { type LockWaits, sampleDuring } from './lock-waits.ts';
import type { Population } from './population.ts';
import { origin, type Scenario } from './runner.ts';
import type { Bench } from './setup.ts';
import { disjointTransfers, transfersToOne, uniformTransfers } from './transfers.ts';

const CONNECTIONS = 128;
const SUBSCRIBERS = 20_000;
const COUNTS = [1, 2];
const CLOSED = COUNTS.map((count) => `${gateways(count)}, ${CONNECTIONS} clients`);
const FIXED = COUNTS.map((count) => `${gateways(count)}, ${LOW_RATE} payments/s`);

/** `warmUp`: payments per gateway before measuring, enough to compile most of its code. */
const PLAN = { rounds: 7, sampleSeconds: 4, lockSeconds: 10, warmUp: 15_000 };
const QUICK_PLAN: Plan = { rounds: 1, sampleSeconds: 3, lockSeconds: 3, warmUp: 2_000 };
type Plan = typeof PLAN;

export const scenario: Scenario<never, 'quick'> = {
  usage: `npm run bench:gateways [-- --quick]
The cost of a payment with one and with two gateway processes; writes bench/gateways.md. --quick takes one round of a few
seconds and writes nothing.`,
  flags: ['quick'],
  services: () => COUNTS.map((count) => ({ variables: { GATEWAYS: String(count) } })),
  report: 'bench/gateways.md',
  measure: (benches, { flags }) => measure(benches, flags.has('quick') ? QUICK_PLAN : PLAN),
};

async function measure(all: Bench[], plan: Plan): Promise<string> {
  const populations = await Promise.all(all.map((bench) => bench.populate(SUBSCRIBERS)));
  const workloads: Record<string, Workload> = {};
  for (const [index, bench] of all.entries()) {
    const population = populations[index] as Population;
    const requests = plan.warmUp * (index + 1);
    await bench.runClosedLoop({ ...uniformTransfers(population), connections: CONNECTIONS, requests });
    workloads[CLOSED[index] as string] = withCpu(closedLoop(bench, population), bench.cpuTime);
    workloads[FIXED[index] as string] = withCpu(lowLoad(bench, uniformTransfers(population)), bench.cpuTime);
  }
  const measurements = await measureInterleaved(workloads, plan);
  const [, two] = all as [Bench, Bench];
  return report(two, measurements, await measureLocks(two, populations[1] as Population, plan.lockSeconds), plan);
}

function closedLoop(bench: Bench, population: Population): Workload {
  return (seconds) => bench.runClosedLoop({ ...uniformTransfers(population), connections: CONNECTIONS, seconds });
}

interface LockResults {
  disjoint: LockWaits;
  shared: LockWaits;
}

async function measureLocks(bench: Bench, population: Population, seconds: number): Promise<LockResults> {
  const sampled = (load: Load) =>
    sampleDuring(bench.databaseUrl, bench.runClosedLoop({ connections: CONNECTIONS, seconds, ...load }));
  return {
    disjoint: await sampled(disjointTransfers(population, CONNECTIONS)),
    shared: await sampled(transfersToOne(population)),
  };
}

function report(bench: Bench, measurements: Measurements, { disjoint, shared }: LockResults, plan: Plan): string {
  const rows = [...CLOSED, ...FIXED].map((name) => costRow(name, measurements));
  return `# One and two gateways

${origin('npm run bench:gateways', bench)}.

P2P transfers over ${SUBSCRIBERS} wallets. Each number of gateways has its own database. The four loads are measured in turn,
${plan.sampleSeconds} seconds each, ${plan.rounds} times. CPU is CPU time per payment in microseconds, from the processes' own counters: medians. The
gateways include their supervisor.

| load | payments/s | p50 ms | p99 ms | CPU of gateways | of PostgreSQL | total | errors |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}

| two gateways / one: CPU per payment | total | gateways | PostgreSQL | goal |
|---|---|---|---|---|
| ${CONNECTIONS} clients | ${ratios(measurements, CLOSED)} | ≤ 1.10 |
| ${LOW_RATE} payments/s | ${ratios(measurements, FIXED)} | ≤ 1.10 |

What two gateways' connections wait for, sampled in \`pg_stat_activity\` at ${CONNECTIONS} clients:

| wallets | samples | both gateways in a ledger transaction | one waits for a lock of the other |
|---|---|---|---|
${lockRow('no two clients share one', disjoint)}
${lockRow('all payments to one wallet', shared)}`;
}

function costRow(name: string, measurements: Measurements): string {
  const { perSecond, p50, p99 = Number.NaN, cpu, errors } = measurements.median(name);
  const micros = [cpu.gateway, cpu.postgres, cpu.gateway + cpu.postgres].map((value) => Math.round(value));
  return `| ${name} | ${perSecond} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${micros.join(' | ')} | ${errors} |`;
}

/** Ratios of medians: two samples from the same round are no more alike than two from different rounds. */
function ratios(measurements: Measurements, [one = '', two = '']: string[]): string {
  const parts = [
    totalCpu,
    ({ cpu }: Sample) => cpu?.gateway ?? Number.NaN,
    ({ cpu }: Sample) => cpu?.postgres ?? Number.NaN,
  ];
  return parts.map((read) => (read(measurements.median(two)) / read(measurements.median(one))).toFixed(2)).join(' | ');
}

function lockRow(name: string, { samples, lockShare, overlapShare }: LockWaits): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return `| ${name} | ${samples} | ${percent(overlapShare)} | ${percent(lockShare)} |`;
}

function gateways(count: number): string {
  return count === 1 ? '1 gateway' : `${count} gateways`;
}
