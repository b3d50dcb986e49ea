// A request that the fast lane has read completely.
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../auth/caller.ts';
import { requestId } from '../envelope.ts';
import type { AdmissionControl } from '../overload/admission-control.ts';
import type { ServedRequest } from '../served-request.ts';

const NONE = Object.freeze({});

interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  /** The body. */
  received: Buffer;
  ip: string;
}

export class LaneRequest implements ServedRequest {
  readonly id: string;
  readonly method = 'POST';
  readonly url: string;
  readonly params = NONE;
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
  private readonly received: Buffer;

  constructor({ url, headers, received, ip }: Received) {
    this.id = requestId({ headers });
    this.url = url;
    this.headers = headers;
    this.received = received;
    this.ip = ip;
  }

  /** Until then it is as if the body had not arrived. */
  takeBody(): void {
    this.rawBody = this.received;
  }
}
