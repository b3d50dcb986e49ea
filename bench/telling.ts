// The npm run bench:telling scenario: what notices of payments add to a transfer's CPU time, drained within the sample.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { withClient } from './client.ts';
import { measureInterleaved, totalCpu, type Workload, withCpu } from './interleave.ts';
import { log, print, type Scenario, table } from './runner.ts';
import type { Bench } from './setup.ts';
import { makeSide, preparedLoad } from './sides.ts';

/** Of a transfer's CPU time without notices. */
const GOAL = 0.05;
const POLL_MS = 100;
const PORT = 20_000 + (process.pid % 20_000);
const SMS = {
  ...{ NOTICES: 'all', SMS_PROVIDER: 'africastalking', SMS_URL: `http://127.0.0.1:${PORT}/version1/messaging` },
  ...{ SMS_USERNAME: 'kissi', SMS_SECRET: 'the-api-key', SMS_CONCURRENCY: '64' },
};
const REPLY = JSON.stringify({ SMSMessageData: { Message: 'Sent to 1/1', Recipients: [{ statusCode: 101 }] } });

export const scenario: Scenario<'rounds' | 'seconds'> = {
  usage: `npm run bench:telling [-- --rounds 9] [--seconds 2]
CPU time of transfers whose two sides are told by SMS, and of transfers that are read and told to nobody, divided by that of
transfers without notices. A sample ends when everything has been told.`,
  values: { rounds: 'a number', seconds: 'the length of a sample' },
  services: () => [{ NOTICES: 'off' }, SMS, SMS].map((variables) => ({ variables: { GATEWAYS: '1', ...variables } })),
  async measure(benches, { values }) {
    const provider = await acceptEverything();
    const workloads: Record<string, Workload> = {
      'no notices': await transfers(benches[0]),
      'read, told to nobody': await transfers(benches[1] as Bench, false),
      'told by SMS': await transfers(benches[2] as Bench, true),
    };
    for (const run of Object.values(workloads)) await run(4);
    const rounds = Number(values.rounds ?? 9);
    const measured = await measureInterleaved(workloads, { rounds, sampleSeconds: Number(values.seconds ?? 2) });
    const [first = '', ...others] = Object.keys(workloads);
    for (const name of [first, ...others]) {
      const { cpu, perSecond, errors, firstError } = measured.median(name);
      const micros = `gateway ${Math.round(cpu.gateway)} + PostgreSQL ${Math.round(cpu.postgres)} µs`;
      log(`${name}: ${micros}, ${perSecond}/s, ${errors} errors ${firstError}`);
    }
    const rows = others.map((name) => {
      const { median, lowerQuartile, upperQuartile } = measured.ratioSpread(name, first, totalCpu);
      const spread = [lowerQuartile, upperQuartile].map((ratio) => (ratio - 1).toFixed(3)).join(' to ');
      return [name, (median - 1).toFixed(3), spread, `≤ ${GOAL}`, median - 1 <= GOAL ? 'yes' : 'NO'];
    });
    print(table(['added to a transfer', 'median', 'quartiles', 'goal', 'passed'], rows));
    provider.closeAllConnections();
    provider.close();
    return null;
  },
};

/** `told`: whether the people want notices; undefined: nothing reads the payments. */
async function transfers(bench: Bench, told?: boolean): Promise<Workload> {
  const load = await preparedLoad(await makeSide(bench), 'p2p');
  if (told !== undefined) await choose(bench.databaseUrl, told);
  return withCpu(async (seconds) => {
    const sample = await bench.runClosedLoop({ ...load, seconds });
    if (told !== undefined) await everythingTold(bench.databaseUrl);
    return sample;
  }, bench.cpuTime);
}

async function choose(url: string, payments: boolean): Promise<void> {
  const text = `insert into notice_preferences (owner_id, language, payments, shows_balance, updated_at)
    select id, 'en', $1, true, now() from subscribers`;
  await withClient(url, (client) => client.query(text, [payments]));
}

async function everythingTold(url: string): Promise<void> {
  const text = `select exists (select from seals s join notice_positions p on p.chain = s.batch >> 32
    where s.batch > p.batch and s.batch > (select max(batch) - 1 from seals)) as waits`;
  await withClient(url, async (client) => {
    while ((await client.query<{ waits: boolean }>(text)).rows[0]?.waits) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  });
}

async function acceptEverything(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(201, { 'content-type': 'application/json' }).end(REPLY));
  });
  server.listen(PORT, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
