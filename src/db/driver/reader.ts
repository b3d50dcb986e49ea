// One connection that all batched look-ups share: sent as they come, answered in order, none waits for another's answer.
import type pg from 'pg';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { endOfTurn } from '../batch-loader.ts';
import { gatherWrites, NOT_IN_TIME } from './client.ts';
import { type Columns, Skipped, type Statement, send, sendAlone, togetherThisTurn } from './prepared.ts';

export interface Reader {
  /** For short reads by index; a slow one would hold up those behind it. */
  query<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>>;
  /** The same for what most requests look up, by the shortest way: each row the texts of its columns. */
  rows(statement: Statement): Promise<Columns[]>;
}

export interface SharedReader extends Reader {
  /** How many queries have been sent and not answered. */
  underWay(): number;
  close(): Promise<void>;
}

/**
 * A query costs Node a quarter of what it costs through the pool, which hands a connection to one query at a time.
 * `connect` makes a pipelining client. One that breaks fails what is under way on it, and is replaced at the next query.
 */
export function sharedReader(connect: () => pg.Client): SharedReader {
  let connecting: Promise<pg.Client> | null = null;
  let current: pg.Client | null = null;
  let underWay = 0;
  let closed = false;

  async function open(): Promise<pg.Client> {
    if (closed) throw new Error('the reader was closed');
    const client = connect();
    current = client;
    const forget = () => {
      if (connecting === opened) connecting = null;
    };
    client.on('error', forget);
    client.on('end', forget);
    const opened = client.connect().then(() => client);
    connecting = opened;
    opened.catch(forget);
    return opened;
  }

  async function ask<Result>(question: (client: pg.Client) => Promise<Result>): Promise<Result> {
    try {
      return await askOnce(question);
    } catch (error) {
      // What only reads can be asked again: the end of a connection is nobody's failure but its own.
      if (!connectionEnded(error)) throw error;
      return askOnce(question);
    }
  }

  async function askOnce<Result>(question: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = await (connecting ?? open());
    underWay += 1;
    try {
      return await question(client);
    } catch (error) {
      // Before its events say so: nobody is handed this one any more.
      if (connectionEnded(error) && current === client) connecting = null;
      throw error;
    } finally {
      underWay -= 1;
    }
  }

  return {
    query: (query) =>
      ask((client) => {
        gatherWrites(client);
        return client.query(query);
      }),
    async rows(statement) {
      try {
        return await ask((client) => {
          togetherThisTurn(client);
          return send(client, statement);
        });
      } catch (error) {
        // The failure of another's look-up is not this one's; alone, it has none but its own.
        if (!(error instanceof Skipped)) throw error;
        return ask((client) => sendAlone(client, statement));
      }
    },
    underWay: () => underWay,
    async close() {
      closed = true;
      // What was asked in this turn is sent at its end.
      await endOfTurn();
      const client = await connecting?.catch(() => null);
      connecting = null;
      await client?.end();
    },
  };
}

/** No code of the server's, or one by which it takes leave; a server that did not answer in time is not asked twice. */
function connectionEnded(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (message === NOT_IN_TIME || error instanceof Skipped) return false;
  return typeof code !== 'string' || /^(08|57P|E[A-Z]{4})/.test(code);
}
