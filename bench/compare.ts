// npm run bench:compare -- <checkout> [--rounds 7] [--kind p2p|pos|single]: processor time per payment of this checkout,
// divided by that of another one, such as a worktree of an earlier commit.
import { readArguments } from '../scripts/arguments.ts';
import { measureInterleaved, type Sample, totalCpu, type Workload, withCpu } from './interleave.ts';
import { type Bench, startBench } from './setup.ts';
import { EMPTY_LOAD, uniformTransfers } from './transfers.ts';

const { values, operands } = readArguments({
  usage: `npm run bench:compare -- CHECKOUT [--rounds 7] [--kind p2p|pos|single] [--gateways 1]
Processor time per payment of this checkout, divided by that of another one.`,
  failure: 'The benchmark was not started',
  failureCode: 1,
  values: { rounds: 'a number', kind: 'p2p, pos or single', gateways: 'a number' },
  operands: true,
});
const { rounds = '7', kind = 'p2p', gateways = '1' } = values;
const [other = '.'] = operands;
const SUBSCRIBERS = 20_000;
const MERCHANTS = 20;
const WARM_UP_SECONDS = 8;
const SAMPLE_SECONDS = 5;

const variables = { GATEWAYS: gateways };
const benches: Record<string, Bench> = {};
try {
  const workloads: Record<string, Workload> = {};
  for (const [name, root] of [['other', other] as const, ['this', '.'] as const]) {
    const bench = await startBench({ root, variables });
    benches[name] = bench;
    const run = await workload(bench);
    await run(WARM_UP_SECONDS);
    workloads[name] = withCpu(run, bench.cpuTime);
  }
  const measured = await measureInterleaved(workloads, {
    rounds: Number(rounds),
    sampleSeconds: SAMPLE_SECONDS,
  });
  for (const name of ['other', 'this']) {
    const { cpu, perSecond, p50, errors, firstError } = measured.median(name);
    const micros = `gateway ${Math.round(cpu.gateway)} + PostgreSQL ${Math.round(cpu.postgres)} µs`;
    print(`${name}: ${micros}, ${perSecond}/s, p50 ${p50.toFixed(2)} ms, ${errors} errors ${firstError}`);
  }
  const parts: [string, (sample: Sample) => number][] = [
    ['total', totalCpu],
    ['gateway', ({ cpu }) => cpu?.gateway ?? Number.NaN],
    ['PostgreSQL', ({ cpu }) => cpu?.postgres ?? Number.NaN],
    ['p50', ({ p50 }) => p50],
  ];
  for (const [name, read] of parts) {
    const ratio = read(measured.median('this')) / read(measured.median('other'));
    print(`${name}: ${ratio.toFixed(3)} (by rounds ${measured.medianRatio('this', 'other', read).toFixed(3)})`);
  }
} finally {
  for (const bench of Object.values(benches)) await bench.stop();
}

async function workload(bench: Bench): Promise<Workload> {
  const population = await bench.populate(SUBSCRIBERS);
  if (kind === 'pos') {
    const merchants = await bench.createMerchants(MERCHANTS);
    const load = { ...EMPTY_LOAD, kind: 'pos' as const, cardSerials: population.cardSerials, merchants };
    return (seconds) => bench.runClosedLoop({ ...load, connections: 128, seconds });
  }
  const connections = kind === 'single' ? 1 : 128;
  const load = { ...EMPTY_LOAD, ...uniformTransfers(population), connections };
  return (seconds) => bench.runClosedLoop({ ...load, seconds });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
