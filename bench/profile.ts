// The npm run bench:profile scenario: where the gateway spends its CPU time on a warm payment, by layer and by function.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { costPerRequest } from './cpu-time.ts';
import { type Profile, profiledTimes, sumBy } from './profile-layers.ts';
import { origin, type Scenario, table } from './runner.ts';
import { makeSide, preparedLoad, readKinds } from './sides.ts';

const MICROS_PER_MS = 1_000;
const FUNCTIONS = 40;

const folder = await mkdtemp(join(tmpdir(), 'kissi-profile-'));

export const scenario: Scenario<'kind' | 'seconds' | 'connections' | 'other'> = {
  usage: `npm run bench:profile -- [--kind p2p] [--seconds 15] [--connections 128] [--other FAST_LANE=off]
The gateway's microseconds per payment by layer, from V8's CPU profile of a warm run.`,
  values: {
    kind: 'p2p, pos, refund, inbound or single',
    seconds: 'the length of the run',
    connections: 'a number',
    other: 'an environment variable of the service',
  },
  services({ values }) {
    readKinds(values.kind);
    const [name = '', value = ''] = values.other?.split('=') ?? [];
    const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=250'];
    return [{ nodeFlags, variables: { GATEWAYS: '1', ...(name ? { [name]: value } : {}) } }];
  },
  async measure([bench], { values }) {
    const [kind = ''] = readKinds(values.kind);
    const load = await preparedLoad(await makeSide(bench), kind);
    const connections = Number(values.connections ?? load.connections ?? 128);
    const run = (seconds: number) => bench.runClosedLoop({ ...load, connections, seconds });
    await run(8);
    const before = await bench.cpuTime();
    const from = monotonicMicros();
    const { requests, perSecond, errors } = await run(Number(values.seconds ?? 15));
    const to = monotonicMicros();
    const cost = costPerRequest(before, await bench.cpuTime(), requests);
    await bench.stop();
    const times = profiledTimes(await readProfile(), from, to).map((each) => ({ ...each, time: each.time / requests }));
    await rm(folder, { recursive: true });
    const mainThread = times.reduce((sum, { time }) => sum + time, 0);
    const rows = (sums: [string, number][]) => sums.map(([name, time]) => [name, time.toFixed(1)]);
    return [
      `# Where a payment's time goes: ${kind}, ${connections} connections`,
      origin('npm run bench:profile', bench),
      `Gateway ${cost.gateway.toFixed(0)} µs of CPU time, of which ${mainThread.toFixed(0)} µs in the main thread; PostgreSQL ${cost.postgres.toFixed(0)} µs; ${perSecond}/s, ${errors} errors. With the profiler on.`,
      table(['layer', 'µs'], rows(sumBy(times, ({ layer }) => layer))),
      table(['function', 'µs'], rows(sumBy(times, ({ name, layer }) => `${name} (${layer})`)).slice(0, FUNCTIONS)),
    ].join('\n\n');
  },
};

const monotonicMicros = () => Number(process.hrtime.bigint() / BigInt(MICROS_PER_MS));

/** The gateway's: the largest, because a supervisor or worker has little to do. */
async function readProfile(): Promise<Profile> {
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  const largest = texts.toSorted((a, b) => b.length - a.length)[0];
  if (largest === undefined) throw new Error('the service wrote no profile');
  return JSON.parse(largest) as Profile;
}
