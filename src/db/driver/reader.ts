// One connection that all batched look-ups share: statements are pipelined, so none waits for another's answer.
import type pg from 'pg';
import { endOfTurn } from '../batch-loader.ts';
import { lostConnection } from './errors.ts';
import { PipelineAborted, pipelineThisTick, type StatementResult, send, sendAlone } from './pipeline.ts';
import type { Statement, StatementRunner, Values } from './statement.ts';

/** For short reads by index: a slow statement delays all that follow it. */
export type Reader = Pick<StatementRunner, 'run'>;

export interface SharedReader extends Reader {
  /** Statements sent and not answered. */
  inFlight(): number;
  close(): Promise<void>;
}

/**
 * Costs this process a quarter of what a pool does, which hands a connection to one query at a time. `connect` returns a
 * pipelining client. When the connection breaks, the next statement opens a new one and the statements in flight are repeated
 * once, because they only read.
 */
export function sharedReader(connect: () => pg.Client): SharedReader {
  let connecting: Promise<pg.Client> | null = null;
  let current: pg.Client | null = null;
  let inFlight = 0;
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

  async function withRetry(query: (client: pg.Client) => Promise<StatementResult>): Promise<StatementResult> {
    try {
      return await runOnce(query);
    } catch (error) {
      if (error instanceof PipelineAborted || !lostConnection(error)) throw error;
      return runOnce(query);
    }
  }

  async function runOnce(query: (client: pg.Client) => Promise<StatementResult>): Promise<StatementResult> {
    const client = await (connecting ?? open());
    inFlight += 1;
    try {
      return await query(client);
    } catch (error) {
      // The client's own events come later: from now on no statement is sent on this connection.
      if (!(error instanceof PipelineAborted) && lostConnection(error) && current === client) connecting = null;
      throw error;
    } finally {
      inFlight -= 1;
    }
  }

  async function resultOf(statement: Statement<unknown>, values: Values): Promise<StatementResult> {
    try {
      return await withRetry((client) => {
        pipelineThisTick(client);
        return send(client, statement, values);
      });
    } catch (error) {
      // Another look-up of the pipeline failed. Alone, this one fails only by itself.
      if (!(error instanceof PipelineAborted)) throw error;
      return withRetry((client) => sendAlone(client, statement, values));
    }
  }

  return {
    async run(statement, values = []) {
      const { rows } = await resultOf(statement, values);
      return rows.map(statement.decode);
    },
    inFlight: () => inFlight,
    async close() {
      closed = true;
      // Statements of this turn are sent at its end.
      await endOfTurn();
      const client = await connecting?.catch(() => null);
      connecting = null;
      await client?.end();
    },
  };
}
