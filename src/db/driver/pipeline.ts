// Sends prepared statements to a connection, alone or several in one round trip.
import type pg from 'pg';
import { isCitusClient, startTimeout } from './client.ts';
import { endsConnection } from './errors.ts';
import { acceptInPipelines, type Submittable, submit, type WireConnection, wireOf } from './pg-internals.ts';
import { type Columns, encodeValue, type Statement, type Values } from './statement.ts';

export interface StatementResult {
  rows: Columns[];
  /** The command tag, such as `UPDATE 3` or `COMMIT`. A COMMIT of a failed transaction is answered with `ROLLBACK`. */
  tag: string;
}

/** One statement of a pipeline, and the promise of its caller. */
interface QueuedStatement extends StatementResult {
  statement: Statement<unknown>;
  values: Values;
  resolve(result: StatementResult): void;
  reject(reason: unknown): void;
}

/** Another statement of the same pipeline failed (the cause), so the server did not run this one, or rolled it back. */
export class PipelineAborted extends Error {
  constructor(cause: Error) {
    super('another statement of the same pipeline failed', { cause });
  }
}

/**
 * A pipeline as one pg query: the server runs the statements in order, stops at the first that fails, and answers once for
 * all of them. pg's own Query asks the server to describe every result, copies its configuration, and allocates an event
 * emitter, a result and a parser per column. For a statement that finds one row, that is most of the cost in this process.
 */
class Pipeline implements Submittable {
  /** pg records the statement of this name as parsed. Only pipelines of one statement send a Parse message. */
  readonly name: string | undefined;
  readonly text: string | undefined;
  private readonly statements: readonly QueuedStatement[];
  private readonly stopTimeout: () => void;
  private next = 0;

  constructor(statements: readonly QueuedStatement[], stopTimeout: () => void) {
    this.statements = statements;
    this.stopTimeout = stopTimeout;
    const only = statements.length === 1 ? statements[0]?.statement : undefined;
    this.name = only?.name;
    this.text = only?.text;
  }

  /** When a statement cannot be serialized, half a pipeline may have been written: the connection is closed. */
  submit(connection: WireConnection): Error | null {
    const { stream } = connection;
    stream.cork();
    try {
      for (const queued of this.statements) write(connection, queued);
      connection.sync();
      return null;
    } catch (error) {
      stream.destroy(error as Error);
      return error as Error;
    } finally {
      stream.uncork();
    }
  }

  handleDataRow(message: { fields: Columns }): void {
    this.statements[this.next]?.rows.push(message.fields);
  }

  handleCommandComplete(message: { text: string }): void {
    const queued = this.statements[this.next++];
    if (queued) queued.tag = message.text;
  }

  handleReadyForQuery(): void {
    this.stopTimeout();
    for (const queued of this.statements) queued.resolve(queued);
  }

  /** Rejects the statement that failed first, so that Promise.all over the pipeline reports its error. */
  handleError(error: Error): void {
    this.stopTimeout();
    const failed = this.statements[Math.min(this.next, this.statements.length - 1)];
    failed?.reject(error);
    const reason = endsConnection(error) ? error : new PipelineAborted(error);
    for (const queued of this.statements) if (queued !== failed) queued.reject(reason);
  }
}

acceptInPipelines(Pipeline);

function write(connection: WireConnection, { statement: { name, text }, values }: QueuedStatement): void {
  if (!isParsed(connection, name)) {
    connection.parse({ name, text });
    connection.submittedNamedStatements[name] = text;
  }
  connection.bind({ statement: name, values, valueMapper: encodeValue });
  connection.execute();
}

function isParsed({ parsedStatements, submittedNamedStatements }: WireConnection, name: string): boolean {
  return (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined;
}

/** Pipelines that are being filled, by client. */
const filling = new WeakMap<pg.ClientBase, QueuedStatement[]>();

/** Joins the pipeline that is being filled on this client, if there is one. */
export function send(client: pg.ClientBase, statement: Statement<unknown>, values: Values): Promise<StatementResult> {
  const { queued, result } = queuedStatement(textFor(client, statement), values);
  const pipeline = filling.get(client);
  if (pipeline) pipeline.push(queued);
  else sendPipeline(client, [queued]);
  return result;
}

/** Does not join a pipeline. */
export function sendAlone(
  client: pg.ClientBase,
  statement: Statement<unknown>,
  values: Values,
): Promise<StatementResult> {
  const { queued, result } = queuedStatement(textFor(client, statement), values);
  sendPipeline(client, [queued]);
  return result;
}

/** Statements with their text for a cluster, made once. */
const onClusters = new WeakMap<Statement<unknown>, Statement<unknown>>();

function textFor(client: pg.ClientBase, statement: Statement<unknown>): Statement<unknown> {
  const { citusText } = statement;
  if (citusText === undefined || !isCitusClient(client)) return statement;
  const known = onClusters.get(statement);
  if (known) return known;
  const made = { ...statement, text: citusText };
  onClusters.set(statement, made);
  return made;
}

function queuedStatement(
  statement: Statement<unknown>,
  values: Values,
): { queued: QueuedStatement; result: Promise<StatementResult> } {
  const { promise: result, resolve, reject } = Promise.withResolvers<StatementResult>();
  return { queued: { statement, values, rows: [], tag: '', resolve, reject }, result };
}

/** Statements that `fill` sends synchronously travel in one round trip. */
export function pipeline<T>(client: pg.ClientBase, fill: () => T): T {
  const statements: QueuedStatement[] = [];
  filling.set(client, statements);
  try {
    return fill();
  } finally {
    filling.delete(client);
    sendPipeline(client, statements);
  }
}

/** Statements that are sent before the event loop continues travel in one round trip. */
export function pipelineThisTick(client: pg.ClientBase): void {
  if (filling.has(client)) return;
  const statements: QueuedStatement[] = [];
  filling.set(client, statements);
  process.nextTick(() => {
    filling.delete(client);
    sendPipeline(client, statements);
  });
}

/** A statement that the server has not parsed yet travels alone: a syntax error then fails no other statement. */
function sendPipeline(client: pg.ClientBase, statements: QueuedStatement[]): void {
  if (statements.length === 0) return;
  const connection = wireOf(client);
  if (statements.length > 1 && !statements.every(({ statement }) => isParsed(connection, statement.name))) {
    for (const queued of statements) sendPipeline(client, [queued]);
    return;
  }
  submit(client, new Pipeline(statements, startTimeout(client)));
}
