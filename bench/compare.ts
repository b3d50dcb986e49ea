// The npm run bench:compare scenario: CPU time per payment in this checkout, divided by that in another, such as a
// worktree of an earlier commit.
import { type Merchant, makeMerchant, makePartner, times } from '@kissi/testkit/parties';
import { type Measurements, measureInterleaved, type Sample, totalCpu, type Workload, withCpu } from './interleave.ts';
import { type Load, UNLIMITED_PARTNER } from './load-job.ts';
import type { Population } from './population.ts';
import { print, type Scenario } from './runner.ts';
import type { Bench } from './setup.ts';
import { uniformTransfers } from './transfers.ts';

const SUBSCRIBERS = 20_000;
const MERCHANTS = 20;
const PARTNERS = 8;
/** A sample makes a small refund on each of the first few thousand, so none is ever fully refunded. */
const REFUNDABLE_PAYMENTS = 10_000;
const WARM_UP_SECONDS = 8;
const CONNECTIONS = 128;

/** One of the two checkouts. */
interface Side {
  name: string;
  bench: Bench;
  population: Population;
  merchants: Merchant[];
}

type MakeLoad = (side: Side) => Load | Promise<Load>;

const KINDS: Record<string, MakeLoad> = {
  p2p: ({ population }) => uniformTransfers(population),
  single: ({ population }) => ({ ...uniformTransfers(population), connections: 1 }),
  pos: cardPayments,
  refund: async (side) => ({ kind: 'refund', refundableIds: await newCardPayments(side) }),
  inbound: async ({ bench, population }) => {
    const partners = await times(PARTNERS, () => makePartner(bench.admin, UNLIMITED_PARTNER));
    return { kind: 'inbound', partners, subscriberCount: population.ids.length };
  },
};

const kindsIn = (values: { kind?: string }) => (values.kind ?? 'p2p').split(',');

export const scenario: Scenario<'kind' | 'rounds' | 'seconds' | 'gateways' | 'other', 'builds'> = {
  usage: `npm run bench:compare -- CHECKOUT [--kind p2p,pos,refund,inbound,single] [--rounds 15] [--seconds 3] [--gateways 1]
  [--builds] [--other FAST_LANE=off]
This checkout's CPU time per payment, divided by another's: the median of all rounds, in which both are
measured one after the other, and its spread. --kind: one kind or several; p2p by default. --builds: the other one uses the embedded PostgreSQL, and this one that of
BENCH_DATABASE_URL; with CHECKOUT . only the servers differ.`,
  flags: ['builds'],
  values: {
    kind: 'p2p, pos, refund, inbound or single, or several of them with commas',
    rounds: 'a number',
    seconds: 'the length of a sample',
    gateways: 'a number',
    other: 'an environment variable of the other side, for the effect of a setting in one checkout',
  },
  operands: true,
  services({ values, flags, operands: [other = '.'] }) {
    const unknown = kindsIn(values).find((each) => !Object.hasOwn(KINDS, each));
    if (unknown !== undefined) throw new Error(`unknown kind ${unknown}`);
    const embedded = flags.has('builds');
    if (embedded && !process.env.BENCH_DATABASE_URL) throw new Error('--builds needs BENCH_DATABASE_URL');
    const variables = { GATEWAYS: values.gateways ?? '1' };
    const [name = '', value = ''] = values.other?.split('=') ?? [];
    return [
      { root: other, variables: name ? { ...variables, [name]: value } : variables, embedded },
      { root: '.', variables },
    ];
  },
  async measure([other, own], { values }) {
    const sides: Side[] = [];
    for (const [name, bench] of Object.entries({ other, this: own as Bench })) {
      print(`${name}: ${bench.build}`);
      const merchants = await times(MERCHANTS, () => makeMerchant(bench.admin));
      sides.push({ name, bench, population: await bench.populate(SUBSCRIBERS), merchants });
    }
    const options = { rounds: Number(values.rounds ?? 15), sampleSeconds: Number(values.seconds ?? 3) };
    for (const kind of kindsIn(values)) {
      const workloads: Record<string, Workload> = {};
      for (const side of sides) workloads[side.name] = await warmWorkload(side, kind);
      print(report(kind, await measureInterleaved(workloads, options), options.rounds));
    }
    return null;
  },
};

async function warmWorkload(side: Side, kind: string): Promise<Workload> {
  const load = await (KINDS[kind] as MakeLoad)(side);
  const run: Workload = (seconds) => side.bench.runClosedLoop({ connections: CONNECTIONS, ...load, seconds });
  await run(WARM_UP_SECONDS);
  return withCpu(run, side.bench.cpuTime);
}

function cardPayments({ population, merchants }: Side): Load {
  return { kind: 'pos', cardSerials: population.cardSerials, merchants };
}

async function newCardPayments(side: Side): Promise<string[]> {
  const load = { ...cardPayments(side), connections: CONNECTIONS, requests: REFUNDABLE_PAYMENTS };
  await side.bench.runClosedLoop(load);
  return side.bench.recentPosPayments(REFUNDABLE_PAYMENTS);
}

function report(title: string, measured: Measurements, rounds: number): string {
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
  return [`# ${title}`, ...lines, ...ratios].join('\n');
}
