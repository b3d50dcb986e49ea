// The payments of a drill: how many were acknowledged before a failure, when they are back at full rate, and which are missing.
import { setTimeout as wait } from 'node:timers/promises';
import type { Entry } from '@kissi/testkit/journal';
import type { Load } from '@kissi/testkit/load';
import type { DrillOptions, DrillResult } from './drill.ts';
import {
  acknowledgedEntries,
  inSeconds,
  type Ledger,
  type LoadKind,
  loadOf,
  openLedger,
  PAUSE_MS,
  verifyPayments,
} from './payments.ts';
import { inDatabase, type PostgresServer } from './postgres-server.ts';
import { step, waitUntil } from './sandbox.ts';
import { type DatabaseLocation, type Service, verifiedLedger } from './service.ts';

const WINDOW_MS = 1_000;
/** The rate of a second varies by chance. */
const FULL_RATE = 0.8;
const RECOVERY_MS = 120_000;

export interface Traffic {
  ledger: Ledger;
  /** Payments acknowledged until then, or until now; those of the setup do not count. */
  acknowledged(until?: number): number;
  /** Returns the milliseconds from the failure to the first payment of the first second at full rate. */
  waitForFullRate(failedAt: number): Promise<number>;
  /** Stops the clients, and sends once more what has no answer. */
  stop(): Promise<void>;
}

/** Pays for some seconds at the address, with parties that are made at `setupAt`. Throws if nothing is acknowledged: the drill could prove nothing. */
export async function startTraffic(
  address: string,
  { seconds, payers }: DrillOptions,
  { kind, setupAt = address }: { kind?: LoadKind; setupAt?: string } = {},
): Promise<Traffic> {
  const ledger = await openLedger({ address: setupAt });
  const load = loadOf([address], ledger, 'drill', kind);
  const startedAt = performance.now();
  load.start(payers, PAUSE_MS);
  await wait(seconds * 1_000);
  const perSecond = load.acknowledged / ((performance.now() - startedAt) / 1_000);
  step(`${load.acknowledged} payments acknowledged before the failure, ${Math.round(perSecond)} a second`);
  if (load.acknowledged === 0) throw new Error('not proved: no payment was acknowledged before the failure');
  return {
    ledger,
    acknowledged: (until = Number.POSITIVE_INFINITY) => load.acknowledgedAt.filter((time) => time <= until).length,
    async waitForFullRate(failedAt) {
      const recoveryMs = await waitForFullRate(load, failedAt, perSecond);
      step(`payments at full rate again, RTO ${inSeconds(recoveryMs)}`);
      return recoveryMs;
    },
    async stop() {
      await load.stop();
      await load.settle();
    },
  };
}

/** Returns the milliseconds from the failure to the first payment of the first second with nearly as many as before. */
export async function waitForFullRate(load: Load, failedAt: number, perSecond: number): Promise<number> {
  const recovered = () => fullRateAt(load.acknowledgedAt, failedAt, perSecond * FULL_RATE, performance.now());
  await waitUntil('payments are acknowledged at full rate', async () => recovered() !== null, RECOVERY_MS);
  return (recovered() ?? Number.NaN) - failedAt;
}

/** When the first whole second since `since` began in which so many payments were acknowledged; null if there is none yet. */
export function fullRateAt(times: readonly number[], since: number, perSecond: number, now: number): number | null {
  const wanted = Math.max(1, Math.floor((perSecond * WINDOW_MS) / 1_000));
  const after = times.filter((time) => time > since && time <= now).sort((a, b) => a - b);
  const found = after.find((time, n) => {
    const last = after[n + wanted - 1];
    return time + WINDOW_MS <= now && last !== undefined && last < time + WINDOW_MS;
  });
  return found ?? null;
}

/** Acknowledged payments whose movements the database does not have. */
export async function findMissing(server: Pick<PostgresServer, 'superuserUrl'>, ledger: Ledger): Promise<Entry[]> {
  const acknowledged = acknowledgedEntries(ledger);
  const ids = acknowledged.map(({ transactionId }) => transactionId);
  const rows = await inDatabase(server, 'select id from movements where id = any($1)', [ids]);
  const present = new Set(rows.map(({ id }) => id));
  return acknowledged.filter(({ transactionId }) => !present.has(transactionId));
}

export interface Recovered {
  failure: string;
  failedAt: number;
  recoveryMs: number;
  /** What took over. */
  server: PostgresServer;
  service: Service;
  database: DatabaseLocation;
  mayLose?: boolean;
  /** Missing payments that are not a loss, such as those after the instant of a recovery. */
  isExpected?: (entry: Entry) => boolean;
}

/** Ends the payments, counts what is missing, and verifies the rest: replays, balances and the ledger. */
export async function conclude(traffic: Traffic, recovered: Recovered): Promise<DrillResult> {
  const { failure, failedAt, recoveryMs, server, service, database, mayLose, isExpected = () => false } = recovered;
  const acknowledgedBefore = traffic.acknowledged(failedAt);
  await traffic.stop();
  const missing = await findMissing(server, traffic.ledger);
  const lost = missing.filter((entry) => !isExpected(entry));
  step(`${traffic.acknowledged()} payments acknowledged, ${lost.length} of them lost`);
  const { parties, journal } = traffic.ledger;
  const entries = journal.entries.filter((entry) => !missing.includes(entry));
  await verifyPayments(service, { parties, journal: { ...journal, entries } });
  step('every other payment is replayed byte for byte, and every balance matches');
  step(await verifiedLedger(database));
  await service.stop();
  const oldestLostMs = Math.max(0, ...lost.map(({ acknowledgedAt = failedAt }) => failedAt - acknowledgedAt));
  return { failure, acknowledgedBefore, lost: lost.length, oldestLostMs, recoveryMs, mayLose: mayLose ?? false };
}
