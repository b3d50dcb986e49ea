// Where the gateway spends its CPU time on a warm payment: a service with V8's profiler, started for the measurement.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CpuCost, costPerRequest } from './cpu-time.ts';
import { type Profile, type ProfiledTime, profiledTimes, scaleTimes, sumBy } from './profile-layers.ts';
import { table } from './runner.ts';
import { startBench } from './setup.ts';
import { makeSide, preparedLoad } from './sides.ts';

const NANOS_PER_MICRO = 1_000n;

export interface LayerOptions {
  kind?: string;
  connections?: number;
  seconds?: number;
  warmUpSeconds?: number;
  /** The service's environment variables. */
  variables?: Record<string, string>;
}

export interface Layers {
  connections: number;
  /** With the profiler on, like all figures. */
  cost: CpuCost;
  perSecond: number;
  errors: number;
  /** Microseconds of the gateway's CPU time per payment. */
  times: ProfiledTime[];
  build: string;
}

export async function measureLayers(options: LayerOptions = {}): Promise<Layers> {
  const folder = await mkdtemp(join(tmpdir(), 'kissi-profile-'));
  try {
    return await measureInto(folder, options);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureInto(
  folder: string,
  { kind = 'p2p', connections, seconds = 15, warmUpSeconds = 8, variables }: LayerOptions,
): Promise<Layers> {
  const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=250'];
  const bench = await startBench({ nodeFlags, variables: { GATEWAYS: '1', ...variables } });
  try {
    const load = await preparedLoad(await makeSide(bench), kind);
    const all = { ...load, connections: connections ?? load.connections ?? 1 };
    await bench.runClosedLoop({ ...all, seconds: warmUpSeconds });
    const before = await bench.cpuTime();
    const from = monotonicMicros();
    const { requests, perSecond, errors } = await bench.runClosedLoop({ ...all, seconds });
    const to = monotonicMicros();
    const cost = costPerRequest(before, await bench.cpuTime(), requests);
    // The service writes the profile when it ends.
    await bench.stop();
    const times = scaleTimes(profiledTimes(await readProfile(folder), from, to), cost.gateway);
    return { connections: all.connections, cost, perSecond, errors, times, build: bench.build };
  } finally {
    await bench.stop();
  }
}

const monotonicMicros = () => Number(process.hrtime.bigint() / NANOS_PER_MICRO);

/** The gateway's: the largest, because a supervisor or worker has little to do. */
async function readProfile(folder: string): Promise<Profile> {
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  const largest = texts.toSorted((a, b) => b.length - a.length)[0];
  if (largest === undefined) throw new Error('the service wrote no profile');
  return JSON.parse(largest) as Profile;
}

export function layerTable({ times, cost }: Pick<Layers, 'times' | 'cost'>): string {
  const rows = sumBy(times, ({ layer }) => layer).map(([layer, time]) => [
    ...[layer, time.toFixed(1), `${((time / cost.gateway) * 100).toFixed(0)} %`],
  ]);
  return table(['layer', 'µs per payment', 'share'], rows);
}
