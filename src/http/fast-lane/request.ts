// A request that the fast lane has read completely.
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Caller } from '../../auth/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Trace } from '../../kernel/tracing.ts';
import { requestId } from '../envelope.ts';
import type { AdmissionControl } from '../overload/admission-control.ts';
import type { ServedRequest } from '../served-request.ts';

const NONE = Object.freeze({});

interface Received {
  /** The path with the names of its parameters. */
  route: string;
  url: string;
  params: Readonly<Record<string, string>>;
  headers: IncomingHttpHeaders;
  /** The body. */
  received: Buffer;
  ip: string;
  socket: Socket;
}

export class LaneRequest implements ServedRequest {
  readonly id: string;
  readonly method = 'POST';
  readonly route: string;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query = NONE;
  readonly headers: IncomingHttpHeaders;
  rawBody: Buffer | null = null;
  readonly ip: string;
  readonly upload = null;
  readonly begunAt = performance.now();
  body: unknown;
  caller: Caller | null = null;
  refusedWith: string | null = null;
  sentText: string | null = null;
  admission: AdmissionControl | null = null;
  admittedAt = 0;
  trace: Trace | null = null;
  private readonly received: Buffer;
  readonly socket: Socket;

  constructor({ route, url, params, headers, received, ip, socket }: Received) {
    this.id = requestId({ headers });
    this.route = route;
    this.url = url;
    this.params = params;
    this.headers = headers;
    this.received = received;
    this.ip = ip;
    this.socket = socket;
  }

  /**
   * Until then it is as if the body had not arrived. So a client that leaves while its request waits takes the body along, as
   * on the ordinary server.
   */
  takeBody(): Refusal | null {
    if (this.rawBody === null && !this.socket.writable) return bodyMissing();
    this.rawBody = this.received;
    return null;
  }
}

function bodyMissing(): Refusal {
  return refuse('INVALID_REQUEST', 'The client closed the connection before its request was read.');
}
