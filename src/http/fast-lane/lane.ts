// The fast lane: ordinary requests to hot routes are read from the socket and answered without Fastify and node:http.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { Counter, Metrics } from '../../kernel/metrics.ts';
import type { FindClientAddress } from '../client-address.ts';
import { loggableError, tooMany } from '../failure.ts';
import type { AnsweredRequest, CountRequest, Logger } from '../log.ts';
import { type RequestRecorder, recordRequest } from '../request-recorder.ts';
import { type Arrival, LaneConnection, type LaneContext } from './connection.ts';
import { ordinaryHeaders } from './headers.ts';
import type { ParseRequest } from './parser.ts';
import { keepAliveHeaders, type LaneReply } from './reply.ts';
import { LaneRequest } from './request.ts';
import type { LaneRoute, LaneRoutes } from './route.ts';

type Listener = (this: Server, socket: Socket) => void;

export interface FastLaneOptions {
  parse: ParseRequest;
  clientAddress: FindClientAddress;
  metrics: Metrics;
  /** For requests that are rejected at once, which are not logged. */
  count: CountRequest;
  log(request: AnsweredRequest): void;
  logger: Logger;
  recorder?: RequestRecorder | undefined;
}

const HEAD_END = '\r\n\r\n';
const SWEEP_MS = SECOND_MS;
/** A connection on which the lane waits longer is handed over, so that the ordinary server's time limits apply. */
const MAX_WAITING_SWEEPS = 1;

export class FastLane implements LaneContext {
  private readonly server: Server;
  private readonly options: FastLaneOptions;
  private readonly ordinary: Listener;
  private readonly connections = new Set<LaneConnection>();
  private readonly bySocket = new WeakMap<Socket, LaneConnection>();
  private readonly requests: Counter;
  private readonly handedOver: Counter;
  private routes: LaneRoutes | null = null;
  private sweeping: NodeJS.Timeout | undefined;
  private isStopping = false;

  /** Takes the place of node:http's own listener, so it must come before listeners that rely on it. */
  constructor(server: Server, options: FastLaneOptions) {
    this.server = server;
    this.options = options;
    const [ordinary] = server.listeners('connection') as Listener[];
    if (!ordinary) throw new Error('the server has no listener for connections');
    this.ordinary = ordinary;
    server.removeListener('connection', ordinary);
    server.prependListener('connection', (socket: Socket) => this.add(socket));
    const { metrics } = options;
    this.requests = metrics.counter({
      name: 'kissi_http_fast_lane_requests_total',
      help: 'Requests answered on the fast lane.',
    });
    this.handedOver = metrics.counter({
      name: 'kissi_http_fast_lane_handed_over_total',
      help: 'Connections that the fast lane handed over to the ordinary server.',
    });
  }

  /** Until then all connections are the ordinary server's. */
  start(routes: LaneRoutes): void {
    this.routes = routes.isEmpty ? null : routes;
    this.sweeping = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  readonly isServing = (socket: Socket): boolean => this.bySocket.get(socket)?.isServing ?? false;

  /** From now on each reply ends its connection, and further requests are the ordinary server's. */
  stop(): void {
    this.isStopping = true;
    clearInterval(this.sweeping);
    for (const connection of this.connections) if (connection.isWaiting) connection.handOver();
  }

  closeIdle(): void {
    for (const connection of this.connections) if (!connection.isServing) connection.close();
  }

  private add(socket: Socket): void {
    if (this.isStopping || !this.routes) {
      this.ordinary.call(this.server, socket);
      return;
    }
    const connection = new LaneConnection(this, socket);
    this.connections.add(connection);
    this.bySocket.set(socket, connection);
  }

  private sweep(): void {
    const { keepAliveTimeout, keepAliveTimeoutBuffer } = this.server;
    const maxIdleSweeps = (keepAliveTimeout + keepAliveTimeoutBuffer) / SWEEP_MS;
    for (const connection of this.connections) {
      if (connection.isServing) continue;
      connection.sweeps += 1;
      if (connection.isWaiting && connection.sweeps > MAX_WAITING_SWEEPS) connection.handOver();
      else if (connection.sweeps > maxIdleSweeps) connection.close();
    }
  }

  read(bytes: Buffer, socket: Socket): Arrival | 'incomplete' | null {
    const parsed = this.isStopping ? null : this.options.parse(bytes);
    if (parsed === null || parsed === 'incomplete') return parsed;
    const { method, url, isHttp11, rawHeaders } = parsed.head;
    const found = method === 'POST' && isHttp11 ? this.routes?.find(url) : null;
    const ordinary = found ? ordinaryHeaders(rawHeaders) : null;
    if (!found || !ordinary) return null;
    if (!parsed.isComplete) return 'incomplete';
    const { headers, contentLength } = ordinary;
    const received = bytes.subarray(bytes.indexOf(HEAD_END) + HEAD_END.length);
    // The parser skips empty lines before and after a request.
    if (received.length !== contentLength) return null;
    const ip = this.options.clientAddress(socket, headers);
    const { route, params } = found;
    return { route, request: new LaneRequest({ route: route.url, url, params, headers, received, ip, socket }) };
  }

  /** As rejectEarly, for the same reason. */
  rejects(route: LaneRoute, reply: LaneReply): string | null {
    const { admission, group } = route.steps;
    if (!admission?.rejects()) return null;
    const refusal = tooMany();
    reply.status = refusal.status;
    reply.headers(refusal.headers);
    this.options.count(route.url, 'POST', refusal.status, 0);
    return JSON.stringify(group.envelope.refusal(refusal));
  }

  keepAlive(): string | null {
    return this.isStopping ? null : keepAliveHeaders(this.server.keepAliveTimeout);
  }

  sent(request: LaneRequest, { status }: LaneReply): void {
    this.requests.value += 1;
    const { route, url: path } = request;
    const ms = performance.now() - request.begunAt;
    this.options.log({ request, route, path, status, ms });
    const { recorder } = this.options;
    if (recorder) recordRequest(recorder, request, { route, status, ms, isDisconnected: false });
  }

  notSent(request: LaneRequest, { status }: LaneReply): void {
    const ms = performance.now() - request.begunAt;
    const { recorder } = this.options;
    if (recorder) recordRequest(recorder, request, { route: request.route, status, ms, isDisconnected: true });
  }

  failed(error: unknown, { id }: LaneRequest): void {
    this.options.logger.error({ reqId: id, err: loggableError(error) }, 'request failed');
  }

  handOver(connection: LaneConnection, socket: Socket): void {
    this.closed(connection);
    this.bySocket.delete(socket);
    this.handedOver.value += 1;
    this.ordinary.call(this.server, socket);
  }

  closed(connection: LaneConnection): void {
    this.connections.delete(connection);
  }
}
