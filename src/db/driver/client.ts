// A pg client that closes its socket when the server does not answer in time.
import pg from 'pg';
import { isSubmittable, socketOf } from './pg-internals.ts';

/** The message of the error that every query on the connection fails with. */
export const QUERY_TIMED_OUT = 'PostgreSQL did not answer in time';

export type Client = pg.Client;
export type ClientClass = typeof pg.Client;
/** Without a timeout. */
export const PlainClient: ClientClass = pg.Client;

type AnyQuery = (...args: unknown[]) => Promise<unknown> | undefined;
type Callback = (...results: unknown[]) => void;

/**
 * pg's own query_timeout rejects the query but returns the stuck connection to the pool, where the next query (a ROLLBACK
 * first of all) waits behind it. Closing the socket fails all queries on the connection at once.
 */
export function clientWithTimeout(timeoutMs: number, { isCitus = false } = {}): ClientClass {
  class ClientWithTimeout extends pg.Client {
    readonly [IS_CITUS] = isCitus;

    [START_TIMEOUT](): () => void {
      let answered = false;
      // When this process was suspended, timers run before sockets are read: an answer that has arrived still counts.
      const expire = () => setImmediate(() => answered || socketOf(this).destroy(new Error(QUERY_TIMED_OUT)));
      const timer = setTimeout(expire, timeoutMs);
      return () => {
        answered = true;
        clearTimeout(timer);
      };
    }

    override query(...args: unknown[]): never {
      const query = super.query as unknown as AnyQuery;
      // Prepared statements (pipeline.ts) start their own timeout and return no promise.
      if (isSubmittable(args[0])) return query.apply(this, args) as never;
      const stopTimeout = this[START_TIMEOUT]();
      const callback = args.at(-1);
      if (typeof callback === 'function') args[args.length - 1] = stopFirst(stopTimeout, callback as Callback);
      const result = query.apply(this, args);
      result?.then(stopTimeout, stopTimeout);
      return result as never;
    }
  }
  return ClientWithTimeout;
}

const START_TIMEOUT = Symbol('startTimeout');
const IS_CITUS = Symbol('isCitus');

/** Whether the client connects to a Citus cluster, and statements have their text for it. */
export function isCitusClient(client: pg.ClientBase): boolean {
  return (client as { [IS_CITUS]?: boolean })[IS_CITUS] === true;
}

/** Starts the client's timeout and returns the function that stops it. A plain pg.Client has no timeout. */
export function startTimeout(client: pg.ClientBase): () => void {
  return (client as { [START_TIMEOUT]?(): () => void })[START_TIMEOUT]?.() ?? noTimeout;
}

function noTimeout(): void {}

function stopFirst(stopTimeout: () => void, callback: Callback): Callback {
  return (...results) => {
    stopTimeout();
    callback(...results);
  };
}
