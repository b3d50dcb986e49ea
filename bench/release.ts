// The npm run bench:release scenario, the last step in CI: fails if a payment costs clearly more CPU time than in the
// last release.
import { readFile } from 'node:fs/promises';
import { measureInterleaved, type RoundOptions, totalCpu, type Workload } from './interleave.ts';
import { checkOut } from './release-checkout.ts';
import { log, print, type Scenario } from './runner.ts';
import { type Bench, startBench } from './setup.ts';
import { makeSide, warmWorkload } from './sides.ts';

/** Generous: a ratio of medians on a busy machine differs by a few percent from run to run. */
const LIMIT = 1.15;
const WARM_UP_SECONDS = 5;
const FIRST_ROUNDS: RoundOptions = { rounds: 5, sampleSeconds: 2 };
const MORE_ROUNDS: RoundOptions = { rounds: 11, sampleSeconds: 3 };
const MAX_ERROR_SHARE = 0.01;
/** The order in which the two are started. */
const SIDES = ['release', 'this'] as const;

export const scenario: Scenario = {
  usage: `npm run bench:release
This checkout's CPU time per P2P payment, divided by the last release's (bench/last-release.json). Fails above ${LIMIT}.`,
  services: () => [],
  async measure() {
    const { version, commit } = await readLastRelease();
    const release = await checkOut(commit);
    if (release === null) print(`Not measured: this clone does not have ${commit}, the commit of version ${version}.`);
    else await compareWith(version, release.root).finally(release.remove);
    return null;
  },
};

async function readLastRelease(): Promise<{ version: string; commit: string }> {
  return JSON.parse(await readFile(new URL('./last-release.json', import.meta.url), 'utf8'));
}

async function compareWith(version: string, root: string): Promise<void> {
  const benches: Bench[] = [];
  try {
    const workloads: Record<string, Workload> = {};
    for (const name of SIDES) {
      const bench = await startBench({ root: name === 'release' ? root : '.', variables: { GATEWAYS: '1' } });
      benches.push(bench);
      workloads[name] = await warmWorkload(await makeSide(bench), 'p2p', WARM_UP_SECONDS);
    }
    const { text, passed } = judge(version, await measureRatio((options) => measureOnce(workloads, options)));
    print(text);
    if (!passed) process.exitCode = 1;
  } finally {
    for (const bench of benches) await bench.stop();
  }
}

/** A high ratio is measured again for longer before it counts: it may be due to something else on the machine. */
export async function measureRatio(measure: (options: RoundOptions) => Promise<number>): Promise<number> {
  const first = await measure(FIRST_ROUNDS);
  return first > LIMIT ? measure(MORE_ROUNDS) : first;
}

async function measureOnce(workloads: Record<string, Workload>, options: RoundOptions): Promise<number> {
  const measured = await measureInterleaved(workloads, options);
  for (const name of SIDES) {
    const { cpu, perSecond, requests, errors = 0, firstError } = measured.median(name);
    const micros = `gateway ${Math.round(cpu.gateway)} + PostgreSQL ${Math.round(cpu.postgres)} µs`;
    log(`${name}: ${micros}, ${perSecond}/s, ${errors} errors ${firstError}`);
    // A slow machine may reject a few; with more, the ratio would mean nothing.
    if (errors > requests * MAX_ERROR_SHARE) throw new Error(`${errors} of ${requests} payments failed`);
  }
  const { median, min, max } = measured.ratioSpread('this', 'release', totalCpu);
  log(`this / release: ${median.toFixed(3)}, ${options.rounds} rounds ${min.toFixed(3)} to ${max.toFixed(3)}`);
  return median;
}

export function judge(version: string, ratio: number): { text: string; passed: boolean } {
  if (Number.isNaN(ratio)) {
    return { text: 'Not measured: the CPU time of the processes cannot be read on this machine.', passed: true };
  }
  const cost = `A P2P payment costs ${ratio.toFixed(2)} of version ${version}'s CPU time`;
  if (ratio <= LIMIT) return { text: `${cost}; the limit is ${LIMIT}.`, passed: true };
  const advice = '"npm run bench:profile" shows where the time goes.';
  return { text: `${cost}, more than the limit of ${LIMIT}. ${advice}`, passed: false };
}
