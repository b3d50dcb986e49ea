// One connection that all batched look-ups share: sent as they come, answered in order, none waits for another's answer.
import type pg from 'pg';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { gatherWrites } from './client.ts';

export interface Reader {
  /** For short reads by index; a slow one would hold up those behind it. */
  query<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>>;
  /** The same, each row an array of its columns: half the work, where many rows come back. */
  rows<Row extends unknown[]>(query: QueryConfig): Promise<Row[]>;
}

export interface SharedReader extends Reader {
  close(): Promise<void>;
}

/**
 * A query costs Node a quarter of what it costs through the pool, which hands a connection to one query at a time.
 * `connect` makes a pipelining client. One that breaks fails what is under way on it, and is replaced at the next query.
 */
export function sharedReader(connect: () => pg.Client): SharedReader {
  let connecting: Promise<pg.Client> | null = null;

  async function open(): Promise<pg.Client> {
    const client = connect();
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

  async function send<Result>(query: QueryConfig & { rowMode?: 'array' }): Promise<Result> {
    const client = await (connecting ?? open());
    gatherWrites(client);
    return client.query(query) as Promise<Result>;
  }

  return {
    query: (query) => send(query),
    async rows<Row>(query: QueryConfig) {
      const { rows } = await send<{ rows: Row[] }>({ ...query, rowMode: 'array' });
      return rows;
    },
    async close() {
      const client = await connecting?.catch(() => null);
      connecting = null;
      await client?.end();
    },
  };
}
