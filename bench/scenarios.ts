// What is measured, in which order, and the bars it is held against.

import { inTurns, type Measure, type Outcome, type Piece, type Turns, typical } from './alternate.ts';
import { pagesOf, writePast } from './history.ts';
import type { Population } from './population.ts';
import type { Bench, Load } from './setup.ts';
import type { Shop } from './signed.ts';
import { pgbench, prepareTpcb, tpcb } from './tpcb.ts';

export interface Results {
  loads: (Piece & { name: string })[];
  bars: Bar[];
}

interface Bar {
  name: string;
  value: string;
  bar: string;
  /** Null: there is no bar, the figure is for information. */
  holds: boolean | null;
}

export interface Options {
  /** A few seconds each, to try the bench itself. */
  quick: boolean;
  /** A million transfers, for memory. */
  long: boolean;
}

const SUBSCRIBERS = 100_000;
const FIRST_SUBSCRIBERS = 1_000;
const PAST = 1_000_000;
const RULES = 10;
const TURNS: Turns = { rounds: 5, seconds: 4 };
/** What is needed to page through, to refund and to credit. */
const [SHOPS, REFUNDED, PARTNERS] = [50, 10_000, 8];

const TPCB = 'TPC-B, 32 connections, same driver';
const rate = ({ perSecond }: Piece) => perSecond;
const half = ({ p50 }: Piece) => p50;

export async function measureAll(bench: Bench, options: Options): Promise<Results> {
  return new Measuring(bench, options).run();
}

class Measuring {
  private readonly bench: Bench;
  private readonly options: Options;
  private readonly turns: Turns;
  private readonly results: Results = { loads: [], bars: [] };

  constructor(bench: Bench, options: Options) {
    this.bench = bench;
    this.options = options;
    this.turns = options.quick ? { rounds: 1, seconds: 3 } : TURNS;
  }

  async run(): Promise<Results> {
    const { bench, options } = this;
    this.say('preparing the reference and the population …');
    await prepareTpcb(bench.referenceUrl);
    await bench.watchBy(RULES);
    // Before anything else: what the service prepares now, it prepares on tables that the planner believes empty, and keeps.
    const first = await bench.populate(FIRST_SUBSCRIBERS, { unannounced: true });
    await this.onEmptyDatabase(first);
    const rest = (options.quick ? 10_000 : SUBSCRIBERS) - FIRST_SUBSCRIBERS;
    const people = joined(first, await bench.populate(rest, { from: FIRST_SUBSCRIBERS }));
    await this.reads(people);
    await this.histories(people);
    await this.alone(people);
    await this.transfers(people);
    await this.memory(people);
    await this.purchases(people);
    await this.credits(people);
    return this.results;
  }

  private async onEmptyDatabase(people: Population): Promise<void> {
    const p2p = 'P2P, 128 connections, empty database';
    const found = await this.contest({
      [TPCB]: this.tpcb(32),
      [p2p]: this.load({ ...uniform(people), connections: 128 }),
    });
    this.throughput('P2P on an empty database', found, p2p);
  }

  private async reads({ ids }: Population): Promise<void> {
    const [bare, get] = ['bare Fastify route, 32 connections', 'GET /subscribers/{id}, 32 connections'];
    const bareUrl = await this.bench.startBare();
    const paths = ids.slice(0, 10_000).map((id) => `/subscribers/${id}`);
    const load = { kind: 'get', connections: 32 } as const;
    const found = await this.contest({
      [bare]: this.load({ ...load, paths }, bareUrl),
      [get]: this.load({ ...load, paths: paths.map((path) => `/api/v1${path}`) }),
    });
    this.hold('p50 of GET /subscribers/{id} / of a bare route', found.ratio(get, bare, half));
  }

  private async histories({ ids }: Population): Promise<void> {
    const past = this.options.quick ? 50_000 : PAST;
    const [longest = '', shortest = ''] = ids.slice(-2);
    await writePast(this.bench.databaseUrl, longest, past);
    await writePast(this.bench.databaseUrl, shortest, 100);
    const [long, short] = [`history of ${past} postings`, 'history of 100 postings'];
    const pages = (id: string, count: number) =>
      this.load({ kind: 'history', connections: 8, paths: pagesOf(id, count) });
    const found = await this.contest({ [long]: pages(longest, past), [short]: pages(shortest, 100) });
    const slower = found.ratio(long, short, half);
    this.hold(`p50 of a page of ${past} postings / of 100`, slower, '≤ 1.5', slower <= 1.5);
  }

  private async alone(people: Population): Promise<void> {
    const [reference, p2p] = ['TPC-B, 1 connection', 'P2P, 1 connection'];
    await this.warmUp(uniform(people));
    const found = await this.contest({
      [reference]: this.tpcb(1),
      [p2p]: this.load({ ...uniform(people), connections: 1 }),
    });
    const slower = found.ratio(p2p, reference, half);
    this.hold('p50 of P2P at 1 connection / of TPC-B', slower, '< 3', slower < 3);
  }

  private async transfers(people: Population): Promise<void> {
    const [native, few] = ['TPC-B, 32 clients, pgbench', 'P2P, 32 connections'];
    const [p2p, hot] = ['P2P, 128 connections', 'P2P, 128 connections, one recipient'];
    const byPgbench = await this.pgbench();
    const found = await this.contest({
      [TPCB]: this.tpcb(32),
      [p2p]: this.load({ ...uniform(people), connections: 128 }),
      [hot]: this.load({ ...toOne(people), connections: 128 }),
      [few]: this.load({ ...uniform(people), connections: 32 }),
      ...(byPgbench ? { [native]: byPgbench } : {}),
    });
    this.throughput('P2P', found, p2p);
    if (byPgbench) this.hold('P2P at 128 connections / pgbench at 32', found.ratio(p2p, native, rate));
    this.asFast('one recipient / uniform', found, hot, p2p);
  }

  /** The bar speaks of a million transfers: a shorter run can break it but not keep it. */
  private async memory(people: Population): Promise<void> {
    const { long } = this.options;
    if (long) {
      const million = await this.bench.load({ ...NOTHING, ...uniform(people), connections: 128, requests: 1_000_000 });
      this.write('P2P, a million', [million]);
    }
    const megabytes = await this.bench.serviceMemoryMb();
    const kept = long ? true : null;
    const name = `memory of the service, MB${long ? ' after a million' : ''}`;
    this.hold(name, megabytes, '< 300', megabytes < 300 ? kept : false);
  }

  private async purchases(people: Population): Promise<void> {
    const { bench } = this;
    const [pos, till] = ['POS payment, 128 connections', 'POS payment, 128 connections, one processor'];
    const refund = 'POS refund, 128 connections';
    const shops = await bench.openShops(SHOPS);
    await this.warmUp(purchase(people, shops));
    const transactions = await bench.payments(REFUNDED);
    const found = await this.contest({
      [TPCB]: this.tpcb(32),
      [pos]: this.load({ ...purchase(people, shops), connections: 128 }),
      [till]: this.load({ ...purchase(people, shops.slice(0, 1)), connections: 128 }),
      [refund]: this.load({ kind: 'refund', transactions, connections: 128 }),
    });
    this.throughput('POS payment', found, pos);
    this.throughput('POS refund', found, refund);
    this.asFast('one processor / many', found, till, pos);
  }

  private async credits({ ids }: Population): Promise<void> {
    const [many, one] = [
      'inbound credit, 128 connections, eight partners',
      'inbound credit, 128 connections, one partner',
    ];
    const partners = await this.bench.openPartners(PARTNERS);
    const credit = { kind: 'inbound', connections: 128, people: ids.length } as const;
    await this.warmUp({ ...credit, partners });
    const found = await this.contest({
      [TPCB]: this.tpcb(32),
      [many]: this.load({ ...credit, partners }),
      [one]: this.load({ ...credit, partners: partners.slice(0, 1) }),
    });
    this.throughput('inbound credit, one partner,', found, one);
  }

  private load(given: Partial<Load>, url?: string): Measure {
    return (seconds) => this.bench.load({ ...NOTHING, seconds, ...given }, url);
  }

  private tpcb(connections: number): Measure {
    return (seconds) => tpcb(this.bench.referenceUrl, connections, seconds);
  }

  /** Null where the machine has none. */
  private async pgbench(): Promise<Measure | null> {
    const run = (seconds: number) => pgbench(this.bench.referenceUrl, 32, seconds);
    if ((await run(1)) === null) return null;
    return async (seconds) => ({ perSecond: (await run(seconds)) ?? Number.NaN, p50: Number.NaN });
  }

  private async warmUp(load: Partial<Load>): Promise<void> {
    await this.bench.load({ ...NOTHING, ...load, connections: 32, seconds: 3 });
  }

  private async contest(contestants: Record<string, Measure>): Promise<Outcome> {
    const found = await inTurns(contestants, this.turns);
    for (const [name, pieces] of found.pieces) this.write(name, pieces);
    return found;
  }

  private write(name: string, pieces: Piece[]): void {
    const found = typical(pieces);
    this.results.loads.push({ name, ...found });
    const each = pieces.map(({ perSecond }) => perSecond).join(' ');
    this.say(`${name}: ${each}/s, p50 ${found.p50.toFixed(2)} ms, ${found.errors} errors ${found.firstError}`);
  }

  private throughput(name: string, found: Outcome, load: string): void {
    const faster = found.ratio(load, TPCB, rate);
    this.hold(`${name} at 128 connections / TPC-B at 32`, faster, '≥ 3', faster >= 3);
  }

  private asFast(name: string, found: Outcome, one: string, other: string): void {
    const share = found.ratio(one, other, rate);
    this.hold(name, share, '≥ 0.9', share >= 0.9);
  }

  private hold(name: string, value: number, bar = '', holds: boolean | null = null): void {
    this.results.bars.push({ name, value: value.toFixed(2), bar, holds });
  }

  private say(text: string): void {
    process.stderr.write(`${text}\n`);
  }
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

function uniform({ ids, serials }: Population): Partial<Load> {
  return { kind: 'p2p', senders: ids, serials };
}

function toOne({ ids, serials }: Population): Partial<Load> {
  return { kind: 'p2p', senders: ids.slice(1), serials: serials.slice(0, 1) };
}

function purchase({ serials }: Population, shops: Shop[]): Partial<Load> {
  return { kind: 'pos', serials, shops };
}
