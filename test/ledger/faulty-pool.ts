// A pool with fault injection: at any statement a test can delay, break the connection or drop the reply.
import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';
import { ConnectionPool } from '../../src/db/driver/pool.ts';
import { pgPool } from '../support/database.ts';

/** The name of a prepared statement, or the SQL text of an unnamed one. */
export type Statement = string;

export interface Connection {
  /** Sends the statement to the server and waits for the reply. */
  send(): Promise<unknown>;
  /** The SQL of the statement. */
  text: string;
  socket: Socket;
  client: PoolClient;
  /** The number of the connection in this pool, from one. */
  number: number;
}

type Query = string | { name?: string; text: string } | Submitted;

/** A submitted prepared statement: it receives its result by callbacks instead of a promise. */
interface Submitted {
  name: string;
  text: string;
  submit(): void;
  handleReadyForQuery(): void;
  handleError(error: unknown): void;
}

function isSubmitted(query: Query): query is Submitted {
  return typeof query === 'object' && 'submit' in query;
}
type Hook = (statement: Statement, connection: Connection) => Promise<unknown>;

export interface FaultyPool {
  pool: ConnectionPool;
  /** The number of connections that were requested. */
  connections(): number;
}

export function socketOf(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** Unparsed statements are not pipelined, so that the hook sees each statement by itself. */
const NOTHING_PARSED = { parsedStatements: {}, submittedNamedStatements: {} };

/** Calls the hook instead of every statement; the hook executes the statement with `send`. */
export function faultyPool(connections: ConnectionPool, hook: Hook): FaultyPool {
  const pool = pgPool(connections);
  let number = 0;
  async function connect(): Promise<PoolClient> {
    number += 1;
    const connectionNumber = number;
    const client = await pool.connect();
    // A statement that the hook delays delays those behind it, as in a pipeline.
    let previous: Promise<unknown> = Promise.resolve();
    const execute = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const query = (config: Query, ...rest: unknown[]) => {
      const { name, text } = typeof config === 'string' ? { name: config, text: config } : config;
      const send = () => (isSubmitted(config) ? resultOf(config, execute) : execute(config, ...rest));
      const connection = { send, text, socket: socketOf(client), client, number: connectionNumber };
      const result = previous.then(() => hook(name ?? text, connection));
      previous = result.catch(() => undefined);
      if (!isSubmitted(config)) return result;
      result.then(
        () => config.handleReadyForQuery(),
        (error) => config.handleError(error),
      );
      return config;
    };
    return new Proxy(client, {
      get(target, property) {
        if (property === 'query') return query;
        const value: unknown = Reflect.get(target, property);
        if (property === 'connection') return Object.assign(Object.create(value as object), NOTHING_PARSED);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }
  const facade = new Proxy(pool, {
    get: (target, property) => (property === 'connect' ? connect : Reflect.get(target, property)),
  });
  return { pool: new ConnectionPool(facade), connections: () => number };
}

/** Sends a copy of the statement that forwards the rows and resolves the promise at the end of the result. */
function resultOf(statement: Submitted, execute: (query: unknown) => unknown): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  execute(Object.assign(Object.create(statement), { handleReadyForQuery: resolve, handleError: reject }));
  return promise;
}
