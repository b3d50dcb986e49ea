// The open-loop generator, a process of its own: requests are due by a schedule, whatever becomes of those before them, and
// what a request took is counted from when it was due. So a service that stalls is not spared what it made wait.
import { connect, type Socket } from 'node:net';
import { complete, type Job, type Requests, requestsOf } from '../requests.ts';

export interface OpenLoopJob extends Job {
  /** Requests due each second. */
  rate: number;
  /** Further connections are opened, up to so many, when all of `connections` are waiting for a reply. */
  maxConnections: number;
}

export interface Quantiles {
  p50: number;
  p95: number;
  p99: number;
  worst: number;
}

export interface OpenLoopMeasured {
  due: number;
  /** Answered 200, and what those took, in milliseconds. */
  accepted: number;
  took: Quantiles;
  /** Answered 429 or 503; and what those took. */
  shed: number;
  shedTook: Quantiles;
  /** Of those, the ones that do not say when to come back. */
  shedWithoutRetryAfter: number;
  /** Any other status. */
  otherAnswers: number;
  firstOther: string;
  /** Broken connections, and requests for which there was no connection left. */
  broken: number;
  unsent: number;
  connections: number;
  /** How late this generator itself was, at worst and for one in a hundred. */
  lateness: Quantiles;
}

process.once('message', (job) => void new OpenLoop(job as OpenLoopJob).run());

const TICK_MS = 1;
const LAST_WORDS_MS = 10_000;

class OpenLoop {
  private readonly job: OpenLoopJob;
  private readonly request: Requests;
  private readonly idle: Line[] = [];
  private readonly took: number[] = [];
  private readonly shedTook: number[] = [];
  private readonly late: number[] = [];
  private readonly seen = { due: 0, shedWithoutRetryAfter: 0, other: 0, firstOther: '', broken: 0, unsent: 0 };
  private lines = 0;
  private busy = 0;

  constructor(job: OpenLoopJob) {
    this.job = job;
    this.request = requestsOf(job);
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.job.connections }, () => this.open()));
    const start = performance.now();
    await this.send(start);
    const end = performance.now() + LAST_WORDS_MS;
    while (this.busy > 0 && performance.now() < end) await pause(TICK_MS);
    process.send?.(this.measured(), () => process.exit(0));
  }

  private async send(start: number): Promise<void> {
    const { rate, seconds } = this.job;
    for (const total = Math.round(rate * seconds); this.seen.due < total; await pause(TICK_MS)) {
      const now = performance.now();
      while (this.seen.due < total && start + (this.seen.due * 1_000) / rate <= now) {
        const n = this.seen.due++;
        const due = start + (n * 1_000) / rate;
        this.late.push(now - due);
        this.dispatch(n, due);
      }
    }
  }

  /** Over all connections in turn, as many clients are. */
  private dispatch(n: number, due: number): void {
    const line = this.idle.shift();
    if (line) {
      this.busy += 1;
      line.send(this.request(n), due);
    } else if (this.lines < this.job.maxConnections) {
      this.busy += 1;
      const text = this.request(n);
      void this.open(false).then(
        (opened) => opened.send(text, due),
        () => this.lost(),
      );
    } else this.seen.unsent += 1;
  }

  private open(isIdle = true): Promise<Line> {
    this.lines += 1;
    return new Promise((resolve, reject) => {
      const { port, host } = this.job;
      const line = new Line(connect(port, host), {
        ready: () => {
          if (isIdle) this.idle.push(line);
          resolve(line);
        },
        answered: (text, due) => {
          this.busy -= 1;
          this.count(text, due);
          this.idle.push(line);
        },
        closed: (wasBusy) => {
          this.lines -= 1;
          this.forget(line);
          if (wasBusy) this.lost();
          reject(new Error('the connection was closed'));
        },
      });
    });
  }

  private lost(): void {
    this.busy -= 1;
    this.seen.broken += 1;
  }

  private forget(line: Line): void {
    const place = this.idle.indexOf(line);
    if (place >= 0) this.idle.splice(place, 1);
  }

  private count(text: string, due: number): void {
    const ms = performance.now() - due;
    const status = text.slice(9, 12);
    if (status === '200') this.took.push(ms);
    else if (status === '429' || status === '503') {
      this.shedTook.push(ms);
      if (!/\r\nretry-after: \d+\r\n/i.test(text)) this.seen.shedWithoutRetryAfter += 1;
    } else {
      this.seen.other += 1;
      this.seen.firstOther ||= text.slice(0, 12) + text.slice(-300);
    }
  }

  private measured(): OpenLoopMeasured {
    const { due, shedWithoutRetryAfter, other, firstOther, broken, unsent } = this.seen;
    return {
      due,
      accepted: this.took.length,
      took: quantiles(this.took),
      shed: this.shedTook.length,
      shedTook: quantiles(this.shedTook),
      ...{ shedWithoutRetryAfter, otherAnswers: other, firstOther, unsent },
      // Also those that nobody answered before we stopped listening.
      broken: broken + this.busy,
      connections: this.lines,
      lateness: quantiles(this.late),
    };
  }
}

interface Listener {
  ready(): void;
  answered(text: string, due: number): void;
  closed(wasBusy: boolean): void;
}

/** One connection, with at most one request under way. */
class Line {
  private readonly socket: Socket;
  private due: number | null = null;
  private received = '';

  constructor(socket: Socket, listener: Listener) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('connect', () => listener.ready());
    socket.on('error', () => undefined);
    socket.on('data', (chunk: string) => {
      this.received += chunk;
      if (this.due === null || !complete(this.received)) return;
      const [text, due] = [this.received, this.due];
      this.received = '';
      this.due = null;
      listener.answered(text, due);
    });
    socket.on('close', () => listener.closed(this.due !== null));
  }

  send(text: string, due: number): void {
    this.due = due;
    this.socket.write(text);
  }
}

function quantiles(values: number[]): Quantiles {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), worst: at(1) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
