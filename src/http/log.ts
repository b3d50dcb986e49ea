// Request log and request metrics: one JSON line and one count per request. No secret appears in a log.
import pino, { type Logger } from 'pino';
import { iso, SECOND_MS } from '../kernel/clock.ts';
import { Histogram, type Labels, type Metrics, type Sample } from '../kernel/metrics.ts';
import type { RouteGroup } from './endpoint.ts';

export type { Logger } from 'pino';

// Nothing on purpose logs these; the net is for what a later line might carry along.
const SECRET_FIELDS = [
  'pin',
  'current_pin',
  'new_pin',
  'encrypted_pin',
  'password',
  'current_password',
  'new_password',
  'token',
  'refresh_token',
  'key',
  'secret',
  'webhook_secret',
  'signature',
  'authorization',
  'otp',
];

export interface LogOptions {
  level: string;
  /** Standard error unless given; a test reads it. */
  destination?: pino.DestinationStream;
}

export interface RequestLine {
  reqId: string;
  method: string;
  route: string;
  path: string;
  status: number;
  ms: number;
  caller: string | undefined;
  ip: string;
}

export interface Loggers {
  logger: Logger;
  /** One line a request, of these fields and no others, so that nothing in it needs to be looked for and struck out. */
  request(line: RequestLine): void;
}

// In pieces of this size, so that a busy service hands its lines over hundreds at a time, and an idle one soon.
const PIECE_BYTES = 15_000;
const FLUSH_EVERY_MS = 200;
// Where whoever reads the lines stands still, later ones are lost: better than all of the memory.
const MOST_WAITING_BYTES = 64 * 1024 * 1024;

export function createLoggers({ level, destination }: LogOptions): Loggers {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  const pace = { minLength: PIECE_BYTES, periodicFlush: FLUSH_EVERY_MS, maxLength: MOST_WAITING_BYTES };
  const inPieces = { dest: 2, sync: false, ...pace };
  const to = destination ?? pino.destination(inPieces);
  const timestamp = pino.stdTimeFunctions.isoTime;
  const logger = pino({ level, base: null, timestamp, redact: { paths, censor: '[redacted]' } }, to);
  const info = logger.levels.values.info ?? 30;
  const write = gathered(to);
  return {
    logger,
    request(line) {
      if (logger.levelVal <= info) write(requestText(info, line));
    },
  };
}

/** The lines of one turn of the event loop go on as one: with each it is given, the stream measures all that wait in it. */
function gathered(to: pino.DestinationStream): (line: string) => void {
  let waiting = '';
  const handOver = () => {
    to.write(waiting);
    waiting = '';
  };
  return (line) => {
    if (waiting === '') setImmediate(handOver);
    waiting += line;
  };
}

/** Written out by hand: this line is most of what is ever logged. */
function requestText(level: number, line: RequestLine): string {
  const { reqId, method, route, path, status, ms, caller, ip } = line;
  const who = caller === undefined ? '' : `,"caller":${JSON.stringify(caller)}`;
  const what = `"method":"${method}","route":${JSON.stringify(route)},"path":${JSON.stringify(path)}`;
  const how = `"status":${status},"ms":${ms}${who},"ip":${JSON.stringify(ip)}`;
  return `{"level":${level},"time":"${iso(Date.now())}","reqId":${JSON.stringify(reqId)},${what},${how},"msg":"request"}\n`;
}

/** `url` is the route's template, where there was a route; `ms` how long it took. */
export type CountRequest = (url: string | undefined, method: string, status: number, ms: number) => void;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const CLASSES = ['2xx', '3xx', '4xx', '5xx'];

class RouteMetrics {
  private readonly labels: Labels;
  private readonly byClass = new Float64Array(CLASSES.length);
  private readonly duration = new Histogram(SECONDS);
  private used = false;

  constructor(route: string, method: string) {
    this.labels = { route, method };
  }

  count(status: number, ms: number): void {
    const index = Math.floor(status / 100) - 2;
    this.byClass[index] = (this.byClass[index] as number) + 1;
    this.duration.observe(ms / SECOND_MS);
    this.used = true;
  }

  /** Nothing of a route that nobody called: there are many, and each has many series. */
  requests(): Sample[] {
    if (!this.used) return [];
    return CLASSES.map((status, index) => ({
      labels: { ...this.labels, status },
      value: this.byClass[index] as number,
    }));
  }

  durations(): Sample[] {
    return this.used ? this.duration.samples(this.labels) : [];
  }
}

/**
 * Counters for every route of the table, found by the template that the router matched. What is no route of it (unknown
 * paths, other methods, the page of the documentation) counts as one, so that no client can make series.
 */
export function requestCounter(metrics: Metrics, rows: RouteGroup[]): CountRequest {
  const elsewhere = new RouteMetrics('other', 'other');
  const all = [elsewhere];
  const byUrl = new Map<string, Record<string, RouteMetrics>>();
  const add = (url: string, method: string) => {
    const route = new RouteMetrics(url, method);
    all.push(route);
    byUrl.set(url, { ...byUrl.get(url), [method]: route });
  };
  for (const { prefix, endpoints } of rows) {
    for (const { method, path } of endpoints) {
      add(prefix + path, method);
      if (method === 'GET') add(prefix + path, 'HEAD');
    }
  }
  metrics.add({
    name: 'kissi_http_requests_total',
    help: 'Requests answered, by route, method and class of status.',
    type: 'counter',
    samples: () => all.flatMap((route) => route.requests()),
  });
  metrics.add({
    name: 'kissi_http_request_duration_seconds',
    help: 'From the first look at a request to the end of its answer, by route and method.',
    type: 'histogram',
    samples: () => all.flatMap((route) => route.durations()),
  });
  return (url, method, status, ms) => {
    const route = url === undefined ? elsewhere : (byUrl.get(url)?.[method] ?? elsewhere);
    route.count(status, ms);
  };
}
