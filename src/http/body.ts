// Request bodies: size limits and the shared memory budget, the raw bytes that signatures cover, and JSON parsing.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import sjson from 'secure-json-parse';
import type { TSchema } from 'typebox';
import { Overloaded } from '../kernel/bounded-concurrency.ts';
import { type Flaw, membersOf } from '../kernel/json-text.ts';
import { Refusal, refuse } from '../kernel/refusal.ts';
import { endLate } from './malformed-http.ts';
import { RAW_TEXT } from './validation.ts';

const MAX_DEPTH = 64;
/** What one field may be made of: parsing it stays a matter of milliseconds, whatever is in it. */
const MAX_NESTED_CHARACTERS = 64 * 1024;
const EMPTY = Buffer.alloc(0);

/** Every content type arrives as bytes; what is not JSON is refused by the reader, after authentication. */
export function keepRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  shareRoom(scope);
  scope.addContentTypeParser('*', (request, payload, done) =>
    readBytes(request, payload, (error, bytes) => {
      request.rawBody = bytes ?? null;
      done(error, undefined);
    }),
  );
}

export function rawBodyOf(request: FastifyRequest): Buffer {
  return request.rawBody ?? EMPTY;
}

/** Sets request.body, or says what is wrong with it. */
export type BodyReader = (request: FastifyRequest) => Refusal | null;

/** Reads the fields that the schema names and builds nothing of what else is sent, which may be a megabyte. */
export function bodyReader(schema: TSchema): BodyReader {
  const fields = fieldsOf(schema);
  return (request) => {
    const raw = rawBodyOf(request);
    if (raw.length === 0) return null;
    if (!isJson(request.headers['content-type'])) {
      return refuse('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: send Content-Type: application/json.');
    }
    if (!isUtf8(raw)) return refuse('INVALID_REQUEST', 'The body is not valid UTF-8.');
    const body = readBody(raw.toString('utf8'), fields);
    if (body instanceof Refusal) return body;
    request.body = body;
    return null;
  };
}

/** How each field is handed on: as a value, unless its schema asks for what was written. */
interface Fields {
  names: ReadonlySet<string>;
  asWritten: ReadonlyMap<string, unknown>;
}

function fieldsOf(schema: TSchema): Fields {
  const { properties } = schema as { properties?: Record<string, Record<string, unknown>> };
  if (!properties) throw new Error('the schema of a body is that of an object, and names its fields');
  const marked = Object.entries(properties).filter(([, field]) => RAW_TEXT in field);
  return {
    names: new Set(Object.keys(properties)),
    asWritten: new Map(marked.map(([name, field]) => [name, field[RAW_TEXT]])),
  };
}

/** Null: JSON, but not an object, which the schema then says. */
function readBody(text: string, { names, asWritten }: Fields): Record<string, unknown> | null | Refusal {
  const found = membersOf(text, names, MAX_DEPTH);
  if ('flaw' in found) return flawRefusal(found.flaw, found.member);
  if (found.texts === null) return null;
  const body: Record<string, unknown> = {};
  for (const [name, json] of found.texts) {
    const value = readField(json, asWritten.get(name));
    if (value === TOO_LONG) return tooLong(name);
    body[name] = value;
  }
  return body;
}

const TOO_LONG = Symbol('too long');
const NUMBER = new Set('-0123456789');

function readField(json: string, asWritten: unknown): unknown {
  const first = json.charAt(0);
  if (asWritten === 'json' || (asWritten === 'number' && NUMBER.has(first))) return json;
  if (first !== '{' && first !== '[') return JSON.parse(json);
  if (json.length > MAX_NESTED_CHARACTERS) return TOO_LONG;
  // Nothing here copies one object's members into another; should something ever do, these are not among them.
  return sjson.parse(json, { protoAction: 'remove', constructorAction: 'remove' });
}

function tooLong(field: string): Refusal {
  return refuse('INVALID_REQUEST', `${field} must have at most ${MAX_NESTED_CHARACTERS} characters as JSON text.`);
}

function flawRefusal(flaw: Flaw, member: string | null): Refusal {
  switch (flaw) {
    case 'malformed':
      return refuse('INVALID_REQUEST', 'The body is not valid JSON.');
    case 'too deep':
      return refuse('INVALID_REQUEST', `The body is nested deeper than ${MAX_DEPTH} levels.`);
    case 'unstorable':
      return unstorable(member ?? 'The body');
  }
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
}

/** Of a path or a query, which are texts by name. */
export function unstorableRefusal(where: string, texts: unknown): Refusal | null {
  for (const [name, value] of Object.entries(texts ?? {})) {
    if (!isStorable(name)) return unstorable(where);
    if (![value].flat().every((text) => isStorable(String(text)))) return unstorable(name);
  }
  return null;
}

/** PostgreSQL cannot store U+0000 or half a surrogate pair in text, so no field may hold them. */
function unstorable(field: string): Refusal {
  return refuse('INVALID_REQUEST', `${field} must not contain U+0000 or half a surrogate pair.`);
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

export const BODY_LIMIT_BYTES = 1024 * 1024;
/** Every body has this much, whoever else sends: no payment needs more. */
const OWN_BYTES = 16 * 1024;
/** What lies beyond that comes out of this, for all together: otherwise ten thousand strangers could hold ten gigabytes. */
const SHARED_BYTES = 64 * 1024 * 1024;
/** A chunk of one byte takes as much memory as this, and more time: a body of a megabyte comes in a thousand. */
const PIECE_BYTES = 256;
const MAX_PIECES = 8_192;

declare module 'fastify' {
  interface FastifyRequest {
    /** What the body holds of the shared bytes. */
    sharedBytes: number;
  }
  interface FastifyInstance {
    /** How long a body may take to arrive, and an upload to go on. */
    bodyTimeoutMs: number;
  }
}

let shared = 0;

type Done = (error: Error | null, bytes?: Buffer) => void;

export class TooManyPieces extends Error {}

/** What a body holds is given back when its request is answered or gone, since it may still wait to be served. */
export function shareRoom(scope: FastifyInstance): void {
  scope.decorateRequest('sharedBytes', 0);
  scope.addHook('preParsing', (request, reply, _payload, done) => {
    if (mayHoldMuch(request)) reply.raw.once('close', () => giveBack(request));
    done();
  });
}

function mayHoldMuch({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > OWN_BYTES / 2;
}

function giveBack(request: FastifyRequest): void {
  shared -= request.sharedBytes;
  request.sharedBytes = 0;
}

/** False: there is no room left for so many. */
function take(request: FastifyRequest, bytes: number): boolean {
  const more = Math.max(0, bytes - OWN_BYTES) - request.sharedBytes;
  if (more <= 0) return true;
  if (shared + more > SHARED_BYTES) return false;
  shared += more;
  request.sharedBytes += more;
  return true;
}

export function readBytes(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const declared = Number(request.headers['content-length']);
  if (declared > BODY_LIMIT_BYTES) {
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    return;
  }
  // Its client has gone meanwhile, and nothing more is heard of it.
  if (payload.destroyed) {
    done(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    return;
  }
  const isCounted = mayHoldMuch(request);
  const pieces: Buffer[] = [];
  let received = 0;
  // Nearly all arrive with their head.
  const late = payload.complete ? undefined : setTimeout(endLate, request.server.bodyTimeoutMs, payload);

  function finish(error: Error | null): void {
    clearTimeout(late);
    payload.removeListener('data', onData).removeListener('end', onEnd).removeListener('error', onBroken);
    if (error) {
      // What still comes is read and dropped, so that the sender hears the answer.
      payload.resume();
      done(error);
    } else done(null, pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, received));
  }

  function onData(piece: Buffer): void {
    pieces.push(piece);
    received += piece.length;
    if (received > BODY_LIMIT_BYTES) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    else if (!isCounted) return;
    else if (pieces.length > MAX_PIECES) finish(new TooManyPieces());
    else if (!take(request, received + pieces.length * PIECE_BYTES)) finish(new Overloaded());
  }

  function onEnd(): void {
    if (Number.isNaN(declared) || declared === received) finish(null);
    else onBroken();
  }

  /** Whoever goes in the middle of a body is no failure of ours. */
  function onBroken(): void {
    finish(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
  }

  payload.on('data', onData).on('end', onEnd).on('error', onBroken);
}
