// Every undocumented part of pg that Kissi relies on.
//
// This folder is the only place in src that imports pg. It holds:
//   pg-internals.ts    this file: the undocumented parts of pg, with types
//   client.ts          a pg client that closes its socket when the server does not answer in time
//   statement.ts       prepared statements as values, and the interface that runs them
//   pipeline.ts        sends one or more prepared statements in one round trip
//   connection.ts      one connection that a caller holds, for transactions and pipelines
//   pool.ts            connection pools
//   reader.ts          one connection that all batched look-ups share
//   columns.ts         decodes columns from PostgreSQL's text format
//   binary-arrays.ts   encodes array parameters in PostgreSQL's binary format
//   errors.ts          classifies errors by SQLSTATE
//
// package.json pins pg to an exact version. test/db/driver-contract.test.ts fails when a new version changes any of this.
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import type { Columns, Values } from './statement.ts';

/** `client.connection`: writes messages of the PostgreSQL protocol to the socket. */
export interface WireConnection extends EventEmitter {
  /** Statements that the server has parsed, by name. */
  readonly parsedStatements: Record<string, string | undefined>;
  /** Statements whose Parse message is sent and not answered. */
  readonly submittedNamedStatements: Record<string, string | undefined>;
  readonly stream: Socket;
  parse(statement: { name: string; text: string }): void;
  bind(bound: { statement: string; values: Values; valueMapper(value: unknown): unknown }): void;
  execute(): void;
  sync(): void;
}

/** What `client.query` accepts besides texts: it writes its own messages and receives the server's. */
export interface Submittable {
  /** pg marks the statement of this name as parsed when the server says so. */
  readonly name: string | undefined;
  readonly text: string | undefined;
  /** Returns an error instead of throwing it. */
  submit(connection: WireConnection): Error | null;
  handleDataRow(message: { fields: Columns }): void;
  handleCommandComplete(message: { text: string }): void;
  handleReadyForQuery(): void;
  /** Called at most once. No other method is called after it. */
  handleError(error: Error): void;
}

/**
 * A pipelining client accepts only subclasses of pg.Query, because other query classes may keep a portal open. Ours close
 * theirs. A real subclass would pay for pg.Query's constructor, so only the prototype is set.
 */
export function acceptInPipelines(queryClass: { prototype: Submittable }): void {
  Object.setPrototypeOf(queryClass.prototype, pg.Query.prototype);
}

export function submit(client: pg.ClientBase, query: Submittable): void {
  client.query(query as unknown as pg.Query);
}

export function isSubmittable(query: unknown): boolean {
  return typeof (query as Partial<Submittable> | null)?.submit === 'function';
}

export function wireOf(client: pg.ClientBase): WireConnection {
  return (client as unknown as { connection: WireConnection }).connection;
}

export function socketOf(client: pg.ClientBase): Socket {
  return wireOf(client).stream;
}

/** Redirects a client that has not connected yet. */
export function setAddress(client: pg.ClientBase, { host, port }: { host: string; port: number }): void {
  Object.assign(client, { host, port });
}

/** Host and port of the server. */
export function serverName(client: pg.ClientBase): string {
  const { host, port } = client as pg.Client;
  return `${host}:${port}`;
}

/** Calls the listener with the SQLSTATE of every error the server reports, before the query that failed learns of it. */
export function onServerError(client: pg.ClientBase, listener: (sqlState: string | undefined) => void): void {
  wireOf(client).on('errorMessage', ({ code }: { code?: string }) => listener(code));
}
