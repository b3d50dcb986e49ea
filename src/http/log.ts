// Request log and request metrics: one JSON line and one count per request. No secret appears in a log.
import pino, { type Logger } from 'pino';
import { iso, SECOND_MS } from '../kernel/clock.ts';
import { Histogram, type Labels, type Metrics, type Sample } from '../kernel/metrics.ts';
import { currentTrace, type Trace } from '../kernel/tracing.ts';
import type { RouteGroup } from './endpoint.ts';
import type { ServedRequest } from './served-request.ts';

export type { Logger } from 'pino';

// Redacted as a precaution: no code logs these fields on purpose.
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

/** Stands for a value that is not shown. */
export const REDACTED = '[redacted]';

export interface LogOptions {
  level: string;
  /** Number of this gateway process among the machine's. Undefined: it is the only one. */
  gateway?: number;
  /** Whether lines that are written for a traced request name its trace and its id. */
  isTraced?: boolean;
  /** Standard error by default. Tests pass their own. */
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
  trace: Trace | null;
}

export interface Loggers {
  logger: Logger;
  /** Logs one line per request. It has only these fields and needs no redaction. */
  request(line: RequestLine): void;
}

// Lines are buffered up to this size: a busy service writes hundreds at once, and an idle one within FLUSH_EVERY_MS.
const BUFFER_BYTES = 15_000;
const FLUSH_EVERY_MS = 200;
// If the reader of the log stalls, further lines are dropped, so that the buffer does not exhaust memory.
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

export function createLoggers({ level, gateway, isTraced = false, destination }: LogOptions): Loggers {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  const buffering = { minLength: BUFFER_BYTES, periodicFlush: FLUSH_EVERY_MS, maxLength: MAX_BUFFERED_BYTES };
  const buffered = { dest: 2, sync: false, ...buffering };
  const to = destination ?? pino.destination(buffered);
  const timestamp = pino.stdTimeFunctions.isoTime;
  const base = gateway === undefined ? null : { gateway };
  const redact = { paths, censor: REDACTED };
  const logger = pino({ level, base, timestamp, redact, ...(isTraced ? { mixin: traceFields } : {}) }, to);
  const info = logger.levels.values.info ?? 30;
  const write = batchWrites(to);
  const gatewayField = gateway === undefined ? '' : `,"gateway":${gateway}`;
  return {
    logger,
    request(line) {
      if (logger.levelVal <= info) write(requestText(info, line, gatewayField));
    },
  };
}

/** Writes the lines of one event-loop iteration together: the cost of each write grows with the stream's buffer. */
function batchWrites(to: pino.DestinationStream): (line: string) => void {
  let pending = '';
  const flush = () => {
    to.write(pending);
    pending = '';
  };
  return (line) => {
    if (pending === '') setImmediate(flush);
    pending += line;
  };
}

/** Serialized by hand for speed: most log lines are request lines. */
function requestText(level: number, line: RequestLine, gatewayField: string): string {
  const { reqId, method, route, path, status, ms, caller, ip, trace } = line;
  const callerField = caller === undefined ? '' : `,"caller":${JSON.stringify(caller)}`;
  const requestFields = `"method":"${method}","route":${JSON.stringify(route)},"path":${JSON.stringify(path)}`;
  const resultFields = `"status":${status},"ms":${ms}${callerField},"ip":${JSON.stringify(ip)}${traceText(trace)}`;
  return `{"level":${level},"time":"${iso(Date.now())}"${gatewayField},"reqId":${JSON.stringify(reqId)},${requestFields},${resultFields},"msg":"request"}\n`;
}

/** The names are those of OpenTelemetry, by which log stores find the trace of a line. */
function traceText(trace: Trace | null): string {
  return trace === null ? '' : `,"trace_id":"${trace.traceId}","span_id":"${trace.spanId}"`;
}

function traceFields(): object {
  const trace = currentTrace();
  if (!trace) return {};
  const { traceId, spanId, requestId } = trace;
  return { ...(requestId === null ? {} : { reqId: requestId }), trace_id: traceId, span_id: spanId };
}

/** A request that was answered. The query, headers and bodies are never logged: they can hold secrets. */
export interface AnsweredRequest {
  request: Pick<ServedRequest, 'id' | 'method' | 'caller' | 'ip' | 'trace'>;
  /** The route's template; undefined: no route matched. */
  route: string | undefined;
  path: string;
  status: number;
  ms: number;
}

/** The tokens of public links, codes and the secrets of gateways: who reads a log must not be able to use them. */
const SECRET_PARAMETER = /:(?:token|secret|code)\b/;
const SECRET_ROUTE = /\/(pay|r|ussd)\/.+/;

/** For logs and spans. `route`: the template that matched; an address that is written wrongly may hold a secret too. */
export function loggablePath(path: string, route?: string): string {
  return route !== undefined && SECRET_PARAMETER.test(route) ? route : path.replace(SECRET_ROUTE, '/$1/…');
}

/** Counts and logs answered requests. */
export function requestLog(log: Loggers['request'], count: CountRequest): (answered: AnsweredRequest) => void {
  return ({ request, route, path, status, ms }) => {
    const { id: reqId, method, caller, ip, trace } = request;
    count(route, method, status, ms);
    log({
      reqId,
      method,
      route: route ?? 'unknown',
      path,
      status,
      ms: Math.round(ms * 100) / 100,
      caller: caller ? `${caller.kind}:${caller.id ?? ''}` : undefined,
      ip,
      trace,
    });
  };
}

/** `url`: the route's template, undefined if no route matched. `ms`: the duration. */
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

  /** Routes without requests are omitted: there are many, and each has many series. */
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
 * Counts requests by the route template that matched. All other requests (unknown paths, other methods, the
 * documentation page) count as one route, so that clients cannot create series.
 */
export function requestCounter(metrics: Metrics, groups: RouteGroup[]): CountRequest {
  const otherRoute = new RouteMetrics('other', 'other');
  const all = [otherRoute];
  const byUrl = new Map<string, Record<string, RouteMetrics>>();
  const add = (url: string, method: string) => {
    const route = new RouteMetrics(url, method);
    all.push(route);
    byUrl.set(url, { ...byUrl.get(url), [method]: route });
  };
  for (const { prefix, endpoints } of groups) {
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
    help: 'Duration of requests until the reply is sent, by route and method.',
    type: 'histogram',
    samples: () => all.flatMap((route) => route.durations()),
  });
  return (url, method, status, ms) => {
    const route = url === undefined ? otherRoute : (byUrl.get(url)?.[method] ?? otherRoute);
    route.count(status, ms);
  };
}
