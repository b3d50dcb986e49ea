// Passes the requests of API keys to a recorder, for the support of integrators.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServedRequest } from './served-request.ts';

export interface RequestRecorder {
  /** Called for every request of an API key, so it must be cheap. False: the request is counted, but not kept. */
  wants(keyId: string, options: { isVerified: boolean; status: number }): boolean;
  keep(request: RecordedRequest): void;
}

/** A request as it was received and answered: bodies and headers are not redacted yet. */
export interface RecordedRequest {
  keyId: string;
  /** False: the request only names the key. Its signature is wrong, or was not checked. */
  isVerified: boolean;
  method: string;
  /** As sent, with the query. */
  target: string;
  /** The template of the route; undefined: no route matched. */
  route: string | undefined;
  params: Record<string, string>;
  headers: IncomingHttpHeaders;
  rawBody: Buffer | null;
  status: number;
  code: string | null;
  sentText: string | null;
  ms: number;
  /** The connection was closed before the reply was sent. */
  isDisconnected: boolean;
  requestId: string;
  ip: string;
}

const MAX_KEY_ID_LENGTH = 64;

export function recordRequests(app: FastifyInstance, recorder: RequestRecorder): void {
  app.addHook('onResponse', (request, reply, done) => {
    recordRequest(recorder, request, sent(request, reply, false));
    done();
  });
  // A reply that cannot be sent reaches no onResponse hook.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.raw.socket.destroyed) {
      request.sentText = typeof payload === 'string' ? payload : null;
      recordRequest(recorder, request, sent(request, reply, true));
    }
    done();
  });
}

function sent(request: FastifyRequest, reply: FastifyReply, isDisconnected: boolean): SentReply {
  return { route: request.routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime, isDisconnected };
}

type SentReply = Pick<RecordedRequest, 'route' | 'status' | 'ms' | 'isDisconnected'>;

/** Requests of users, services and the public are not recorded. */
export function recordRequest(recorder: RequestRecorder, request: ServedRequest, reply: SentReply): void {
  const { caller } = request;
  const isVerified = caller?.kind === 'key';
  const keyId = isVerified ? caller.id : caller === null ? claimedKey(request) : undefined;
  if (keyId === undefined || !recorder.wants(keyId, { isVerified, status: reply.status })) return;
  recorder.keep({
    ...reply,
    keyId,
    isVerified,
    method: request.method,
    target: request.url,
    params: (request.params ?? {}) as Record<string, string>,
    headers: request.headers,
    rawBody: request.rawBody,
    code: request.refusedWith,
    sentText: request.sentText,
    requestId: request.id,
    ip: request.ip,
  });
}

/** The key that a request names which was refused before its signature was accepted. */
function claimedKey({ headers }: ServedRequest): string | undefined {
  const id = headers['x-api-key-id'];
  return typeof id === 'string' && id !== '' && id.length <= MAX_KEY_ID_LENGTH ? id : undefined;
}
