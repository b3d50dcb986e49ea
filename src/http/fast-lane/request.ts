// A request that the fast lane has read completely.
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../auth/caller.ts';
import { requestId } from '../envelope.ts';
import type { AdmissionControl } from '../overload/admission-control.ts';
import type { ServedRequest } from '../served-request.ts';
import type { LaneRoute } from './route.ts';

const NONE = Object.freeze({});

export class LaneRequest implements ServedRequest {
  readonly id: string;
  readonly method = 'POST';
  readonly url: string;
  readonly params = NONE;
  readonly query = NONE;
  readonly route: LaneRoute;
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

  constructor(route: LaneRoute, headers: IncomingHttpHeaders, { received, ip }: { received: Buffer; ip: string }) {
    this.id = requestId({ headers });
    this.route = route;
    this.url = route.url;
    this.headers = headers;
    this.received = received;
    this.ip = ip;
  }

  /** Until then it is as if the body had not arrived. */
  takeBody(): void {
    this.rawBody = this.received;
  }
}
