// One run: a world is made, money moves, things break one after another, everything is mended, and the auditor looks.
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Load } from './clients.ts';
import { examine } from './examine.ts';
import { FAULTS, type FaultName, faultNames, mended } from './faults.ts';
import { makeWorld, Stage, type World, type WorldOptions } from './world.ts';

export interface RunOptions extends WorldOptions {
  /** How long things break; what is under way is finished. */
  seconds: number;
  /** Each of these once; unless told all kinds in turn, again and again, and sometimes two at once. */
  once?: readonly FaultName[];
  /** The load goes on until this holds, even if all faults have happened. */
  until?(counts: Counts): boolean;
  clients: number;
  pauseMs: number;
  say(line: string): void;
}

export interface Survived {
  faults: Map<FaultName, number>;
  acknowledged: number;
  refused: number;
  attempts: number;
  events: number;
  routes: Map<string, number>;
  load: Pick<Load, 'unanswered' | 'failed' | 'slowestMs' | 'replays' | 'doubles'>;
  /** Where the disk cannot be filled. */
  isDiskSkipped: boolean;
  /** None, if all is well. */
  findings: string[];
  /** Where the gateways' logs are kept if something was found. */
  logs: string | null;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export async function survive(options: RunOptions): Promise<Survived> {
  const stage = new Stage();
  // PostgreSQL has a session of its own, and the small disk is a mount: neither ends with us.
  const interrupt = () => void stage.end().finally(() => process.exit(1));
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    return await surviveOn(stage, options);
  } finally {
    await stage.end();
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

async function surviveOn(stage: Stage, options: RunOptions): Promise<Survived> {
  const world = await makeWorld(stage, options);
  const isDiskSkipped = options.smallDiskMb !== null && !world.database.isSmall;
  try {
    world.load.start(options.clients, options.pauseMs);
    const faults = await breakThings(world, options);
    await enough(world, options);
    await world.load.stop();
    await mended(world);
    await world.load.settle();
    const findings = await examine(world);
    const logs = findings.length > 0 ? await keepLogs(world) : null;
    return { ...countsOf(world), faults, isDiskSkipped, findings, logs };
  } catch (error) {
    throw new Error(`it did not survive; the logs are in ${await keepLogs(world)}`, { cause: error });
  }
}

/** Before the folder is removed. */
async function keepLogs({ gateways }: World): Promise<string> {
  const folder = await mkdtemp(join(process.env.TEST_LOGS ?? tmpdir(), 'kissi-faults-logs-'));
  for (const { name, logFile } of gateways) await copyFile(logFile, join(folder, `${name}.log`));
  return folder;
}

async function breakThings(world: World, { seconds, once, say }: RunOptions): Promise<Map<FaultName, number>> {
  const { random, load } = world;
  const counts = new Map<FaultName, number>();
  const begun = performance.now();
  let done = 0;
  await moneyMoves(load);
  for (const names of scheduleOf(world, once)) {
    if (performance.now() - begun > seconds * 1_000) break;
    await wait(once ? random.between(50, 500) : random.between(200, 3_000));
    const faults = names.map((name) => FAULTS[name]({ ...world, random: random.fork(`${done} ${name}`) }));
    const happened = await Promise.all(faults);
    const took = names.filter((_, n) => happened[n]);
    for (const name of took) counts.set(name, (counts.get(name) ?? 0) + 1);
    done += 1;
    await mended(world);
    await moneyMoves(load);
    const elapsed = ((performance.now() - begun) / 1_000).toFixed(1).padStart(6);
    say(
      `${elapsed} s  ${took.join(' and ') || `(${names.join()}: nothing to break)`}; ${load.acknowledged} acknowledged`,
    );
  }
  return counts;
}

/** What is broken, one after another; the seed alone decides. */
function* scheduleOf({ random, database }: World, once?: readonly FaultName[]): Generator<FaultName[]> {
  const names = faultNames(database.isSmall);
  const chance = random.fork('schedule');
  if (once) {
    for (const name of once) if (names.includes(name)) yield [name];
    return;
  }
  for (;;) {
    for (const name of chance.shuffled(names)) {
      const others = names.filter((other) => other !== name);
      yield chance.chance(0.25) ? [name, chance.pick(others)] : [name];
    }
  }
}

const MOVES_WITHIN_MS = 120_000;

/** Being well is not enough: payments go through again. */
async function moneyMoves(load: Load): Promise<void> {
  const before = load.acknowledged;
  const end = performance.now() + MOVES_WITHIN_MS;
  while (load.acknowledged < before + 10) {
    if (performance.now() > end) throw new Error('everything is mended and no payment goes through');
    await wait(20);
  }
}

/** A slow machine has to work longer until everything has happened that the proof is about. */
async function enough(world: World, { until = () => true }: RunOptions): Promise<void> {
  const end = performance.now() + MOVES_WITHIN_MS;
  while (!until(countsOf(world)) && performance.now() < end) await wait(50);
}

type Counts = ReturnType<typeof countsOf>;

function countsOf({ book, load }: World) {
  const acknowledged = book.entries.filter(({ state }) => state === 'acknowledged');
  const routes = new Map<string, number>();
  for (const { route } of acknowledged) routes.set(route, (routes.get(route) ?? 0) + 1);
  const { unanswered, failed, slowestMs, replays, doubles } = load;
  return {
    acknowledged: acknowledged.length,
    refused: book.entries.filter(({ state }) => state === 'refused').length,
    attempts: book.entries.reduce((sum, { attempts }) => sum + attempts, 0),
    events: new Set(book.received.map(({ id }) => id)).size,
    routes,
    load: { unanswered, failed, slowestMs, replays, doubles },
  };
}
