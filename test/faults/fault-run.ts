// One fault run: creates the environment, starts the load, injects faults, recovers, and runs the final checks.
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Load } from '@kissi/testkit/load';
import { Cleanup, createEnvironment, type Environment, type EnvironmentOptions } from './environment.ts';
import { FAULTS, type FaultName, faultNames, recover } from './faults.ts';
import { runFinalChecks } from './final-checks.ts';

export interface RunOptions extends EnvironmentOptions {
  /** The time in which faults are injected; the last one is completed. */
  seconds: number;
  /** Injects each of these once. By default all kinds are injected repeatedly, sometimes two at once. */
  once?: readonly FaultName[];
  /** The load continues until this returns true, even after the last fault. */
  until?(counts: Counts): boolean;
  clients: number;
  pauseMs: number;
  log(line: string): void;
}

export interface FaultRunResult {
  faults: Map<FaultName, number>;
  acknowledged: number;
  refused: number;
  attempts: number;
  events: number;
  routes: Map<string, number>;
  load: Pick<Load, 'unanswered' | 'failed' | 'slowestMs' | 'replays' | 'duplicates'>;
  /** The small disk could not be mounted, so that disk faults were skipped. */
  isDiskSkipped: boolean;
  /** Empty if all checks pass. */
  findings: string[];
  /** The folder of the gateways' logs, if there are findings. */
  logs: string | null;
}

export async function runFaults(options: RunOptions): Promise<FaultRunResult> {
  const cleanup = new Cleanup();
  try {
    return await runWithCleanup(cleanup, options);
  } finally {
    await cleanup.end();
  }
}

async function runWithCleanup(cleanup: Cleanup, options: RunOptions): Promise<FaultRunResult> {
  const environment = await createEnvironment(cleanup, options);
  const isDiskSkipped = options.smallDiskMb !== null && !environment.database.hasSmallDisk;
  try {
    environment.load.start(options.clients, options.pauseMs);
    environment.bulk.start();
    const faults = await injectFaults(environment, options);
    await waitForCoverage(environment, options);
    await environment.load.stop();
    await recover(environment);
    await environment.load.settle();
    await environment.bulk.settle();
    const findings = await runFinalChecks(environment);
    const logs = findings.length > 0 ? await keepLogs(environment) : null;
    return { ...countsOf(environment), faults, isDiskSkipped, findings, logs };
  } catch (error) {
    throw new Error(`the fault run failed; the logs are in ${await keepLogs(environment)}`, { cause: error });
  }
}

/** Copies the logs before the folder is removed. */
async function keepLogs({ gateways }: Environment): Promise<string> {
  const folder = await mkdtemp(join(process.env.TEST_LOGS ?? tmpdir(), 'kissi-faults-logs-'));
  for (const { name, logFile } of gateways) await copyFile(logFile, join(folder, `${name}.log`));
  return folder;
}

async function injectFaults(
  environment: Environment,
  { seconds, once, log }: RunOptions,
): Promise<Map<FaultName, number>> {
  const { random, load } = environment;
  const counts = new Map<FaultName, number>();
  const startedAt = performance.now();
  let done = 0;
  await waitForPayments(load);
  for (const names of scheduleOf(environment, once)) {
    if (performance.now() - startedAt > seconds * 1_000) break;
    await wait(once ? random.int(50, 500) : random.int(200, 3_000));
    const faults = names.map((name) => FAULTS[name]({ ...environment, random: random.stream(`${done} ${name}`) }));
    const happened = await Promise.all(faults);
    const injected = names.filter((_, n) => happened[n]);
    for (const name of injected) counts.set(name, (counts.get(name) ?? 0) + 1);
    done += 1;
    await recover(environment);
    await waitForPayments(load);
    const elapsed = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
    log(
      `${elapsed} s  ${injected.join(' and ') || `(${names.join()}: nothing to break)`}; ${load.acknowledged} acknowledged`,
    );
  }
  return counts;
}

/** The sequence of faults; it depends only on the seed. */
function* scheduleOf({ random, database }: Environment, once?: readonly FaultName[]): Generator<FaultName[]> {
  const names = faultNames(database.hasSmallDisk);
  const scheduleRandom = random.stream('schedule');
  if (once) {
    for (const name of once) if (names.includes(name)) yield [name];
    return;
  }
  for (;;) {
    for (const name of scheduleRandom.shuffled(names)) {
      const others = names.filter((other) => other !== name);
      yield scheduleRandom.chance(0.25) ? [name, scheduleRandom.pick(others)] : [name];
    }
  }
}

const PAYMENTS_WITHIN_MS = 120_000;

/** Health checks are not enough: waits until ten more payments are acknowledged. */
async function waitForPayments(load: Load): Promise<void> {
  const before = load.acknowledged;
  const end = performance.now() + PAYMENTS_WITHIN_MS;
  while (load.acknowledged < before + 10) {
    if (performance.now() > end) throw new Error('all gateways are healthy but no payment is acknowledged');
    await wait(20);
  }
}

/** Waits until the load has covered what the checks need; a slow machine takes longer. */
async function waitForCoverage(environment: Environment, { until = () => true }: RunOptions): Promise<void> {
  const end = performance.now() + PAYMENTS_WITHIN_MS;
  while (!until(countsOf(environment)) && performance.now() < end) await wait(50);
}

type Counts = ReturnType<typeof countsOf>;

function countsOf({ journal, load }: Environment) {
  const acknowledged = journal.entries.filter(({ state }) => state === 'acknowledged');
  const routes = new Map<string, number>();
  for (const { route } of acknowledged) routes.set(route, (routes.get(route) ?? 0) + 1);
  const { unanswered, failed, slowestMs, replays, duplicates } = load;
  return {
    acknowledged: acknowledged.length,
    refused: journal.entries.filter(({ state }) => state === 'refused').length,
    attempts: journal.entries.reduce((sum, { attempts }) => sum + attempts, 0),
    events: new Set(journal.received.map(({ id }) => id)).size,
    routes,
    load: { unanswered, failed, slowestMs, replays, duplicates },
  };
}
