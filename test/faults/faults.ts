// The faults: each breaks something under load, repairs it, and returns whether it happened.
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '@kissi/testkit/random';
import type { FaultyDatabase } from './database.ts';
import type { Gateway } from './gateways.ts';
import type { CommitProxy, Cut } from './proxy.ts';

export interface FaultTarget {
  database: FaultyDatabase;
  gateways: readonly Gateway[];
  proxy: CommitProxy;
  random: Random;
}

/** Resolves to false if there was nothing to break at that moment. */
type Fault = (target: FaultTarget) => Promise<boolean>;

const killGateway: Fault = async ({ gateways, random }) => {
  const gateway = random.pick(gateways);
  await gateway.kill();
  await wait(random.int(0, 500));
  await gateway.ensureRunning();
  return true;
};

const killAllGateways: Fault = async ({ gateways }) => {
  await Promise.all(gateways.map((gateway) => gateway.kill()));
  await Promise.all(gateways.map((gateway) => gateway.ensureRunning()));
  return true;
};

const freezeGateway: Fault = async ({ gateways, random }) => {
  const thaw = random.pick(gateways).freeze();
  await wait(random.int(200, 5_000));
  thaw();
  return true;
};

const killDatabase: Fault = async ({ database, random }) => {
  await database.kill();
  await wait(random.int(0, 1_500));
  await database.ensureRunning();
  return true;
};

const killBackend: Fault = ({ database, random }) => database.killBackend(random);

const freezeDatabase: Fault = async ({ database, random }) => {
  const thaw = await database.freeze();
  await wait(random.int(200, 6_000));
  thaw();
  return true;
};

/** A crash of the whole machine: service and database at once. */
const killEverything: Fault = async ({ database, gateways }) => {
  await Promise.all([database.killAll(), ...gateways.map((gateway) => gateway.kill())]);
  await database.ensureRunning();
  await Promise.all(gateways.map((gateway) => gateway.ensureRunning()));
  return true;
};

const CUT_WITHIN_MS = 60_000;

/** Cuts up to three commits in a row, so that a retry may be cut as well. */
const cutCommits =
  (cutOf: (random: Random) => Cut): Fault =>
  async ({ proxy, random }) => {
    const options = { ledgerOnly: random.chance(0.8), withinMs: CUT_WITHIN_MS };
    const cuts = Array.from({ length: random.int(1, 3) }, () => proxy.cutNext(cutOf(random), options));
    return (await Promise.all(cuts)).some(Boolean);
  };

const loseCommit = cutCommits(() => ({ how: 'lost' }));
const loseReply = cutCommits(() => ({ how: 'unacknowledged' }));
const delayCommit = cutCommits((random) => ({ how: 'delayed', afterMs: random.int(50, 2_800) }));

const FULL_FOR_MS = 8_000;

/** Fills the disk until a gateway logs that PostgreSQL has no space left, or until PostgreSQL exits. */
const fillDisk: Fault = async ({ database, gateways, random }) => {
  const before = await countNoSpaceErrors(gateways);
  await database.fillDisk(random.pick([0, 0, 64, 512, 2_048]) * 1_024);
  const end = performance.now() + FULL_FOR_MS;
  let isFull = false;
  while (!isFull && performance.now() < end) {
    await wait(100);
    isFull = (await countNoSpaceErrors(gateways)) > before || !(await database.isRunning());
  }
  await wait(random.int(0, 1_500));
  await database.ensureRunning();
  return isFull;
};

/** PostgreSQL refuses writes when data files cannot grow, but panics when the WAL cannot grow. */
const fillDiskForWal: Fault = async ({ database, random }) => {
  await database.fillDisk(0);
  const panicked = await database.exhaustWal();
  await wait(random.int(0, 1_000));
  await database.ensureRunning();
  return panicked;
};

const NO_SPACE = /"code":"53100"|No space left on device/g;

async function countNoSpaceErrors(gateways: readonly Gateway[]): Promise<number> {
  const logs = await Promise.all(gateways.map(({ logFile }) => readFile(logFile, 'utf8').catch(() => '')));
  return logs.reduce((sum, log) => sum + (log.match(NO_SPACE)?.length ?? 0), 0);
}

export const FAULTS = {
  'a gateway killed': killGateway,
  'all gateways killed': killAllGateways,
  'a gateway frozen': freezeGateway,
  'PostgreSQL killed': killDatabase,
  'a PostgreSQL backend killed': killBackend,
  'PostgreSQL frozen': freezeDatabase,
  'everything killed': killEverything,
  'cut before COMMIT': loseCommit,
  'cut after COMMIT': loseReply,
  'COMMIT delayed': delayCommit,
  'disk full': fillDisk,
  'disk full for the WAL': fillDiskForWal,
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export function faultNames(hasSmallDisk: boolean): FaultName[] {
  const names = Object.keys(FAULTS) as FaultName[];
  return hasSmallDisk ? names : names.filter((name) => !name.startsWith('disk full'));
}

const HEALTHY_WITHIN_MS = 120_000;

/** Restarts what is down and waits until the database responds and all gateways are healthy. */
export async function recover({ database, gateways }: FaultTarget): Promise<void> {
  await database.ensureRunning();
  await Promise.all(gateways.map((gateway) => gateway.ensureRunning()));
  const end = performance.now() + HEALTHY_WITHIN_MS;
  for (const gateway of gateways) {
    while (!(await gateway.isHealthy())) {
      if (performance.now() > end) throw new Error(`${gateway.name} is not healthy although PostgreSQL responds`);
      await wait(50);
    }
  }
}
