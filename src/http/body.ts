// Request bodies: size limits and the shared memory budget, and the raw bytes that signatures cover.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { Overloaded } from '../kernel/bounded-concurrency.ts';
import { Refusal, refuse } from '../kernel/refusal.ts';
import type { BodyDeadlines } from './body-deadlines.ts';
import { type BodyFields, bodyFields, readFields, unstorable } from './body-fields.ts';
import type { Endpoint } from './endpoint.ts';
import type { ReplyHeaders, ServedRequest } from './served-request.ts';
import { IGNORED_FIELDS, ignoredFields, misspeltRefusal, reportsUnknownFields } from './unknown-fields.ts';

const EMPTY = Buffer.alloc(0);

/** Reads every content type as bytes. The body reader rejects types other than JSON after authentication. */
export function keepRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  limitBodyMemory(scope);
  scope.addContentTypeParser('*', (request, payload, done) =>
    readBytes(request, payload, (error, bytes) => {
      request.rawBody = bytes ?? null;
      done(error, undefined);
    }),
  );
}

export function rawBodyOf(request: Pick<ServedRequest, 'rawBody'>): Buffer {
  return request.rawBody ?? EMPTY;
}

/** Sets request.body and the ignored-fields header, or returns a refusal. */
export type BodyReader = (request: ServedRequest, reply: ReplyHeaders) => Refusal | null;

/**
 * Parses only the fields that the schema names; other fields, which may be large, are validated but not parsed.
 * Null for a route without a body.
 */
export function bodyReader(endpoint: Endpoint): BodyReader | null {
  if (!endpoint.body) return null;
  const fields = bodyFields(endpoint.body);
  const reportsUnknown = reportsUnknownFields(endpoint);
  return (request, reply) => {
    const raw = rawBodyOf(request);
    if (raw.length === 0) return null;
    if (endpoint.takesForm && isForm(request.headers['content-type'])) {
      request.body = formFields(raw, fields.names);
      return null;
    }
    if (!isJson(request.headers['content-type'])) {
      return refuse('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: send Content-Type: application/json.');
    }
    if (!isUtf8(raw)) return refuse('INVALID_REQUEST', 'The body is not valid UTF-8.');
    const unknown: string[] | null = reportsUnknown ? [] : null;
    const body = readFields(raw.toString('utf8'), fields, unknown);
    if (body instanceof Refusal) return body;
    request.body = body;
    return body && unknown && unknown.length > 0 ? reportUnknown(unknown, body, fields, reply) : null;
  };
}

function reportUnknown(
  unknown: string[],
  body: Record<string, unknown>,
  { names }: BodyFields,
  reply: ReplyHeaders,
): Refusal | null {
  const absent = [...names].filter((name) => !Object.hasOwn(body, name));
  const refusal = misspeltRefusal(unknown, absent);
  if (!refusal) reply.header(IGNORED_FIELDS, ignoredFields(unknown));
  return refusal;
}

function isForm(contentType: string | undefined): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '');
}

/** As texts. Fields that the schema does not name are ignored: a page sends what its template says. */
function formFields(raw: Buffer, names: ReadonlySet<string>): Record<string, string> {
  const sent = new URLSearchParams(raw.toString('utf8'));
  return Object.fromEntries([...names].flatMap((name) => (sent.has(name) ? [[name, sent.get(name) ?? '']] : [])));
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
}

/** For path parameters and query strings. */
export function unstorableRefusal(where: string, texts: unknown): Refusal | null {
  for (const [name, value] of Object.entries(texts ?? {})) {
    if (!isStorable(name)) return unstorable(where);
    if (![value].flat().every((text) => isStorable(String(text)))) return unstorable(name);
  }
  return null;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** For logs of refused requests: what PostgreSQL does not store is replaced. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

export const BODY_LIMIT_BYTES = 1024 * 1024;
/** Bytes that a body may hold without using the shared budget; enough for any payment. */
const BYTES_PER_BODY = 16 * 1024;
/** All bodies share this budget for bytes beyond that; without it, 10,000 unauthenticated clients could use 10 GB. */
const SHARED_BYTES = 64 * 1024 * 1024;
/** Memory overhead of a chunk, however small. */
const CHUNK_OVERHEAD_BYTES = 256;
const MAX_CHUNKS = 8_192;

declare module 'fastify' {
  interface FastifyRequest {
    /** The share of SHARED_BYTES that the body occupies. */
    sharedBytes: number;
  }
  interface FastifyInstance {
    /** Time limit for a body to arrive, and between two chunks of an upload. */
    bodyTimeoutMs: number;
    bodyDeadlines: BodyDeadlines;
  }
}

let sharedInUse = 0;

type Done = (error: Error | null, bytes?: Buffer) => void;

export class TooManyChunks extends Error {}

/** A body keeps its memory until the reply is sent or the client disconnects, because requests may be queued. */
function limitBodyMemory(scope: FastifyInstance): void {
  scope.decorateRequest('sharedBytes', 0);
  scope.addHook('preParsing', (request, reply, _payload, done) => {
    if (mayBeLarge(request)) reply.raw.once('close', () => releaseBytes(request));
    done();
  });
}

function mayBeLarge({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > BYTES_PER_BODY / 2;
}

function releaseBytes(request: FastifyRequest): void {
  sharedInUse -= request.sharedBytes;
  request.sharedBytes = 0;
}

/** False if the shared memory is exhausted. */
function reserveBytes(request: FastifyRequest, bytes: number): boolean {
  const more = Math.max(0, bytes - BYTES_PER_BODY) - request.sharedBytes;
  if (more <= 0) return true;
  if (sharedInUse + more > SHARED_BYTES) return false;
  sharedInUse += more;
  request.sharedBytes += more;
  return true;
}

export function readBytes(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const declared = Number(request.headers['content-length']);
  if (declared > BODY_LIMIT_BYTES) {
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    return;
  }
  // The client has disconnected, so no further event would arrive.
  if (payload.destroyed) {
    done(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    return;
  }
  const isCounted = mayBeLarge(request);
  const chunks: Buffer[] = [];
  let received = 0;
  const { bodyDeadlines } = request.server;
  bodyDeadlines.start(payload);

  function finish(error: Error | null): void {
    bodyDeadlines.stop(payload);
    payload.removeListener('data', onData).removeListener('end', onEnd).removeListener('error', onIncomplete);
    if (error) {
      // The rest is read and discarded, so that the client receives the reply.
      payload.resume();
      done(error);
    } else done(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, received));
  }

  function onData(chunk: Buffer): void {
    chunks.push(chunk);
    received += chunk.length;
    if (received > BODY_LIMIT_BYTES) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    else if (!isCounted) return;
    else if (chunks.length > MAX_CHUNKS) finish(new TooManyChunks());
    else if (!reserveBytes(request, received + chunks.length * CHUNK_OVERHEAD_BYTES)) finish(new Overloaded());
  }

  function onEnd(): void {
    if (Number.isNaN(declared) || declared === received) finish(null);
    else onIncomplete();
  }

  /** A client that disconnects mid-body is not an internal error. */
  function onIncomplete(): void {
    finish(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
  }

  payload.on('data', onData).on('end', onEnd).on('error', onIncomplete);
}
