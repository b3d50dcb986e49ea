// What is measured, in which order, and the bars it is held against.
import type { Measured } from './generator.ts';
import { pagesOf, writePast } from './history.ts';
import type { Population } from './population.ts';
import type { Shop } from './signed.ts';
import type { Bench, Load } from './stage.ts';
import { pgbench, prepareTpcb, type Reference, tpcb } from './tpcb.ts';

export interface Results {
  references: (Reference & { name: string })[];
  loads: (Measured & { name: string })[];
  bars: Bar[];
}

interface Bar {
  name: string;
  value: string;
  bar: string;
  /** Null: there is no bar, the figure is for information. */
  holds: boolean | null;
}

const SUBSCRIBERS = 100_000;
const FIRST_SUBSCRIBERS = 1_000;
const RULES = 10;

export async function measureAll(bench: Bench, options: { quick: boolean; long: boolean }): Promise<Results> {
  const seconds = options.quick ? 3 : 15;
  const say = (text: string) => process.stderr.write(`${text}\n`);
  say('preparing the reference and the population …');
  await prepareTpcb(bench.referenceUrl);
  await bench.watchBy(RULES);
  const results: Results = { references: [], loads: [], bars: [] };
  const reference = async (name: string, measured: Reference) => {
    results.references.push({ name, ...measured });
    say(`${name}: ${measured.perSecond}/s`);
    return measured;
  };
  const load = async (name: string, given: Partial<Load>, url?: string) => {
    const measured = await bench.load({ ...NOTHING, seconds, ...given }, url);
    results.loads.push({ name, ...measured });
    say(
      `${name}: ${measured.perSecond}/s, p50 ${measured.p50.toFixed(2)} ms, ${measured.errors} errors ${measured.firstError}`,
    );
    return measured;
  };

  // Beside each load that is held against it: a machine that is shared is not the same from one minute to the next.
  const many = async (beside: string) =>
    reference(`TPC-B, 32 connections, same driver, beside ${beside}`, await tpcb(bench.referenceUrl, 32, seconds));

  // Before anything else: what the service prepares now, it prepares on tables that the planner believes empty, and keeps.
  const first = await bench.populate(FIRST_SUBSCRIBERS, { unannounced: true });
  const besideEmpty = await many('P2P on an empty database');
  const onEmpty = await load('P2P, 128 connections, empty database', { ...uniformLoad(first), connections: 128 });
  const rest = (options.quick ? 10_000 : SUBSCRIBERS) - FIRST_SUBSCRIBERS;
  const people = joined(first, await bench.populate(rest, { from: FIRST_SUBSCRIBERS }));

  const native = await pgbench(bench.referenceUrl, 32, seconds);
  if (native !== null) await reference('TPC-B, 32 clients, pgbench', { perSecond: native, p50: Number.NaN });

  const paths = people.ids.slice(0, 10_000).map((id) => `/api/v1/subscribers/${id}`);
  const bareUrl = await bench.startBare();
  const barePaths = { kind: 'get' as const, connections: 32, paths: paths.map((path) => path.replace('/api/v1', '')) };
  const bare = await load('bare Fastify route, 32 connections', barePaths, bareUrl);
  const get = await load('GET /subscribers/{id}, 32 connections', { kind: 'get', connections: 32, paths });

  const [long = '', short = ''] = people.ids.slice(-2);
  const past = options.quick ? 50_000 : 1_000_000;
  await writePast(bench.databaseUrl, long, past);
  await writePast(bench.databaseUrl, short, 100);
  const pages = { kind: 'history' as const, connections: 8 };
  const longPages = await load(`history of ${past} postings`, { ...pages, paths: pagesOf(long, past) });
  const shortPages = await load('history of 100 postings', { ...pages, paths: pagesOf(short, 100) });

  const uniform = uniformLoad(people);
  await load('P2P warm-up', { ...uniform, connections: 32, seconds: 3 });
  const one = await reference('TPC-B, 1 connection', await tpcb(bench.referenceUrl, 1, seconds));
  const p2p1 = await load('P2P, 1 connection', { ...uniform, connections: 1 });
  await load('P2P, 32 connections', { ...uniform, connections: 32 });
  const besideP2p = await many('P2P');
  const p2p128 = await load('P2P, 128 connections', { ...uniform, connections: 128 });
  const hot = await load('P2P, 128 connections, one recipient', { ...hotLoad(people), connections: 128 });
  if (options.long) {
    await load('P2P, a million', { ...uniform, connections: 128, requests: 1_000_000 });
  }
  const memory = await bench.serviceMemoryMb();

  const shops = await bench.openShops(50);
  await load('POS payment warm-up', { ...posLoad(people, shops), connections: 32, seconds: 3 });
  const besidePos = await many('POS');
  const pos = await load('POS payment, 128 connections', { ...posLoad(people, shops), connections: 128 });
  const till = await load('POS payment, 128 connections, one processor', {
    ...posLoad(people, shops.slice(0, 1)),
    connections: 128,
  });
  const transactions = await bench.payments(10_000);
  const refund = await load('POS refund, 128 connections', { kind: 'refund', transactions, connections: 128 });
  const credits = { kind: 'inbound' as const, connections: 128, people: people.ids.length };
  const partners = await bench.openPartners(8);
  await load('inbound credit warm-up', { ...credits, partners, seconds: 3 });
  const besideInbound = await many('inbound credit');
  await load('inbound credit, 128 connections, eight partners', { ...credits, partners });
  const inbound = await load('inbound credit, 128 connections, one partner', {
    ...credits,
    partners: partners.slice(0, 1),
  });

  const ratio = (name: string, value: number, bar: string, holds: boolean | null) =>
    results.bars.push({ name, value: value.toFixed(2), bar, holds });
  const throughput = (name: string, { perSecond }: Measured, beside: Reference) =>
    ratio(
      `${name} at 128 connections / TPC-B at 32`,
      perSecond / beside.perSecond,
      '≥ 3',
      perSecond >= 3 * beside.perSecond,
    );
  throughput('P2P', p2p128, besideP2p);
  throughput('P2P on an empty database', onEmpty, besideEmpty);
  throughput('POS payment', pos, besidePos);
  throughput('POS refund', refund, besidePos);
  throughput('inbound credit, one partner,', inbound, besideInbound);
  if (native !== null) ratio('P2P at 128 connections / pgbench at 32', p2p128.perSecond / native, '', null);
  ratio('one recipient / uniform', hot.perSecond / p2p128.perSecond, '≥ 0.9', hot.perSecond >= 0.9 * p2p128.perSecond);
  ratio('one processor / many', till.perSecond / pos.perSecond, '≥ 0.9', till.perSecond >= 0.9 * pos.perSecond);
  ratio('p50 of P2P at 1 connection / of TPC-B', p2p1.p50 / one.p50, '< 3', p2p1.p50 < 3 * one.p50);
  ratio('p50 of GET /subscribers/{id} / of a bare route', get.p50 / bare.p50, '', null);
  const pageRatio = longPages.p50 / shortPages.p50;
  ratio(`p50 of a page of ${past} postings / of 100`, pageRatio, '≤ 1.5', pageRatio <= 1.5);
  // The bar speaks of a million transfers: a shorter run can break it but not keep it.
  const kept = memory < 300 ? (options.long ? true : null) : false;
  ratio(`memory of the service, MB${options.long ? ' after a million' : ''}`, memory, '< 300', kept);
  return results;
}

const NOTHING: Load = {
  connections: 1,
  seconds: 1,
  kind: 'get',
  ...{ senders: [], serials: [], paths: [], shops: [], transactions: [], partners: [], people: 0 },
};

function joined(a: Population, b: Population): Population {
  return { ids: [...a.ids, ...b.ids], serials: [...a.serials, ...b.serials] };
}

function uniformLoad({ ids, serials }: Population): Partial<Load> {
  return { kind: 'p2p', senders: ids, serials };
}

function hotLoad({ ids, serials }: Population): Partial<Load> {
  return { kind: 'p2p', senders: ids.slice(1), serials: serials.slice(0, 1) };
}

function posLoad({ serials }: Population, shops: Shop[]): Partial<Load> {
  return { kind: 'pos', serials, shops };
}
