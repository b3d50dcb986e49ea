// An endpoint as a value: method, path, permission, schemas and the one function that serves it.
import { Readable } from 'node:stream';
import type { FastifySchema } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Caller, UserRestriction } from '../auth/caller.ts';
import type { Permission } from '../auth/permissions.ts';
import type { Authentication } from '../auth/schemes/scheme.ts';
import { type Code, Refusal } from '../kernel/refusal.ts';
import type { Envelope } from './envelope.ts';
import type { AddressLimit } from './rate-limit.ts';
import type { FileChunks, Upload } from './upload.ts';

/** A request that has been authenticated, permitted and checked against its schemas. */
export interface Call<Body = unknown, Params = unknown, Query = unknown> {
  body: Body;
  params: Params;
  query: Query;
  caller: Caller;
  ip: string;
  requestId: string;
  /** X-Request-ID as sent, not validated; null when absent. */
  clientRequestId: string | null;
  /** X-Idempotency-Key as sent; empty when absent. */
  idempotencyKey: string;
  /** The header Cookie as sent; empty when absent. */
  cookie: string;
  /** The headers Accept and Accept-Language as sent; empty when absent. */
  accept: string;
  acceptLanguage: string;
  /** The exact bytes of the body; empty if there is none. */
  rawBody: Buffer;
  /** The chunks of an upload as they arrive; empty for other endpoints. */
  file: FileChunks;
  /** Its media type; empty for other endpoints. */
  fileType: string;
}

export interface Reply {
  status: number;
  body: unknown;
  /** JSON text that is sent unchanged instead of `body`. */
  json?: string;
  /** `json` is a stored refusal with this code. */
  refusedWith?: Code;
  headers?: Record<string, string | string[]>;
  /** The connection is closed instead of sending the reply. Only the lab does this. */
  cutsConnection?: true;
}

/** Requests of similar duration. Each lane has its own admission control, so that payments never queue behind other work. */
export type Lane = 'changes' | 'reads' | 'uploads' | 'conversations';

/** How a reply whose records are nested becomes the rows of a CSV file. */
export interface CsvRows {
  columns: string[];
  /** `reply`: the JSON reply. */
  of(reply: Record<string, unknown>): Record<string, unknown>[];
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Definition<B extends TSchema, P extends TSchema, Q extends TSchema> {
  /** The operation id in the OpenAPI document. */
  id: string;
  /** Family and method in the client and the command line: wallet.transfer is kissi.wallet.transfer(). */
  clientMethod?: string;
  method: Method;
  /** Relative to the prefix of the route group, with parameters as :name. */
  path: string;
  /** 'anyone': every caller that passes the group's authentication. */
  permission: Permission | 'anyone';
  /** Restrictions of a user under which the route stays open. */
  openDuring?: readonly UserRestriction[];
  summary: string;
  /** For the OpenAPI document, what the summary does not say. */
  description?: string;
  /** The action name in the audit log; reads have none. */
  action?: string;
  /** The header X-Idempotency-Key is required. */
  idempotencyKey?: true;
  body?: B;
  /** The body may be absent, which means an empty object. */
  bodyOptional?: true;
  /** The body may also be the fields of an HTML form. */
  takesForm?: true;
  /** Instead of a body: a file that the handler reads as a stream. */
  upload?: Upload;
  params?: P;
  /** Other query parameters than these are refused: an ignored filter would return everything. */
  query?: Q;
  /** Ignores other parameters: for probes and platforms that call a URL which the operator registered with them. */
  ignoresQuery?: true;
  replies: Record<number, TSchema>;
  /**
   * Lists are exported as CSV on request (see exportedList). `list`: the member of the reply that is exported; by default
   * the only array of a GET. `key`: the field that identifies a record, by default id. `rows`: the records of a
   * reply that nests them, with these columns. False: the reply is not a list.
   */
  csv?: false | { list?: string; key?: string; rows?: CsvRows };
  /** This endpoint's refusals, in addition to those that any route can return. */
  refusals?: readonly (Code | { code: Code; status: number })[];
  /** The refusal for an internal failure, if not INTERNAL_ERROR. */
  failure?: Refusal;
  /** A rate limit per IP address, for callers without a credential. */
  perIpLimit?: AddressLimit;
  /** It only reads, and may do so from a replica of the database. Exports of any list do. */
  readsReplica?: true;
  /** Default: reads for GET, changes otherwise. */
  lane?: Lane;
  /** Called so often that it is served on the fast lane (see fast-lane). It replies with JSON text. */
  hot?: true;
  /** For PUT (see putBody): the record before the change, as GET returns it. A refusal is left to the handler. */
  current?(call: Call<Static<B>, Static<P>, Static<Q>>): Promise<object>;
  handle(call: Call<Static<B>, Static<P>, Static<Q>>): Promise<Reply | Refusal> | Reply | Refusal;
}

export interface Endpoint extends Omit<Definition<TSchema, TSchema, TSchema>, 'handle' | 'current'> {
  current?(call: Call): Promise<object>;
  handle(call: Call): Promise<Reply | Refusal> | Reply | Refusal;
}

/** Infers the handler's types from the schemas. The gateway validates every request before it calls the handler. */
export function endpoint<B extends TSchema, P extends TSchema, Q extends TSchema>(
  definition: Definition<B, P, Q>,
): Endpoint {
  return definition as unknown as Endpoint;
}

/** A family of endpoints with its prefix, authentication and envelope. */
export interface RouteGroup {
  family: string;
  prefix: string;
  authentication: Authentication;
  envelope: Envelope;
  endpoints: Endpoint[];
  /** Added to the operation ids and summaries of a group that is served at a second path. */
  secondPath?: { idSuffix: string; summarySuffix: string };
  /** The reply to a browser whose request is refused, instead of the envelope's JSON. */
  refusalPage?(refusal: Refusal, call: Call): Reply;
  /** Served during overload too: operators must always get through. */
  bypassesAdmission?: true;
}

const IDEMPOTENCY_KEY = {
  type: 'object',
  required: ['x-idempotency-key'],
  properties: { 'x-idempotency-key': { type: 'string', minLength: 1 } },
};

/** What Fastify validates and serializes. Refusals have no schema: they are sent as JSON text. */
export function routeSchema({ body, params, query, idempotencyKey, replies }: Endpoint): FastifySchema {
  return {
    ...(body ? { body } : {}),
    ...(params ? { params } : {}),
    ...(query ? { querystring: query } : {}),
    ...(idempotencyKey ? { headers: IDEMPOTENCY_KEY } : {}),
    response: replies,
  };
}

export const ok = (body: unknown): Reply => ({ status: 200, body });
/** JSON text that is sent unchanged. */
export const okJson = (json: string): Reply => ({ status: 200, body: undefined, json });
/** The result of a service call as a 200 reply, or its refusal. */
export const okOrRefusal = (outcome: object | Refusal): Reply | Refusal =>
  outcome instanceof Refusal ? outcome : ok(outcome);
/** Generated as fast as the client reads, and stopped when the client disconnects. */
export const streamed = (chunks: AsyncIterable<string | Buffer>, headers: Record<string, string>): Reply => ({
  status: 200,
  body: Readable.from(encoded(chunks)),
  headers,
});
/** `name`: must be safe in a header. */
export const fileReply = (bytes: Buffer, type: string, name: string, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  body: Readable.from([bytes]),
  headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"`, ...headers },
});
export const created = (body: unknown): Reply => ({ status: 201, body });
export const noContent = (): Reply => ({ status: 204, body: undefined });

/** Node.js 26.9 and later never continue a stream of strings with non-ASCII text once the client reads too slowly. */
async function* encoded(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}
