// A pool whose connections do what a test says at a statement: wait, break, or lose the answer.
import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';
import { ConnectionPool } from '../../src/db/driver/pool.ts';
import { pgPool } from '../support/database.ts';

/** What the ledger sends: a text of its own or the name of a prepared statement. */
export type Statement = string;

export interface Connection {
  /** Sends it to the server and waits for the answer. */
  send(): Promise<unknown>;
  /** The SQL of the statement. */
  text: string;
  socket: Socket;
  client: PoolClient;
  /** Counted from one: which connection of this pool it is. */
  number: number;
}

type Query = string | { name?: string; text: string } | Submitted;

/** A prepared statement on its way, which is told of its answer instead of promising one. */
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
  /** How many connections were asked for. */
  connections(): number;
}

export function socketOf(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** What has not been parsed yet travels alone, so that each statement meets the hook by itself. */
const NOTHING_PARSED = { parsedStatements: {}, submittedNamedStatements: {} };

/** The hook stands in for every statement; it sends what it is given with `send`. */
export function faultyPool(connections: ConnectionPool, hook: Hook): FaultyPool {
  const pool = pgPool(connections);
  let number = 0;
  async function connect(): Promise<PoolClient> {
    number += 1;
    const mine = number;
    const client = await pool.connect();
    const ask = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const query = (config: Query, ...rest: unknown[]) => {
      const { name, text } = typeof config === 'string' ? { name: config, text: config } : config;
      const send = () => (isSubmitted(config) ? answerOf(config, ask) : ask(config, ...rest));
      const answered = hook(name ?? text, { send, text, socket: socketOf(client), client, number: mine });
      if (!isSubmitted(config)) return answered;
      answered.then(
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

/** Sends a stand-in that passes the rows on and keeps the end of them to itself. */
function answerOf(statement: Submitted, ask: (standIn: unknown) => unknown): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  ask(Object.assign(Object.create(statement), { handleReadyForQuery: resolve, handleError: reject }));
  return promise;
}
