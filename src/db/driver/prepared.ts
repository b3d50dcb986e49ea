// Hand-written statements on their way through the driver: prepared once, columns as texts in an order both sides know.
import pg from 'pg';
import { waitOn } from './client.ts';

export interface Statement {
  /** What it is prepared under on each connection. */
  name: string;
  text: string;
  /** Arrays in their binary form, or texts. */
  values: readonly (Buffer | string | null)[];
}

/** The columns of a row as PostgreSQL writes them; wire.ts reads them. */
export type Columns = (string | null)[];

/** What of the driver's connection is used here. */
interface Connection {
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  stream: { cork(): void; uncork(): void; destroy(error: unknown): void };
  parse(statement: { name: string; text: string }): void;
  bind(bound: { statement: string; values: Statement['values'] }): void;
  execute(): void;
  sync(): void;
}

/** One statement of those that travel together, and who waits for its answer. */
interface Part {
  statement: Statement;
  rows: Columns[];
  /** What the server says it did, such as SELECT 1 or COMMIT; null until it was done. */
  did: string | null;
  resolve(part: Part): void;
  reject(reason: unknown): void;
}

/** Not known to be carried out, because another that travelled with it failed: that is its cause. */
export class Skipped extends Error {
  constructor(cause: Error) {
    super('a statement that was sent together with this one failed', { cause });
  }
}

/**
 * Statements as one query of the driver: PostgreSQL carries them out one by one, stops at the first that fails, and answers
 * once for all. The driver's own query asks the server to describe the result every time, copies its settings and makes an
 * object of listeners, a result and a parser for each column: for a statement that finds one row, most of what it costs
 * this process.
 */
class Sent {
  /** For the driver to know which statement was parsed; where there are several, all were parsed before. */
  readonly name: string | undefined;
  readonly text: string | undefined;
  private readonly parts: readonly Part[];
  private readonly answered: () => void;
  private next = 0;

  constructor(parts: readonly Part[], answered: () => void) {
    this.parts = parts;
    this.answered = answered;
    const only = parts.length === 1 ? parts[0]?.statement : undefined;
    this.name = only?.name;
    this.text = only?.text;
  }

  /** What cannot be sent is returned, as the driver wants it; half of it may be on its way, so its connection ends. */
  submit(connection: Connection): Error | null {
    const { stream } = connection;
    stream.cork();
    try {
      for (const { statement } of this.parts) sendTo(connection, statement);
      connection.sync();
      return null;
    } catch (error) {
      stream.destroy(error);
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
    if (part) part.did = message.text;
  }

  handleReadyForQuery(): void {
    this.answered();
    for (const part of this.parts) part.resolve(part);
  }

  /** Once, and then nothing more. The one that failed is told first; where the connection failed, all of them did. */
  handleError(error: Error): void {
    this.answered();
    const failed = this.parts[Math.min(this.next, this.parts.length - 1)];
    failed?.reject(error);
    const others = isOfOne(error) ? new Skipped(error) : error;
    for (const part of this.parts) if (part !== failed) part.reject(others);
  }
}

function sendTo(connection: Connection, statement: Statement): void {
  const { name, text, values } = statement;
  if (!isParsed(connection, statement)) {
    connection.parse({ name, text });
    connection.submittedNamedStatements[name] = text;
  }
  connection.bind({ statement: name, values });
  connection.execute();
}

/** A statement's own failure, and not the leave that a server takes of its connection. */
function isOfOne(error: Error): boolean {
  return error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '');
}

// A pipelining client takes the driver's queries and nothing else, because others may keep a portal open. This one does not.
Object.setPrototypeOf(Sent.prototype, pg.Query.prototype);

export async function send(client: pg.ClientBase, statement: Statement): Promise<Columns[]> {
  return (await submitted(client, statement)).rows;
}

/** Whatever else is on its way to this client. */
export async function sendAlone(client: pg.ClientBase, statement: Statement): Promise<Columns[]> {
  const { part, answered } = partOf(statement);
  submit(client, [part]);
  return (await answered).rows;
}

/** What the server says it did: a COMMIT that it could not make is a ROLLBACK. */
export async function command(client: pg.ClientBase, text: 'begin' | 'commit' | 'rollback'): Promise<string> {
  return (await submitted(client, { name: text, text, values: [] })).did ?? '';
}

const gathering = new WeakMap<pg.ClientBase, Part[]>();

/** What is sent meanwhile leaves in one write, and is answered in one: a wake-up of the server, and one of ours, instead of one each. */
export function together<T>(client: pg.ClientBase, send: () => T): T {
  const parts: Part[] = [];
  gathering.set(client, parts);
  try {
    return send();
  } finally {
    gathering.delete(client);
    submit(client, parts);
  }
}

/** The same for whatever is sent before the event loop goes on. */
export function togetherThisTurn(client: pg.ClientBase): void {
  if (gathering.has(client)) return;
  const parts: Part[] = [];
  gathering.set(client, parts);
  process.nextTick(() => {
    gathering.delete(client);
    submit(client, parts);
  });
}

function submitted(client: pg.ClientBase, statement: Statement): Promise<Part> {
  const { part, answered } = partOf(statement);
  const others = gathering.get(client);
  if (others) others.push(part);
  else submit(client, [part]);
  return answered;
}

function partOf(statement: Statement): { part: Part; answered: Promise<Part> } {
  const { promise: answered, resolve, reject } = Promise.withResolvers<Part>();
  return { part: { statement, rows: [], did: null, resolve, reject }, answered };
}

/** One that is not yet parsed travels alone: if it cannot be, that is known of it and not of others. */
function submit(client: pg.ClientBase, parts: Part[]): void {
  if (parts.length === 0) return;
  const connection = connectionOf(client);
  if (parts.length > 1 && !parts.every(({ statement }) => isParsed(connection, statement))) {
    for (const part of parts) submit(client, [part]);
    return;
  }
  client.query(new Sent(parts, waitOn(client)) as unknown as pg.Query);
}

function isParsed({ parsedStatements, submittedNamedStatements }: Connection, { name }: Statement): boolean {
  return (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined;
}

function connectionOf(client: pg.ClientBase): Connection {
  return (client as unknown as { connection: Connection }).connection;
}
