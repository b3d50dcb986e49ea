// One connection that a caller holds: for transactions, and for statements that travel in one round trip.
import type pg from 'pg';
import { pipeline, send } from './pipeline.ts';
import { type Statement, type StatementRunner, statement, type Values } from './statement.ts';

const BEGIN = statement('begin', 'begin');
const COMMIT = statement('commit', 'commit');
const ROLLBACK = statement('rollback', 'rollback');

export class Connection implements StatementRunner {
  private readonly client: pg.ClientBase;
  private readonly onRelease: (isBroken: boolean) => void;

  constructor(client: pg.ClientBase, giveBack: (isBroken: boolean) => void) {
    this.client = client;
    this.onRelease = giveBack;
  }

  async run<Row>(statement: Statement<Row>, values: Values = []): Promise<Row[]> {
    const { rows } = await send(this.client, statement, values);
    return rows.map(statement.decode);
  }

  async execute(statement: Statement<unknown>, values: Values = []): Promise<number> {
    return affectedRows((await send(this.client, statement, values)).tag);
  }

  /** Statements that `fill` sends synchronously travel in one round trip. The server stops at the first that fails. */
  pipeline<T>(fill: () => T): T {
    return pipeline(this.client, fill);
  }

  async begin(): Promise<void> {
    await send(this.client, BEGIN, []);
  }

  /** Rejects when the server rolled the transaction back instead. */
  async commit(): Promise<void> {
    const { tag } = await send(this.client, COMMIT, []);
    if (tag !== 'COMMIT') throw new Error('the server rolled the transaction back at its commit');
  }

  async rollback(): Promise<void> {
    await send(this.client, ROLLBACK, []);
  }

  release(): void {
    this.onRelease(false);
  }

  /** Closes the connection. The server rolls back its open transaction. */
  discard(): void {
    this.onRelease(true);
  }
}

/** `UPDATE 3`, `INSERT 0 3`: the last word of a command tag is the number of rows. */
function affectedRows(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0;
}
