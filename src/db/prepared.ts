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
  stream: { cork(): void; uncork(): void };
  parse(statement: { name: string; text: string }): void;
  bind(bound: { statement: string; values: Statement['values'] }): void;
  execute(): void;
  sync(): void;
}

/**
 * The driver's own query asks the server to describe the result every time, copies its settings and makes an object of
 * listeners, a result and a parser for each column: for a statement that finds one row, most of what it costs this process.
 */
class Sent {
  readonly name: string;
  readonly text: string;
  private readonly values: Statement['values'];
  protected readonly found: Columns[] = [];
  private readonly settle: (error: Error | null, rows: Columns[]) => void;

  constructor({ name, text, values }: Statement, settle: (error: Error | null, rows: Columns[]) => void) {
    this.name = name;
    this.text = text;
    this.values = values;
    this.settle = settle;
  }

  submit(connection: Connection): null {
    const { name, text } = this;
    connection.stream.cork();
    if (!(connection.parsedStatements[name] ?? connection.submittedNamedStatements[name])) {
      connection.parse({ name, text });
      connection.submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values: this.values });
    connection.execute();
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleDataRow(message: { fields: Columns }): void {
    this.found.push(message.fields);
  }

  handleCommandComplete(_message: { text: string }): void {}

  handleReadyForQuery(): void {
    this.settle(null, this.found);
  }

  handleError(error: Error): void {
    this.settle(error, this.found);
  }
}

// A pipelining client takes the driver's queries and nothing else, because others may keep a portal open. This one does not.
Object.setPrototypeOf(Sent.prototype, pg.Query.prototype);

/** One whose answer is what was done, such as BEGIN, COMMIT or ROLLBACK. */
class SentCommand extends Sent {
  override handleCommandComplete(message: { text: string }): void {
    this.found.push([message.text]);
  }
}

export function send(client: pg.ClientBase, statement: Statement): Promise<Columns[]> {
  return submitted(client, statement, Sent);
}

/** What the server says it did: a COMMIT that it could not make is a ROLLBACK. */
export async function command(client: pg.ClientBase, text: 'begin' | 'commit' | 'rollback'): Promise<string> {
  const [row] = await submitted(client, { name: text, text, values: [] }, SentCommand);
  return row?.[0] ?? '';
}

function submitted(client: pg.ClientBase, statement: Statement, Kind: typeof Sent): Promise<Columns[]> {
  return new Promise((resolve, reject) => {
    const answered = waitOn(client);
    const sent = new Kind(statement, (error, rows) => {
      answered();
      if (error) reject(error);
      else resolve(rows);
    });
    client.query(sent as unknown as pg.Query);
  });
}
