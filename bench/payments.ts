// The scenario behind npm run bench: measures the service against references in the same run.
import { reportConnections } from './connections.ts';
import type { CpuCost } from './cpu-time.ts';
import { type Layers, layerTable, measureLayers } from './layers.ts';
import { log, origin, type Scenario, table } from './runner.ts';
import { measureAll, P2P, type PaymentCost, type Results } from './scenarios.ts';
import type { Bench } from './setup.ts';
import type { Storage } from './storage.ts';
import { addFigures, type Figures, readVersions, reportVersions, writeVersions } from './versions.ts';
import type { VersionResult } from './versions-chart.ts';

export const scenario: Scenario<never, 'quick' | 'long' | 'chart'> = {
  usage: `npm run bench [-- --quick | --long | --chart]
Measures CPU time per payment and throughput; writes bench/results.md, and bench/versions.json with its chart.
--quick takes a second each, to test the benchmark, and writes nothing; --long makes a million transfers, to measure memory.
--chart only draws bench/versions.svg again.`,
  flags: ['quick', 'long', 'chart'],
  services: ({ flags }) => (flags.has('chart') ? [] : [{}]),
  report: 'bench/results.md',
  async measure([bench], { flags }) {
    const earlier = await readVersions();
    if (flags.has('chart')) {
      await writeVersions(earlier);
      return null;
    }
    const quick = flags.has('quick');
    const results = await measureAll(bench, { quick, long: flags.has('long') });
    log('profiling …');
    const layers = await measureLayers(quick ? { seconds: 2, warmUpSeconds: 2 } : {});
    const versions = await addFigures(earlier, figures(p2pCost(results)));
    if (!quick) await writeVersions(versions);
    return report(bench, results, layers, versions);
  },
};

function p2pCost({ costs }: Results): PaymentCost {
  return costs.find(({ name }) => name === P2P) as PaymentCost;
}

function figures({ payment, ratio, throughputRatio }: PaymentCost): Figures {
  const round = (value: number, digits: number) => (Number.isNaN(value) ? null : Number(value.toFixed(digits)));
  return {
    gatewayMicros: round(payment.gateway, 0),
    postgresMicros: round(payment.postgres, 0),
    cpuRatio: round(ratio, 2),
    throughputRatio: Number(throughputRatio.toFixed(2)),
  };
}

function report(bench: Bench, results: Results, layers: Layers, versions: readonly VersionResult[]): string {
  const { costs, connections, storage, workloads, checks } = results;
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

${table(['check', 'measured', 'goal', 'passed'], checkRows)}

${reportVersions(versions)}

## CPU time

Microseconds of CPU time per payment, from the processes' own counters, while the named number of connections sends
payments without a pause. It depends on the machine's processor, but hardly on what else runs on it. PostgreSQL includes its
background processes. The load generator is not counted. TPC-B ran in the same rounds with 32 connections; in place of the
gateway, it has a client with the same driver.

${table([...costColumns, 'payment / TPC-B'], costRows)}

${reportConnections(connections)}

${reportLayers(layers, p2pCost(results))}

## Storage

Bytes per transfer, over ${storage.payments} of them: tables with their indexes, and the write-ahead log, which is also what a
replica receives.

${storageTable(storage)}

## Throughput

The load generator, the service and PostgreSQL share one machine, so only the ratios are meaningful
on other machines. Workloads that are compared are measured in alternation, a few seconds each. The
table shows the median of their samples. A ratio is the median of the ratios within each round. Each
reference is listed before the workloads that were measured with it.

${table(['workload', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'errors'], workloadRows)}`;
}

function reportLayers(layers: Layers, { payment }: PaymentCost): string {
  const [profiled, usual] = [layers.cost.gateway, payment.gateway].map((micros) => Math.round(micros));
  return `## Layers

Where the gateway spends the CPU time of a P2P transfer with ${layers.connections} connections, by the samples of V8's profiler in a
separate run (\`npm run bench:profile\` also shows functions). With the profiler, the gateway took ${profiled} µs per payment;
without it, ${usual} µs.

${layerTable(layers)}`;
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
