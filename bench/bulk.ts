// The npm run bench:bulk scenario: how long a bulk payment takes from upload to completed, how much memory the gateway needs for
// it, and how many live payments it leaves room for.
import { setTimeout } from 'node:timers/promises';
import type { Kissi } from '@kissi/client';
import { administrator, makePartner, makeStaff } from '@kissi/testkit/parties';
import type { ClosedLoopResult } from './closed-loop.ts';
import { UNLIMITED_PARTNER } from './load-job.ts';
import type { Population } from './population.ts';
import { log, origin, print, type Scenario, table } from './runner.ts';
import type { Bench } from './setup.ts';
import { uniformTransfers } from './transfers.ts';

const GOALS = { seconds: 240, rows: 100_000, liveShare: 0.8 };
const DEFAULTS = { rows: 2_000, rounds: 3, seconds: 3 };
const MOST_WALLETS = 100_000;
/** Payers may upload no more unpaid rows. */
const MOST_UNPAID_ROWS = 1_000_000;
const CONNECTIONS = 128;
const WARM_UP_SECONDS = 4;
const POLL_MS = 100;
/** More than is paid beside live payments in this time, so that a bulk payment is still running when a sample ends. */
const ROWS_PER_SECOND = 2_000;

export const scenario: Scenario<'rows' | 'rounds' | 'seconds'> = {
  usage: `npm run bench:bulk [-- --rows ${DEFAULTS.rows}] [--rounds ${DEFAULTS.rounds}] [--seconds ${DEFAULTS.seconds}]
A bulk payment of so many rows: seconds of its upload, its checking and its payment, and the gateway's memory. Then live P2P
payments alone and beside a running bulk payment, in turn. The goal is for --rows ${GOALS.rows}.`,
  values: { rows: 'rows of the file', rounds: 'samples of live payments', seconds: 'the length of a sample' },
  services: () => [{ variables: { GATEWAYS: '1', LOG_LEVEL: 'warn' } }],
  async measure([bench], { values }) {
    const rows = Number(values.rows ?? DEFAULTS.rows);
    const rounds = Number(values.rounds ?? DEFAULTS.rounds);
    const seconds = Number(values.seconds ?? DEFAULTS.seconds);
    const population = await bench.populate(Math.min(Math.max(rows, DEFAULTS.rows), MOST_WALLETS));
    const payer = await makePayer(bench, population);
    print(`${origin(`npm run bench:bulk -- --rows ${rows}`, bench)}\n`);
    print(await timedReport(bench, payer, rows));
    print(await liveReport(bench, payer, { population, rounds, seconds }));
    return null;
  },
};

/** A partner and two of finance: one uploads, the other approves. */
interface Payer {
  address: string;
  partnerId: string;
  uploader: Kissi;
  approver: Kissi;
  wallets: number;
  files: number;
}

async function makePayer({ admin, address }: Bench, { ids }: Population): Promise<Payer> {
  const [one, other] = [await makeStaff(admin, 'finance_user'), await makeStaff(admin, 'finance_user')];
  const { id: partnerId } = await makePartner(admin, UNLIMITED_PARTNER);
  await admin.bulkPayments.updateRowLimit(partnerId, { unpaid_rows: MOST_UNPAID_ROWS });
  const [uploader, approver] = [one, other].map((login) => administrator(address, { login })) as [Kissi, Kissi];
  return { address, partnerId, uploader, approver, wallets: ids.length, files: 0 };
}

async function timedReport(bench: Bench, payer: Payer, rows: number): Promise<string> {
  const idleMb = await bench.serviceMemoryMb('peak');
  const startedAt = performance.now();
  const id = await upload(payer, rows);
  const uploadedAt = performance.now();
  await whenIs(payer, id, 'checked');
  const checkedAt = performance.now();
  await approve(payer, id);
  await whenIs(payer, id, 'completed');
  const endedAt = performance.now();
  const { paid_count } = await find(payer, id);
  if (paid_count !== rows) throw new Error(`${paid_count} of ${rows} rows were paid`);
  const paidIn = (endedAt - checkedAt) / 1_000;
  const atGoal = (paidIn * GOALS.rows) / rows;
  const passed = atGoal <= GOALS.seconds ? 'yes' : 'NO';
  const [uploadIn, checkIn] = [uploadedAt - startedAt, checkedAt - uploadedAt].map((ms) => (ms / 1_000).toFixed(1));
  const head = ['rows', 'upload s', 'checking s', 'approval to completed s', 'rows/s', `s per ${GOALS.rows}`];
  const cells = [rows, `${uploadIn}`, `${checkIn}`, paidIn.toFixed(1), Math.round(rows / paidIn), atGoal.toFixed(0)];
  const memory = `The gateway's memory: at most ${idleMb} MB before, ${await bench.serviceMemoryMb('peak')} MB after.`;
  return `${table([...head, `≤ ${GOALS.seconds} s`], [[...cells, passed]])}\n\n${memory}\n`;
}

interface LivePlan {
  population: Population;
  rounds: number;
  seconds: number;
}

/** Each pair of samples is taken one after the other: what else the machine does concerns both. */
async function liveReport(bench: Bench, payer: Payer, { population, rounds, seconds }: LivePlan): Promise<string> {
  const load = { ...uniformTransfers(population), connections: CONNECTIONS };
  const live = (length: number) => bench.runClosedLoop({ ...load, seconds: length });
  await live(WARM_UP_SECONDS);
  const results: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const id = await upload(payer, ROWS_PER_SECOND * seconds);
    await whenIs(payer, id, 'checked');
    const alone = await live(seconds);
    await approve(payer, id);
    await whenIs(payer, id, 'running');
    const before = (await find(payer, id)).paid_count;
    const startedAt = performance.now();
    const beside = await live(seconds);
    const { status, paid_count } = await find(payer, id);
    if (status !== 'running') throw new Error(`the bulk payment was ${status} before the sample ended`);
    const rowsPerSecond = ((paid_count - before) * 1_000) / (performance.now() - startedAt);
    results.push({ alone, beside, rowsPerSecond });
    log(`${alone.perSecond}/s alone, ${beside.perSecond}/s beside ${Math.round(rowsPerSecond)} rows/s`);
    await payer.uploader.bulkPayments.stop(id);
    await whenIs(payer, id, 'stopped');
  }
  return roundsTable(results);
}

interface Round {
  alone: ClosedLoopResult;
  beside: ClosedLoopResult;
  rowsPerSecond: number;
}

function roundsTable(rounds: readonly Round[]): string {
  const share = median(rounds.map(({ alone, beside }) => beside.perSecond / alone.perSecond));
  const rows = rounds.map(({ alone, beside, rowsPerSecond }) => [
    alone.perSecond,
    beside.perSecond,
    (beside.perSecond / alone.perSecond).toFixed(2),
    Math.round(rowsPerSecond),
    `${alone.p99.toFixed(0)} / ${beside.p99.toFixed(0)}`,
    alone.errors + beside.errors,
  ]);
  const head = ['live/s alone', 'beside', 'ratio', 'rows/s beside', 'p99 ms', 'errors'];
  const passed = share >= GOALS.liveShare ? 'yes' : 'NO';
  return `${table(head, rows)}\n\nmedian ratio ${share.toFixed(2)} ≥ ${GOALS.liveShare.toFixed(2)}: ${passed}`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** As CSV, which the client does not send. */
async function upload(payer: Payer, rows: number): Promise<string> {
  payer.files += 1;
  const lines = Array.from({ length: rows }, (_, row) => {
    const phone = `+23230${String(1 + (row % payer.wallets)).padStart(6, '0')}`;
    return `bench-${payer.files}-${row},${phone},1.00`;
  });
  await payer.uploader.bulkPayments.list({ limit: 1 });
  const reply = await fetch(`${payer.address}/api/v1/bulk-payments?partner_id=${payer.partnerId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${payer.uploader.tokens?.token}`, 'content-type': 'text/csv' },
    body: ['reference,phone_number,amount', ...lines].join('\n'),
  });
  const { bulk_payment, error } = (await reply.json()) as { bulk_payment?: { id: string }; error?: string };
  if (!bulk_payment) throw new Error(`the file was refused: ${error}`);
  return bulk_payment.id;
}

async function find({ approver }: Payer, id: string) {
  return (await approver.bulkPayments.get(id)).bulk_payment;
}

async function approve(payer: Payer, id: string): Promise<void> {
  const { file_sha256 } = await find(payer, id);
  await payer.approver.bulkPayments.approve(id, { file_sha256: file_sha256 ?? '', mode: 'all_or_nothing' });
}

async function whenIs(payer: Payer, id: string, wanted: 'checked' | 'running' | 'completed' | 'stopped') {
  for (;;) {
    const { status, ended_at } = await find(payer, id);
    if (status === wanted && (wanted !== 'stopped' || ended_at !== null)) return;
    if (status === 'cancelled') throw new Error(`the bulk payment ${id} was cancelled`);
    await setTimeout(POLL_MS);
  }
}
