// npm run bench:compare -- <checkout> [--kind p2p,pos,refund,inbound,single]: processor time per payment of this checkout,
// divided by another checkout's, such as a worktree of an earlier commit.
import { readArguments } from '../scripts/arguments.ts';
import { type Measurements, measureInterleaved, type Sample, totalCpu, type Workload, withCpu } from './interleave.ts';
import type { Merchant } from './load-job.ts';
import type { Population } from './population.ts';
import { type Bench, type Load, startBench } from './setup.ts';
import { EMPTY_LOAD, uniformTransfers } from './transfers.ts';

const usage = `npm run bench:compare -- CHECKOUT [--kind p2p,pos,refund,inbound,single] [--rounds 15] [--seconds 3] [--gateways 1]
This checkout's processor time per payment, divided by another checkout's: the median of all rounds, in which both are
measured one after the other, and its spread. --kind: one kind or several; p2p by default.`;
const { values, operands } = readArguments({
  usage,
  failure: 'The benchmark was not started',
  failureCode: 1,
  values: {
    kind: 'p2p, pos, refund, inbound or single, or several of them with commas',
    rounds: 'a number',
    seconds: 'the length of a sample',
    gateways: 'a number',
  },
  operands: true,
});
const { kind = 'p2p', rounds = '15', seconds = '3', gateways = '1' } = values;
const [other = '.'] = operands;
const SUBSCRIBERS = 20_000;
const MERCHANTS = 20;
const PARTNERS = 8;
/** A sample refunds a small part of each of the first few thousand, so that none is ever refunded completely. */
const REFUNDABLE_PAYMENTS = 10_000;
const WARM_UP_SECONDS = 8;
const CONNECTIONS = 128;

type LoadOf = (bench: Bench, parties: Parties) => Partial<Load> | Promise<Partial<Load>>;

interface Parties {
  population: Population;
  merchants: Merchant[];
}

const KINDS: Record<string, LoadOf> = {
  p2p: (_bench, { population }) => uniformTransfers(population),
  single: (_bench, { population }) => ({ ...uniformTransfers(population), connections: 1 }),
  pos: (_bench, parties) => cardPayments(parties),
  refund: async (bench, parties) => ({ kind: 'refund', refundableIds: await newCardPayments(bench, parties) }),
  inbound: async (bench, { population }) => {
    const partnerKeys = await bench.createPartnerKeys(PARTNERS);
    return { kind: 'inbound', partnerKeys, subscriberCount: population.ids.length };
  },
};

const kinds = kind.split(',');
const unknown = kinds.find((each) => !Object.hasOwn(KINDS, each));
if (unknown !== undefined) {
  process.stderr.write(`The benchmark was not started: there is no kind ${unknown}\nusage: ${usage.split('\n')[0]}\n`);
  process.exit(1);
}

const benches: Record<string, Bench> = {};
try {
  const parties: Record<string, Parties> = {};
  for (const [name, root] of [['other', other] as const, ['this', '.'] as const]) {
    const bench = await startBench({ root, variables: { GATEWAYS: gateways } });
    benches[name] = bench;
    const merchants = await bench.createMerchants(MERCHANTS);
    parties[name] = { population: await bench.populate(SUBSCRIBERS), merchants };
  }
  for (const each of kinds) print(each, await compare(each, parties));
} finally {
  for (const bench of Object.values(benches)) await bench.stop();
}

async function compare(each: string, parties: Record<string, Parties>): Promise<Measurements> {
  const workloads: Record<string, Workload> = {};
  for (const [name, bench] of Object.entries(benches)) {
    const load = await (KINDS[each] as LoadOf)(bench, parties[name] as Parties);
    const run = loop(bench, load);
    await run(WARM_UP_SECONDS);
    workloads[name] = withCpu(run, bench.cpuTime);
  }
  return measureInterleaved(workloads, { rounds: Number(rounds), sampleSeconds: Number(seconds) });
}

function loop(bench: Bench, load: Partial<Load>): Workload {
  return (sampleSeconds) =>
    bench.runClosedLoop({ ...EMPTY_LOAD, connections: CONNECTIONS, ...load, seconds: sampleSeconds });
}

function cardPayments({ population, merchants }: Parties): Partial<Load> {
  return { kind: 'pos', cardSerials: population.cardSerials, merchants };
}

async function newCardPayments(bench: Bench, parties: Parties): Promise<string[]> {
  const load = { ...EMPTY_LOAD, ...cardPayments(parties), connections: CONNECTIONS, requests: REFUNDABLE_PAYMENTS };
  await bench.runClosedLoop(load);
  return bench.recentPosPayments(REFUNDABLE_PAYMENTS);
}

function print(title: string, measured: Measurements): void {
  const lines = ['other', 'this'].map((name) => {
    const { cpu, perSecond, p50, errors, firstError } = measured.median(name);
    const micros = `gateway ${Math.round(cpu.gateway)} + PostgreSQL ${Math.round(cpu.postgres)} µs`;
    return `${name}: ${micros}, ${perSecond}/s, p50 ${p50.toFixed(2)} ms, ${errors} errors ${firstError}`;
  });
  const parts: [string, (sample: Sample) => number][] = [
    ['total', totalCpu],
    ['gateway', ({ cpu }) => cpu?.gateway ?? Number.NaN],
    ['PostgreSQL', ({ cpu }) => cpu?.postgres ?? Number.NaN],
    ['p50', ({ p50 }) => p50],
  ];
  const ratios = parts.map(([name, read]) => {
    const { median, min, lowerQuartile, upperQuartile, max } = measured.ratioSpread('this', 'other', read);
    const [low, quarter, half, threeQuarters, high] = [min, lowerQuartile, median, upperQuartile, max].map((ratio) =>
      ratio.toFixed(3),
    );
    return `${name}: this / other ${half}, quartiles ${quarter} to ${threeQuarters}, all ${rounds} rounds ${low} to ${high}`;
  });
  process.stdout.write(`${[`# ${title}`, ...lines, ...ratios].join('\n')}\n`);
}
