// Sends prepared statements to a connection, alone or several in one round trip.
import type pg from 'pg';
import { startTimeout } from './client.ts';
import { endsConnection } from './errors.ts';
import { acceptInPipelines, type Submittable, submit, type WireConnection, wireOf } from './pg-internals.ts';
import { type Columns, encodeValue, type Statement, type Values } from './statement.ts';

export interface Answer {
  rows: Columns[];
  /** The command tag, such as `UPDATE 3` or `COMMIT`. A COMMIT of a failed transaction is answered with `ROLLBACK`. */
  tag: string;
}

/** One statement of a pipeline, and the promise of its caller. */
interface Part extends Answer {
  statement: Statement<unknown>;
  values: Values;
  resolve(answer: Answer): void;
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
  private readonly parts: readonly Part[];
  private readonly stopTimeout: () => void;
  private next = 0;

  constructor(parts: readonly Part[], stopTimeout: () => void) {
    this.parts = parts;
    this.stopTimeout = stopTimeout;
    const only = parts.length === 1 ? parts[0]?.statement : undefined;
    this.name = only?.name;
    this.text = only?.text;
  }

  /** When a statement cannot be serialized, half a pipeline may have been written: the connection is closed. */
  submit(connection: WireConnection): Error | null {
    const { stream } = connection;
    stream.cork();
    try {
      for (const part of this.parts) write(connection, part);
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
    this.parts[this.next]?.rows.push(message.fields);
  }

  handleCommandComplete(message: { text: string }): void {
    const part = this.parts[this.next++];
    if (part) part.tag = message.text;
  }

  handleReadyForQuery(): void {
    this.stopTimeout();
    for (const part of this.parts) part.resolve(part);
  }

  /** Rejects the statement that failed first, so that Promise.all over the pipeline reports its error. */
  handleError(error: Error): void {
    this.stopTimeout();
    const failed = this.parts[Math.min(this.next, this.parts.length - 1)];
    failed?.reject(error);
    const reason = endsConnection(error) ? error : new PipelineAborted(error);
    for (const part of this.parts) if (part !== failed) part.reject(reason);
  }
}

acceptInPipelines(Pipeline);

function write(connection: WireConnection, { statement: { name, text }, values }: Part): void {
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
const filling = new WeakMap<pg.ClientBase, Part[]>();

/** Joins the pipeline that is being filled on this client, if there is one. */
export function send(client: pg.ClientBase, statement: Statement<unknown>, values: Values): Promise<Answer> {
  const { part, answer } = partOf(statement, values);
  const pipeline = filling.get(client);
  if (pipeline) pipeline.push(part);
  else sendPipeline(client, [part]);
  return answer;
}

/** Does not join a pipeline. */
export function sendAlone(client: pg.ClientBase, statement: Statement<unknown>, values: Values): Promise<Answer> {
  const { part, answer } = partOf(statement, values);
  sendPipeline(client, [part]);
  return answer;
}

function partOf(statement: Statement<unknown>, values: Values): { part: Part; answer: Promise<Answer> } {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
  return { part: { statement, values, rows: [], tag: '', resolve, reject }, answer };
}

/** Statements that `fill` sends synchronously travel in one round trip. */
export function pipeline<T>(client: pg.ClientBase, fill: () => T): T {
  const parts: Part[] = [];
  filling.set(client, parts);
  try {
    return fill();
  } finally {
    filling.delete(client);
    sendPipeline(client, parts);
  }
}

/** Statements that are sent before the event loop continues travel in one round trip. */
export function pipelineThisTick(client: pg.ClientBase): void {
  if (filling.has(client)) return;
  const parts: Part[] = [];
  filling.set(client, parts);
  process.nextTick(() => {
    filling.delete(client);
    sendPipeline(client, parts);
  });
}

/** A statement that the server has not parsed yet travels alone: a syntax error then fails no other statement. */
function sendPipeline(client: pg.ClientBase, parts: Part[]): void {
  if (parts.length === 0) return;
  const connection = wireOf(client);
  if (parts.length > 1 && !parts.every(({ statement }) => isParsed(connection, statement.name))) {
    for (const part of parts) sendPipeline(client, [part]);
    return;
  }
  submit(client, new Pipeline(parts, startTimeout(client)));
}
