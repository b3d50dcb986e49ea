// Open-loop load generator, a separate process: sends requests on a fixed schedule, regardless of earlier replies.
// Latency is measured from the scheduled time, so time spent behind a stalled request counts (no coordinated omission).
import { connect, type Socket } from 'node:net';
import type { LoadJob, RequestFactory } from '../load-job.ts';
import { isComplete, requestFactory } from '../requests.ts';

export interface OpenLoopJob extends LoadJob {
  /** Scheduled requests per second. */
  rate: number;
  /** When all `connections` are waiting for a reply, more are opened up to this number. */
  maxConnections: number;
}

export interface Quantiles {
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** Latencies and delays are in milliseconds. */
export interface OpenLoopResult {
  /** Number of requests on the schedule. */
  scheduled: number;
  /** Replies with status 200. */
  accepted: number;
  /** Latency of accepted requests. */
  latency: Quantiles;
  /** Replies with status 429 or 503. */
  rejected: number;
  rejectionLatency: Quantiles;
  rejectedWithoutRetryAfter: number;
  /** Replies with any other status. */
  otherReplies: number;
  firstOtherReply: string;
  /** Requests whose connection was closed, or that had no reply when the generator stopped. */
  unanswered: number;
  /** Requests that were not sent because all connections were busy. */
  unsent: number;
  connections: number;
  /** How late the generator itself was. */
  schedulingDelay: Quantiles;
}

process.once('message', (job) => void new OpenLoop(job as OpenLoopJob).run());

const TICK_MS = 1;
const DRAIN_TIMEOUT_MS = 10_000;

class OpenLoop {
  private readonly job: OpenLoopJob;
  private readonly request: RequestFactory;
  private readonly idle: Connection[] = [];
  private readonly latencies: number[] = [];
  private readonly rejectionLatencies: number[] = [];
  private readonly delays: number[] = [];
  private readonly counters = {
    scheduled: 0,
    rejectedWithoutRetryAfter: 0,
    otherReplies: 0,
    firstOtherReply: '',
    unanswered: 0,
    unsent: 0,
  };
  private connections = 0;
  private busy = 0;

  constructor(job: OpenLoopJob) {
    this.job = job;
    this.request = requestFactory(job);
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.job.connections }, () => this.open()));
    await this.sendAll(performance.now());
    const deadline = performance.now() + DRAIN_TIMEOUT_MS;
    while (this.busy > 0 && performance.now() < deadline) await pause(TICK_MS);
    process.send?.(this.result(), () => process.exit(0));
  }

  private async sendAll(startedAt: number): Promise<void> {
    const { rate, seconds } = this.job;
    for (const total = Math.round(rate * seconds); this.counters.scheduled < total; await pause(TICK_MS)) {
      const now = performance.now();
      while (this.counters.scheduled < total && startedAt + (this.counters.scheduled * 1_000) / rate <= now) {
        const n = this.counters.scheduled++;
        const dueAt = startedAt + (n * 1_000) / rate;
        this.delays.push(now - dueAt);
        this.dispatch(n, dueAt);
      }
    }
  }

  /** Rotates through the connections, so that all of them stay in use. */
  private dispatch(n: number, dueAt: number): void {
    const connection = this.idle.shift();
    if (connection) {
      this.busy += 1;
      connection.send(this.request(n), dueAt);
    } else if (this.connections < this.job.maxConnections) {
      this.busy += 1;
      const text = this.request(n);
      void this.open(false).then(
        (opened) => opened.send(text, dueAt),
        () => this.countUnanswered(),
      );
    } else this.counters.unsent += 1;
  }

  private open(isIdle = true): Promise<Connection> {
    this.connections += 1;
    return new Promise((resolve, reject) => {
      const { port, host } = this.job;
      const connection = new Connection(connect(port, host), {
        onReady: () => {
          if (isIdle) this.idle.push(connection);
          resolve(connection);
        },
        onReply: (text, dueAt) => {
          this.busy -= 1;
          this.countReply(text, dueAt);
          this.idle.push(connection);
        },
        onClose: (wasBusy) => {
          this.connections -= 1;
          this.removeIdle(connection);
          if (wasBusy) this.countUnanswered();
          reject(new Error('the connection was closed'));
        },
      });
    });
  }

  private countUnanswered(): void {
    this.busy -= 1;
    this.counters.unanswered += 1;
  }

  private removeIdle(connection: Connection): void {
    const index = this.idle.indexOf(connection);
    if (index >= 0) this.idle.splice(index, 1);
  }

  private countReply(text: string, dueAt: number): void {
    const ms = performance.now() - dueAt;
    const status = text.slice(9, 12);
    if (status === '200') this.latencies.push(ms);
    else if (status === '429' || status === '503') {
      this.rejectionLatencies.push(ms);
      if (!/\r\nretry-after: \d+\r\n/i.test(text)) this.counters.rejectedWithoutRetryAfter += 1;
    } else {
      this.counters.otherReplies += 1;
      this.counters.firstOtherReply ||= text.slice(0, 12) + text.slice(-300);
    }
  }

  private result(): OpenLoopResult {
    return {
      ...this.counters,
      accepted: this.latencies.length,
      latency: quantiles(this.latencies),
      rejected: this.rejectionLatencies.length,
      rejectionLatency: quantiles(this.rejectionLatencies),
      unanswered: this.counters.unanswered + this.busy,
      connections: this.connections,
      schedulingDelay: quantiles(this.delays),
    };
  }
}

interface ConnectionListener {
  onReady(): void;
  onReply(text: string, dueAt: number): void;
  onClose(wasBusy: boolean): void;
}

/** A connection with at most one request in flight. */
class Connection {
  private readonly socket: Socket;
  private dueAt: number | null = null;
  private received = '';

  constructor(socket: Socket, listener: ConnectionListener) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('connect', () => listener.onReady());
    // A 'close' event always follows.
    socket.on('error', () => undefined);
    socket.on('data', (chunk: string) => {
      this.received += chunk;
      if (this.dueAt === null || !isComplete(this.received)) return;
      const [text, dueAt] = [this.received, this.dueAt];
      this.received = '';
      this.dueAt = null;
      listener.onReply(text, dueAt);
    });
    socket.on('close', () => listener.onClose(this.dueAt !== null));
  }

  send(text: string, dueAt: number): void {
    this.dueAt = dueAt;
    this.socket.write(text);
  }
}

function quantiles(values: number[]): Quantiles {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
