// An endpoint as a value: method, path, permission, schemas and the one function that serves it.
import type { Static, TSchema } from 'typebox';
import type { Caller } from '../auth/caller.ts';
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
  /** X-Request-ID as the client sent it, whatever it is; null when it sent none. */
  clientRequestId: string | null;
  /** X-Idempotency-Key as the client sent it; empty when it sent none. */
  idempotencyKey: string;
  /** The file of an upload, as it arrives; nothing elsewhere. */
  file: FileChunks;
}

export interface Reply {
  status: number;
  body: unknown;
  /** The body as bytes that were made before: sent as they are. */
  json?: string;
  headers?: Record<string, string>;
}

/** Requests that take about as long; no lane waits behind another, least of all those who pay. */
export type Lane = 'changes' | 'reads' | 'uploads' | 'conversations';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Definition<B extends TSchema, P extends TSchema, Q extends TSchema> {
  method: Method;
  /** With parameters as :name, below the prefix of the row in the route table. */
  path: string;
  /** 'anyone': open to every caller this row's authentication lets in. */
  permission: Permission | 'anyone';
  summary: string;
  /** What the audit log calls it when staff are refused; reads have none. */
  action?: string;
  /** The header X-Idempotency-Key is required. */
  idempotencyKey?: true;
  body?: B;
  /** The body may be left out, and is then an object without fields. */
  bodyOptional?: true;
  /** Instead of a body: a file, which the handler reads while it arrives. */
  upload?: Upload;
  params?: P;
  query?: Q;
  replies: Record<number, TSchema>;
  /** The refusals a caller should be ready for, besides those any route can give. */
  refusals?: readonly (Code | { code: Code; status: number })[];
  /** What the caller is told when the service fails here, where that has a name of its own. */
  failure?: Refusal;
  /** A limit on callers without a credential, by address. */
  perIpLimit?: AddressLimit;
  /** By which door its requests come in: reads for GET, changes for the rest, unless told. */
  lane?: Lane;
  handle(call: Call<Static<B>, Static<P>, Static<Q>>): Promise<Reply | Refusal> | Reply | Refusal;
}

export interface Endpoint extends Omit<Definition<TSchema, TSchema, TSchema>, 'handle'> {
  handle(call: Call): Promise<Reply | Refusal> | Reply | Refusal;
}

/** Types the handler by its schemas, then forgets them: the gateway has checked before it calls. */
export function endpoint<B extends TSchema, P extends TSchema, Q extends TSchema>(
  definition: Definition<B, P, Q>,
): Endpoint {
  return definition as unknown as Endpoint;
}

/** One row of the route table: a family with its place, its credentials and its envelope. */
export interface RouteGroup {
  family: string;
  prefix: string;
  authentication: Authentication;
  envelope: Envelope;
  endpoints: Endpoint[];
  /** Served also while others are sent away: who looks after the service must not be. */
  alwaysOpen?: true;
}

export const ok = (body: unknown): Reply => ({ status: 200, body });
/** JSON text that was made by hand or before: sent as it is. */
export const okJson = (json: string): Reply => ({ status: 200, body: undefined, json });
/** What a verb gave, as it is, unless it refused. */
export const answered = (outcome: object | Refusal): Reply | Refusal =>
  outcome instanceof Refusal ? outcome : ok(outcome);
export const created = (body: unknown): Reply => ({ status: 201, body });
export const noContent = (): Reply => ({ status: 204, body: undefined });
