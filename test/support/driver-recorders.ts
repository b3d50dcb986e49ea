// Recorders for the contract with pg: the protocol messages a client writes, and the handlers it calls on a query.
import pg from 'pg';
import { socketOf, type WireConnection } from '../../src/db/driver/pg-internals.ts';

export interface Sent {
  /** The first byte of the message, by which PostgreSQL knows its type. */
  type: string;
  body: Buffer;
  /** Whether the socket held it back to send it together with others. */
  corked: boolean;
}

/** The protocol messages that the client writes from now on. */
export function recordWrites(of: pg.Client): Sent[] {
  const sent: Sent[] = [];
  const socket = socketOf(of);
  const write = socket.write.bind(socket);
  socket.write = ((bytes: Buffer, ...rest: []) => {
    for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
      const body = Buffer.from(bytes.subarray(at + 5, at + 1 + bytes.readUInt32BE(at + 1)));
      sent.push({ type: String.fromCharCode(bytes[at] ?? 0), body, corked: socket.writableCorked > 0 });
    }
    return write(bytes, ...rest);
  }) as typeof socket.write;
  return sent;
}

export const typesOf = (sent: Sent[]) => sent.map(({ type }) => type).join('');

export interface Call {
  handler: string;
  message: unknown;
}

export interface Recorded {
  query: pg.Query;
  calls: Call[];
  ended: Promise<void>;
}

/** A query that sends what it is given, and records every handler that the client looks for on it. */
export function recorded(
  submit: (connection: WireConnection) => Error | null,
  prototype: object = pg.Query.prototype,
): Recorded {
  const calls: Call[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const query = new Proxy(Object.create(prototype), {
    get(_target, name) {
      if (name === 'submit') return submit;
      if (typeof name !== 'string' || !name.startsWith('handle')) return undefined;
      return (message: unknown) => {
        calls.push({ handler: name, message });
        if (name === 'handleError' || name === 'handleReadyForQuery') resolve();
      };
    },
  });
  return { query, calls, ended };
}

/** Unnamed statements with one Sync behind the last. */
export function statements(...texts: string[]): (connection: WireConnection) => null {
  return (connection) => {
    for (const text of texts) {
      connection.parse({ name: '', text });
      connection.bind({ statement: '', values: [], valueMapper: (value) => value });
      connection.execute();
    }
    connection.sync();
    return null;
  };
}

export const int16 = (value: number) => Buffer.from([value >> 8, value]);
export const int32 = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value]);

export const handlersOf = (calls: Call[]) => calls.map(({ handler }) => handler);
