// The scenario behind npm run bench: measures the service against references in the same run.
import type { CpuCost } from './cpu-time.ts';
import { origin, type Scenario, table } from './runner.ts';
import { measureAll, type Results } from './scenarios.ts';
import type { Bench } from './setup.ts';
import type { Storage } from './storage.ts';

export const scenario: Scenario<never, 'quick' | 'long'> = {
  usage: `npm run bench [-- --quick | --long]
Measures CPU time per payment and throughput, and writes bench/results.md.
--quick takes a few seconds each and writes nothing; --long makes a million transfers, to measure memory.`,
  flags: ['quick', 'long'],
  report: 'bench/results.md',
  measure: async ([bench], { flags }) =>
    report(bench, await measureAll(bench, { quick: flags.has('quick'), long: flags.has('long') })),
};

function report(bench: Bench, { costs, storage, workloads, checks }: Results): string {
  const costRows = costs.map(({ name, payment, reference, ratio }) => [
    name,
    ...parts(payment),
    ...parts(reference),
    ratio.toFixed(2),
  ]);
  const costColumns = ['payment', 'gateway', 'PostgreSQL', 'total', 'TPC-B client', 'PostgreSQL', 'total'];
  const workloadRows = workloads.map(({ name, perSecond, p50, p95, p99, errors = 0 }) => [
    ...[name, perSecond, fixed(p50), fixed(p95), fixed(p99), errors],
  ]);
  const checkRows = checks.map(({ name, value, threshold, passed }) => [name, value, threshold, verdict(passed)]);
  return `# Benchmark results

${origin('npm run bench', bench)}.

## CPU time

Microseconds of CPU time per payment, from the processes' own counters, while the named number of connections sends
payments without a pause. It depends on the machine's processor, but hardly on what else runs on it. PostgreSQL includes its
background processes. The load generator is not counted. TPC-B ran in the same rounds with 32 connections; in place of the
gateway, it has a client with the same driver.

${table([...costColumns, 'payment / TPC-B'], costRows)}

## Storage

Bytes per transfer, over ${storage.payments} of them: tables with their indexes, and the write-ahead log, which is also what a
replica receives.

${storageTable(storage)}

## Throughput

The load generator, the service and PostgreSQL share one machine, so only the ratios are meaningful
on other machines. Workloads that are compared are measured in alternation, a few seconds each. The
table shows the median of their samples. A ratio is the median of the ratios within each round. Each
reference is listed before the workloads that were measured with it.

${table(['workload', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'errors'], workloadRows)}

${table(['check', 'measured', 'threshold', 'passed'], checkRows)}`;
}

function parts({ gateway, postgres }: CpuCost): number[] {
  return [gateway, postgres, gateway + postgres].map((micros) => Math.round(micros));
}

function storageTable({ tables, wal }: Storage): string {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const columns = [...tables, { name: 'total', bytes: total }, { name: 'write-ahead log', bytes: wal }];
  return table(
    columns.map(({ name }) => name),
    [columns.map(({ bytes }) => Math.round(bytes))],
  );
}

/** Empty for workloads without latencies. */
function fixed(ms = Number.NaN): string {
  return Number.isNaN(ms) ? '' : ms.toFixed(2);
}

function verdict(passed: boolean | null): string {
  if (passed === null) return '';
  return passed ? 'yes' : 'NO';
}
