// What partners and merchants may know of the service's state: coarse, without figures of the operator's business.
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { Maintenance } from '../../kernel/config/maintenance.ts';
import { singleFlight } from '../../kernel/metrics.ts';

export type Level = 'ok' | 'degraded' | 'down';

export interface Delivery {
  status: Level;
  /** In whole minutes, as seconds; null: it is not known while the database does not answer. */
  delay_seconds: number | null;
}

export interface StatusReport {
  status: Level;
  payments: { status: Level };
  webhooks: Delivery;
  messages: Delivery;
  maintenance: { from: string; until: string; message: string } | null;
  checked_at: string;
}

export interface StatusService {
  report(): Promise<StatusReport>;
  /** Notes how many payments have failed so far. Called every few seconds. */
  observe(): void;
}

export interface StatusDeps {
  database: { isResponding(timeoutMs: number): Promise<boolean> };
  /** When the most overdue webhook and message were due. */
  webhooks: { backlog(): Promise<{ due: Date | null }> };
  messaging: { backlog(): Promise<{ due: Date | null }> };
  /** Payments that failed or were rejected because of load, since this gateway started. */
  countFailures(): number;
  /** null: none is announced. */
  maintenance: Maintenance | null;
  clock: Clock;
  /** The database is unavailable if it does not answer within this time. */
  timeoutMs?: number | undefined;
}

/** So long a report is repeated: anybody may ask, and an answer costs three queries. */
export const CACHED_MS = 10 * SECOND_MS;
/** A failure is shown so long. */
export const SHOWN_MS = 5 * MINUTE_MS;
/** A delivery that has been due for longer is late, as in the alerts. */
const LATE_MS = 5 * MINUTE_MS;
const TIMEOUT_MS = 1_000;

export function createStatus(deps: StatusDeps): StatusService {
  const { clock } = deps;
  const failures = new RecentFailures(deps);
  let cached: { at: number; report: StatusReport } | null = null;
  const refresh = singleFlight(async () => {
    const at = clock.now();
    const report = await compose(deps, failures, at);
    cached = { at, report };
    return report;
  });
  return {
    observe: () => failures.observe(),
    report: async () => (cached && clock.now() - cached.at < CACHED_MS ? cached.report : refresh()),
  };
}

/** Counts are compared with those of the last minutes, so that a failure is shown for some time. */
class RecentFailures {
  private readonly deps: Pick<StatusDeps, 'countFailures' | 'clock'>;
  private count = 0;
  private lastAt = Number.NEGATIVE_INFINITY;

  constructor(deps: Pick<StatusDeps, 'countFailures' | 'clock'>) {
    this.deps = deps;
  }

  observe(): void {
    const count = this.deps.countFailures();
    if (count > this.count) this.lastAt = this.deps.clock.now();
    this.count = count;
  }

  seen(): boolean {
    this.observe();
    return this.deps.clock.now() - this.lastAt < SHOWN_MS;
  }
}

async function compose(deps: StatusDeps, failures: RecentFailures, at: number): Promise<StatusReport> {
  const state = (await deps.database.isResponding(deps.timeoutMs ?? TIMEOUT_MS)) ? await readBacklogs(deps, at) : DOWN;
  const payments = state === DOWN ? 'down' : failures.seen() ? 'degraded' : 'ok';
  const levels = [payments, state.webhooks.status, state.messages.status];
  return {
    status: payments === 'down' ? 'down' : levels.every((level) => level === 'ok') ? 'ok' : 'degraded',
    payments: { status: payments },
    ...state,
    maintenance: announced(deps.maintenance, at),
    checked_at: new Date(at).toISOString(),
  };
}

type Deliveries = Pick<StatusReport, 'webhooks' | 'messages'>;

const STOPPED: Delivery = { status: 'down', delay_seconds: null };
const DOWN: Deliveries = { webhooks: STOPPED, messages: STOPPED };

async function readBacklogs({ webhooks, messaging }: StatusDeps, at: number): Promise<Deliveries> {
  try {
    const [ofWebhooks, ofMessages] = await Promise.all([webhooks.backlog(), messaging.backlog()]);
    return { webhooks: delivery(ofWebhooks.due, at), messages: delivery(ofMessages.due, at) };
  } catch {
    // The database went away between the probe and the queries.
    return DOWN;
  }
}

/** Whole minutes: a finer figure would tell how many events the operator has. */
function delivery(due: Date | null, at: number): Delivery {
  const lateMs = due === null ? 0 : Math.max(0, at - due.getTime());
  return {
    status: lateMs > LATE_MS ? 'degraded' : 'ok',
    delay_seconds: (Math.floor(lateMs / MINUTE_MS) * MINUTE_MS) / SECOND_MS,
  };
}

/** Shown from its announcement until its end. */
function announced(maintenance: Maintenance | null, at: number): StatusReport['maintenance'] {
  if (maintenance === null || at >= maintenance.until) return null;
  const { from, until, message } = maintenance;
  return { from: new Date(from).toISOString(), until: new Date(until).toISOString(), message };
}
