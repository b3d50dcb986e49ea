// A PostgreSQL connection that gives up: a server that does not answer in time loses the connection, not the request.
import type { Socket } from 'node:net';
import pg from 'pg';

export const NOT_IN_TIME = 'PostgreSQL did not answer in time';

type AnyQuery = (...args: unknown[]) => Promise<unknown> | undefined;
type Callback = (...results: unknown[]) => void;

/**
 * pg's own query_timeout rejects the query but puts the stuck connection back into the pool, where the next
 * query (a ROLLBACK first of all) waits behind it. Closing the socket fails everything on it at once.
 */
export function impatientClient(timeoutMs: number): typeof pg.Client {
  class ImpatientClient extends pg.Client {
    /** Starts a wait; what it returns ends it. */
    [WAIT](): () => void {
      let answered = false;
      // After a standstill of this process timers come first: an answer that is there already is read before they decide.
      const giveUp = () => setImmediate(() => answered || socketOf(this).destroy(new Error(NOT_IN_TIME)));
      const timer = setTimeout(giveUp, timeoutMs);
      return () => {
        answered = true;
        clearTimeout(timer);
      };
    }

    override query(...args: unknown[]): never {
      const send = super.query as unknown as AnyQuery;
      // What is sent by prepared.ts waits by itself, and is no promise.
      if (isSubmittable(args[0])) return send.apply(this, args) as never;
      const done = this[WAIT]();
      const callback = args.at(-1);
      if (typeof callback === 'function') args[args.length - 1] = before(done, callback as Callback);
      const result = send.apply(this, args);
      result?.then(done, done);
      return result as never;
    }
  }
  return ImpatientClient;
}

const WAIT = Symbol('wait');

/** How long an answer may take is the client's matter; one that does not mind waits for ever. */
export function waitOn(client: pg.ClientBase): () => void {
  return (client as { [WAIT]?(): () => void })[WAIT]?.() ?? patient;
}

function patient(): void {}

function isSubmittable(query: unknown): boolean {
  return typeof (query as { submit?: unknown } | null)?.submit === 'function';
}

function before(first: () => void, then: Callback): Callback {
  return (...results) => {
    first();
    then(...results);
  };
}

export function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

const gathering = new WeakSet<Socket>();

/** Whatever is sent before the event loop goes on leaves in one write. */
export function gatherWrites(client: pg.ClientBase): void {
  const socket = socketOf(client);
  if (gathering.has(socket)) return;
  gathering.add(socket);
  socket.cork();
  process.nextTick(() => {
    gathering.delete(socket);
    socket.uncork();
  });
}

/** Queries that are sent together leave in one write: a system call, and a wake-up of the server, instead of one each. */
export function inOneWrite<T>(client: pg.ClientBase, send: () => T): T {
  const socket = socketOf(client);
  socket.cork();
  try {
    return send();
  } finally {
    socket.uncork();
  }
}
