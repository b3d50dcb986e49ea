// The CSV exports that run on this gateway: how many, for how long, and their entries in the audit log.
import { type Caller, isStaff } from '../../auth/caller.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Call } from '../endpoint.ts';
import type { RecordedFilter } from './recorded-filter.ts';

/** Why an export ended. */
export type ExportOutcome = 'complete' | 'failed' | 'disconnected' | 'stalled' | 'timed_out' | 'stopped';

/** Recorded before the first row is sent, and again at the end. */
export interface ExportRecord {
  call: Call;
  /** The list's path. */
  path: string;
  filter: RecordedFilter;
  /** Absent at the start. */
  end?: { outcome: ExportOutcome; rows: number };
}

export interface ExportOptions {
  clock: Clock;
  record(record: ExportRecord): Promise<void>;
  /** Called when the entry of an interrupted export cannot be written. */
  onError(error: unknown): void;
  limits?: Partial<ExportLimits>;
}

export interface ExportLimits {
  /** At the same time on this gateway. Callers other than staff get half of them. */
  maxRunning: number;
  /** At the same time for one user, or for the keys and users of one partner, processor or agent. */
  maxPerOwner: number;
  /** Records per page, and so in memory. */
  pageSize: number;
  /** A client that takes no data for this long is disconnected. */
  stallMs: number;
  /** The same as the lifetime of an access token: the permission is checked at the start. */
  maxMs: number;
}

const LIMITS: ExportLimits = {
  maxRunning: 4,
  maxPerOwner: 2,
  pageSize: 250,
  stallMs: 30 * SECOND_MS,
  maxMs: 15 * MINUTE_MS,
};

const RETRY = { headers: { 'retry-after': '10' } };

export class Exports {
  readonly clock: Clock;
  readonly limits: ExportLimits;
  private readonly options: ExportOptions;
  private readonly running = new Set<RunningExport>();
  private readonly unrecorded = new Set<Promise<void>>();
  private stopped = false;

  constructor(options: ExportOptions) {
    this.options = options;
    this.clock = options.clock;
    this.limits = { ...LIMITS, ...options.limits };
  }

  /** The caller must call `end`. */
  enter(call: Call): RunningExport | Refusal {
    const { maxPerOwner } = this.limits;
    const owner = ownerOf(call.caller);
    if (this.countOf((each) => each.owner === owner) >= maxPerOwner) {
      return refuse('RATE_LIMITED', `A caller can run at most ${maxPerOwner} exports at a time.`, RETRY);
    }
    if (this.stopped || this.isFull(call.caller)) {
      return refuse('SERVICE_UNAVAILABLE', 'Too many exports are running; try again.', RETRY);
    }
    const started = new RunningExport(this, call, owner);
    this.running.add(started);
    return started;
  }

  private isFull(caller: Caller): boolean {
    const { maxRunning } = this.limits;
    if (this.running.size >= maxRunning) return true;
    return !isStaff(caller) && this.countOf((each) => !each.byStaff) >= maxRunning / 2;
  }

  private countOf(which: (each: RunningExport) => boolean): number {
    return [...this.running].filter(which).length;
  }

  /** Ends all exports, so that a long one does not delay the stop of the gateway. */
  stop(): void {
    this.stopped = true;
    for (const each of this.running) each.interrupt('stopped');
  }

  /** Resolves when the ends of all exports that have ended are recorded. */
  async recorded(): Promise<void> {
    await Promise.all(this.unrecorded);
  }

  get count(): number {
    return this.running.size;
  }

  record(record: ExportRecord): Promise<void> {
    return this.options.record(record);
  }

  leave(ended: RunningExport): void {
    this.running.delete(ended);
  }

  /** The rows have left already: a failure cannot be reported to the client. */
  recordLater(record: ExportRecord): void {
    const recorded = this.record(record).catch(this.options.onError);
    this.unrecorded.add(recorded);
    void recorded.finally(() => this.unrecorded.delete(recorded));
  }
}

/** One export. It holds memory for about two pages, and no database connection between pages. */
export class RunningExport {
  readonly owner: string;
  readonly byStaff: boolean;
  rows = 0;
  private readonly exports: Exports;
  private readonly call: Call;
  private readonly deadline: NodeJS.Timeout;
  private record: Omit<ExportRecord, 'call' | 'end'> | null = null;
  private stall: NodeJS.Timeout | undefined;
  private reason: ExportOutcome | null = null;
  private disconnect: () => void = () => undefined;
  private ended = false;

  constructor(exports: Exports, call: Call, owner: string) {
    this.exports = exports;
    this.call = call;
    this.owner = owner;
    this.byStaff = isStaff(call.caller);
    this.deadline = setTimeout(() => this.interrupt('timed_out'), exports.limits.maxMs).unref();
  }

  /** Records who exports what. A failure refuses the export: no row leaves without an entry. */
  async begin(record: Omit<ExportRecord, 'call' | 'end'>, disconnect: () => void): Promise<void> {
    await this.exports.record({ call: this.call, ...record });
    this.record = record;
    this.disconnect = disconnect;
    // By now the client may have disconnected, or the gateway may be stopping.
    if (this.ended) this.recordInterruption();
    else if (this.reason) disconnect();
  }

  /** While the client takes the data that was written. */
  waitForClient(): void {
    this.stall = setTimeout(() => this.interrupt('stalled'), this.exports.limits.stallMs).unref();
  }

  clientContinued(): void {
    clearTimeout(this.stall);
  }

  /** The last row was read. The file ends only after this is recorded. */
  async complete(): Promise<void> {
    const { record } = this;
    if (!record) return;
    this.record = null;
    await this.exports.record({ call: this.call, ...record, end: { outcome: 'complete', rows: this.rows } });
  }

  /** Resets the connection, so that a part of the file cannot be taken for all of it. */
  interrupt(reason: ExportOutcome): void {
    this.reason ??= reason;
    this.disconnect();
  }

  /** The reply is sent or its connection is closed. May be called repeatedly. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.deadline);
    clearTimeout(this.stall);
    this.exports.leave(this);
    this.recordInterruption();
  }

  /** Unless the export is complete, or has not begun. */
  private recordInterruption(): void {
    const { call, record, reason, rows } = this;
    this.record = null;
    if (record) this.exports.recordLater({ call, ...record, end: { outcome: reason ?? 'disconnected', rows } });
  }
}

/** The keys of one partner or processor share its limit. */
function ownerOf(caller: Caller): string {
  if (caller.kind === 'key') return caller.partnerId ?? caller.processorId ?? caller.id;
  if (caller.kind === 'user') return caller.agentId ?? caller.processorId ?? caller.id;
  return `${caller.kind} ${caller.id ?? ''}`;
}
