// The npm run bench:compare scenario: CPU time per payment in this checkout, divided by that in another, such as a
// worktree of an earlier commit.
import { type Measurements, measureInterleaved, type Sample, totalCpu, type Workload } from './interleave.ts';
import { print, type Scenario } from './runner.ts';
import type { Bench, BenchOptions } from './setup.ts';
import { makeSide, readKinds, type Side, warmWorkload } from './sides.ts';

export const scenario: Scenario<'kind' | 'rounds' | 'seconds' | 'gateways' | 'other', 'builds'> = {
  usage: `npm run bench:compare -- CHECKOUT [--kind p2p,pos,refund,inbound,single,low] [--rounds 15] [--seconds 3] [--gateways 1]
  [--builds] [--other FAST_LANE=off]
This checkout's CPU time per payment, divided by another's: the median of all rounds, in which both are
measured one after the other, and its spread. --kind: one kind or several; p2p by default. --builds: the other one uses
the embedded PostgreSQL, and this one that of BENCH_DATABASE_URL; with CHECKOUT . only the servers differ.`,
  flags: ['builds'],
  values: {
    kind: 'p2p, pos, refund, inbound, single or low (700 P2P payments/s), or several of them with commas',
    rounds: 'a number',
    seconds: 'the length of a sample',
    gateways: 'a number',
    other:
      'an environment variable of the other side, or NODE_FLAGS=--flag, for the effect of a setting in one checkout',
  },
  operands: true,
  services({ values, flags, operands: [other = '.'] }) {
    readKinds(values.kind);
    const embedded = flags.has('builds');
    if (embedded && !process.env.BENCH_DATABASE_URL) throw new Error('--builds needs BENCH_DATABASE_URL');
    const variables = { GATEWAYS: values.gateways ?? '1' };
    return [
      { root: other, embedded, ...settingOptions(values.other, variables) },
      { root: '.', variables },
    ];
  },
  async measure([other, own], { values }) {
    const sides: Record<string, Side> = {};
    for (const [name, bench] of Object.entries({ other, this: own as Bench })) {
      print(`${name}: ${bench.build}`);
      sides[name] = await makeSide(bench);
    }
    const options = { rounds: Number(values.rounds ?? 15), sampleSeconds: Number(values.seconds ?? 3) };
    for (const kind of readKinds(values.kind)) {
      const workloads: Record<string, Workload> = {};
      for (const [name, side] of Object.entries(sides)) workloads[name] = await warmWorkload(side, kind);
      print(report(kind, await measureInterleaved(workloads, options), options.rounds));
    }
    return null;
  },
};

/** NODE_FLAGS stands for flags on the service's command line. */
function settingOptions(setting = '', variables: Record<string, string>): BenchOptions {
  const [, name = '', value = ''] = /^(.*?)=(.*)$/.exec(setting) ?? [];
  if (name === 'NODE_FLAGS') return { variables, nodeFlags: value.split(' ') };
  return { variables: name ? { ...variables, [name]: value } : variables };
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
