// The npm run bench:ussd scenario: how long a page of the USSD menus takes while 128 customers walk through them.
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { PIN } from '@kissi/testkit/parties';
import { withClient } from './client.ts';
import { origin, print, type Scenario, table } from './runner.ts';

const SECRET = 'benchSecretOfTheUssdGateway_0001-x';
const GOAL_MS = 250;
const CUSTOMERS = 1_000;
const WARM_UP = 0.1;

/** One step of a session, and how long its page took. */
interface Timed {
  page: string;
  ms: number;
}

export const scenario: Scenario<'sessions' | 'seconds' | 'pause'> = {
  usage: `npm run bench:ussd [-- --sessions 128] [--seconds 20] [--pause 1000]
How long a page of the USSD menus takes while so many customers send money and look at their balance, each reading a page
for so many milliseconds. People need several seconds; with 0, the service is saturated.`,
  values: { sessions: 'walks at the same time', seconds: 'how long they go on', pause: 'milliseconds' },
  services: () => [{ variables: { USSD_SECRET: SECRET, LOG_LEVEL: 'warn' } }],
  async measure([bench], { values }) {
    const { ids } = await bench.populate(CUSTOMERS);
    const phones = await phonesOf(bench.databaseUrl, ids);
    const sessions = Number(values.sessions ?? 128);
    const until = performance.now() + Number(values.seconds ?? 20) * 1_000;
    const agent = new Agent({ keepAlive: true, maxSockets: sessions });
    const timed: Timed[] = [];
    const walker = { address: bench.address, agent, phones, timed, pauseMs: Number(values.pause ?? 1_000) };
    await Promise.all(Array.from({ length: sessions }, (_, at) => walkUntil(walker, at, until)));
    agent.destroy();
    const measured = timed.slice(Math.floor(timed.length * WARM_UP));
    const pages = ['any page', ...new Set(measured.map(({ page }) => page))];
    const rows = pages.map((page) =>
      row(
        page,
        measured.filter((each) => page === 'any page' || each.page === page),
      ),
    );
    const p99 = percentile(
      measured.map(({ ms }) => ms),
      0.99,
    );
    print(`${origin('npm run bench:ussd', bench)}\n`);
    print(
      `${sessions} sessions at the same time, ${walker.pauseMs} ms to read a page, ${Math.round(timed.length / Number(values.seconds ?? 20))} pages/s\n`,
    );
    print(table(['page', 'pages', 'median (ms)', 'p99 (ms)'], rows));
    print(`\np99 of a page ≤ ${GOAL_MS} ms: ${p99 <= GOAL_MS ? 'yes' : 'NO'}`);
    return null;
  },
};

interface Walker {
  address: string;
  agent: Agent;
  phones: string[];
  timed: Timed[];
  pauseMs: number;
}

async function walkUntil(walker: Walker, at: number, until: number): Promise<void> {
  for (let round = 0; performance.now() < until; round += 1) {
    const payer = (at + round * 131) % walker.phones.length;
    const payee = walker.phones[(payer + 7) % walker.phones.length] as string;
    const steps: [page: string, typed: string][] =
      round % 2 === 0
        ? [
            ['send: whom', '1'],
            ['send: how much', payee],
            ['send: name and fee', '1'],
            ['send: paid', PIN],
          ]
        : [
            ['account', '4'],
            ['PIN', '1'],
            ['balance', PIN],
          ];
    const session = { id: `bench-${at}-${round}`, phone: walker.phones[payer] as string };
    await walk(walker, session, steps);
  }
}

async function walk(
  { address, agent, timed, pauseMs }: Walker,
  session: Session,
  steps: [string, string][],
): Promise<void> {
  const inputs: string[] = [];
  for (const [page, typed] of [['first page', ''] as [string, string], ...steps]) {
    if (page !== 'first page') inputs.push(typed);
    // Not all at the same time.
    if (pauseMs > 0) await setTimeout(pauseMs * (0.5 + Math.random()));
    const startedAt = performance.now();
    const text = await call(address, agent, session, inputs.join('*'));
    timed.push({ page, ms: performance.now() - startedAt });
    const isLast = inputs.length === steps.length;
    if (!text.startsWith(isLast ? 'END You ' : 'CON ')) throw new Error(`${page}: ${text}`);
  }
}

interface Session {
  id: string;
  phone: string;
}

function call(address: string, agent: Agent, { id, phone }: Session, text: string): Promise<string> {
  const form = new URLSearchParams({ sessionId: id, phoneNumber: phone, serviceCode: '*715#', text }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(form) };
  return new Promise((resolve, reject) => {
    const sent = request(`${address}/ussd/africastalking/${SECRET}`, { method: 'POST', agent, headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => resolve(Buffer.concat(chunks).toString()));
    });
    sent.on('error', reject);
    sent.end(form);
  });
}

async function phonesOf(url: string, ids: string[]): Promise<string[]> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ phone_number: string }>('select phone_number from subscribers where id = any($1) order by id', [
      ids,
    ]),
  );
  return rows.map(({ phone_number }) => phone_number);
}

function row(page: string, timed: Timed[]): (string | number)[] {
  const times = timed.map(({ ms }) => ms);
  return [page, times.length, percentile(times, 0.5).toFixed(1), percentile(times, 0.99).toFixed(1)];
}

function percentile(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
