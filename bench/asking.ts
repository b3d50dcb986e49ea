// The npm run bench:asking scenario: CPU time of creating and of paying a payment request, divided by an in-app payment's.
import { approvals, loggedIn } from './customers.ts';
import { measureInterleaved, totalCpu, type Workload, withCpu } from './interleave.ts';
import { log, print, type Scenario, table } from './runner.ts';
import type { Bench } from './setup.ts';
import { makeSide, preparedLoad, type Side, warmWorkload } from './sides.ts';

/** Of an in-app payment's CPU time. */
const GOALS = { ask: 0.8, approve: 1.25 };
const CONNECTIONS = 128;
/** As many as may log in from one address in a minute. */
const CUSTOMERS = 8;
/** More than are paid in a sample. */
const ASKED_PER_SECOND = 8_000;

export const scenario: Scenario<'rounds' | 'seconds'> = {
  usage: `npm run bench:asking [-- --rounds 9] [--seconds 2]
CPU time of creating and of paying a payment request, divided by an in-app payment's in the same rounds.`,
  values: { rounds: 'a number', seconds: 'the length of a sample' },
  services: () => [{ variables: { GATEWAYS: '1' } }],
  async measure([bench], { values }) {
    const side = await makeSide(bench as Bench);
    const workloads: Record<string, Workload> = {
      'in-app': await warmWorkload(side, 'in-app'),
      ask: await warmWorkload(side, 'ask'),
      approve: await approving(side),
    };
    await workloads.approve?.(4);
    const rounds = Number(values.rounds ?? 9);
    const measured = await measureInterleaved(workloads, { rounds, sampleSeconds: Number(values.seconds ?? 2) });
    const rows = Object.entries(GOALS).map(([name, goal]) => {
      const { median, lowerQuartile, upperQuartile } = measured.ratioSpread(name, 'in-app', totalCpu);
      const spread = `${lowerQuartile.toFixed(2)} to ${upperQuartile.toFixed(2)}`;
      return [name, median.toFixed(2), spread, `≤ ${goal}`, median <= goal ? 'yes' : 'NO'];
    });
    for (const name of Object.keys(workloads)) {
      const { cpu, perSecond, errors, firstError } = measured.median(name);
      const micros = `gateway ${Math.round(cpu.gateway)} + PostgreSQL ${Math.round(cpu.postgres)} µs`;
      log(`${name}: ${micros}, ${perSecond}/s, ${errors} errors ${firstError}`);
    }
    print(table(['of an in-app payment', 'median', 'quartiles', 'goal', 'passed'], rows));
    return null;
  },
};

/** Each sample pays requests that were made before it, each once. */
async function approving(side: Side): Promise<Workload> {
  const { bench, population } = side;
  const asking = await preparedLoad(side, 'ask');
  const customers = await loggedIn(bench, population.ids.slice(0, CUSTOMERS));
  return async (seconds) => {
    const requests = Math.ceil(seconds * ASKED_PER_SECOND);
    await bench.runClosedLoop({ ...asking, requests });
    const approved = await approvals(bench, customers, requests);
    const run = (length: number) =>
      bench.runClosedLoop({
        ...{ kind: 'approve' as const, connections: CONNECTIONS, seconds: length, approvals: approved },
      });
    return withCpu(run, bench.cpuTime)(seconds);
  };
}
