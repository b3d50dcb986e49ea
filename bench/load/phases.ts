// The phases of the proof under load: the maximum, 70 % of it for a while, three times of it, and the moments after.
import type { Bench, Load, OpenLoad } from '../setup.ts';
import { type Joined, joined, QUARTERS } from './joined.ts';
import type { OpenLoopMeasured } from './open-loop.ts';
import { type Sight, startWatch, type Watch } from './watch.ts';

export interface Findings {
  /** As it was found last. */
  maximum: number;
  /** With the rates of its pieces. */
  steady: { rates: number[]; seconds: number; measured: Joined; sights: Sight[] };
  overload: { rate: number; seconds: number; measured: OpenLoopMeasured; sights: Sight[]; booked: number };
  /** p50 of one client alone, before and after; and after how many seconds it was back and nothing waited. */
  recovery: { before: number; after: number; seconds: number };
}

export interface Plan {
  seconds: number;
  overloadSeconds: number;
  subscribers: number;
}

export const SHARE = 0.7;
const TIMES = 3;
const CLOSED_CONNECTIONS = 128;
const STEADY_CONNECTIONS = { connections: 512, maxConnections: 2_000 };
const OVERLOAD_CONNECTIONS = { connections: 2_000, maxConnections: 4_000 };
const REFUNDABLE = 10_000;
const GIVE_UP_SECONDS = 30;
// The maximum is found anew before each piece.
const PIECE_SECONDS = 55;
const MAXIMUM_SECONDS = 5;

export async function runPhases(bench: Bench, plan: Plan, say: (text: string) => void): Promise<Findings> {
  const watch = await startWatch(bench);
  try {
    return await new Phases(bench, watch, say).run(plan);
  } finally {
    await watch.close();
  }
}

class Phases {
  private readonly bench: Bench;
  private readonly watch: Watch;
  private readonly say: (text: string) => void;

  constructor(bench: Bench, watch: Watch, say: (text: string) => void) {
    this.bench = bench;
    this.watch = watch;
    this.say = say;
  }

  async run(plan: Plan): Promise<Findings> {
    const mixed = await this.prepare(plan.subscribers);
    await this.closed(mixed, 2 * MAXIMUM_SECONDS);
    const before = await this.alone(mixed);
    const steady = await this.steady(mixed, plan.seconds);
    const maximum = await this.closed(mixed, MAXIMUM_SECONDS);
    const overload = await this.overload(mixed, maximum * TIMES, plan.overloadSeconds);
    return { maximum, steady, overload, recovery: await this.recovery(mixed, before) };
  }

  private async prepare(subscribers: number): Promise<Load> {
    this.say('preparing …');
    const { ids, serials } = await this.bench.populate(subscribers);
    const shops = await this.bench.openShops(50);
    const none = { paths: [], transactions: [], partners: [], people: 0, connections: 32, seconds: 5 };
    const load: Load = { kind: 'pos', senders: ids, serials, shops, ...none };
    await this.bench.load(load);
    return { ...load, kind: 'mixed' };
  }

  /** The maximum: what 128 clients get who each send the next when the last is answered. */
  private async closed(mixed: Load, seconds: number): Promise<number> {
    const load = { ...mixed, transactions: await this.refundable(), connections: CLOSED_CONNECTIONS, seconds };
    const { requests, perSecond, errors, firstError } = await this.bench.load(load);
    const maximum = Math.round(perSecond * (1 - errors / requests));
    this.say(`maximum: ${maximum}/s, ${errors} errors ${firstError}`);
    return maximum;
  }

  private async alone(mixed: Load): Promise<number> {
    const { p50 } = await this.bench.load({ ...mixed, connections: 1, seconds: 2 });
    return p50;
  }

  private async steady(mixed: Load, seconds: number): Promise<Findings['steady']> {
    const { result, sights } = await this.watch.during(this.pieces(mixed, seconds));
    const rates = result.map(({ rate }) => rate);
    return { rates, seconds, measured: joined(result.map(({ measured }) => measured)), sights };
  }

  /** A machine that is shared does not give the same from one minute to the next: what is 70 % now may be everything then. */
  private async pieces(mixed: Load, seconds: number): Promise<{ rate: number; measured: OpenLoopMeasured }[]> {
    const count = Math.max(QUARTERS, Math.round(seconds / PIECE_SECONDS));
    const found: { rate: number; measured: OpenLoopMeasured }[] = [];
    for (let piece = 0; piece < count; piece++) {
      const rate = Math.round(SHARE * (await this.closed(mixed, MAXIMUM_SECONDS)));
      const measured = await this.open(mixed, { rate, seconds: seconds / count, ...STEADY_CONNECTIONS });
      this.say(`70 %: ${rate}/s due, ${describe(measured)}`);
      found.push({ rate, measured });
    }
    return found;
  }

  private async open(mixed: Load, terms: Pick<OpenLoad, 'rate' | 'seconds' | 'connections' | 'maxConnections'>) {
    return this.bench.openLoad({ ...mixed, transactions: await this.refundable(), ...terms });
  }

  /** The newest, since the others have been refunded by and by. */
  private refundable(): Promise<string[]> {
    return this.bench.payments(REFUNDABLE);
  }

  private async overload(mixed: Load, rate: number, seconds: number): Promise<Findings['overload']> {
    const { result, sights } = await this.watch.during(this.open(mixed, { rate, seconds, ...OVERLOAD_CONNECTIONS }));
    this.say(`300 %: ${rate}/s due, ${describe(result)}`);
    return { rate, seconds, measured: result, sights, booked: await this.watch.booked(result.runId) };
  }

  private async recovery(mixed: Load, before: number): Promise<Findings['recovery']> {
    const begun = performance.now();
    const sinceThen = () => (performance.now() - begun) / 1_000;
    for (;;) {
      const { p50: after } = await this.bench.load({ ...mixed, connections: 1, seconds: 1 });
      const { waiting } = await this.watch.look();
      const seconds = sinceThen();
      const isBack = after <= 2 * before && waiting === 0;
      this.say(`alone again: p50 ${after.toFixed(2)} ms (before: ${before.toFixed(2)}), ${waiting} waiting`);
      if (isBack || seconds > GIVE_UP_SECONDS) return { before, after, seconds };
    }
  }
}

function describe({ accepted, shed, broken, unsent, otherAnswers, firstOther, took }: OpenLoopMeasured): string {
  const lost = `${broken} broken, ${unsent} unsent, ${otherAnswers} other ${firstOther}`;
  const times = `p50 ${took.p50.toFixed(1)} p99 ${took.p99.toFixed(1)} worst ${took.worst.toFixed(0)} ms`;
  return `${accepted} accepted, ${shed} shed, ${lost}; ${times}`;
}
