// Loads the rows of archives into temporary tables for verification.
import { textArray } from '../../db/driver/binary-arrays.ts';
import type { Connection } from '../../db/driver/connection.ts';
import { type Columns, statement } from '../../db/driver/statement.ts';
import { ARCHIVED, type ArchiveSeal, type ArchiveTable } from './format.ts';
import { type ArchiveFault, readArchive } from './read.ts';

const TABLES = Object.keys(ARCHIVED) as ArchiveTable[];
const PAGE = 4_000;

/** For this session only. */
export async function createArchiveTables(connection: Connection): Promise<void> {
  for (const table of TABLES) {
    const text = `create temp table archived_${table} (like ${table})`;
    await connection.execute(statement(`load-create-${table}`, text));
  }
}

const READ_VIEWS = statement('load-read-views', `select set_config('search_path', 'pg_temp, public', false)`);

/** From now on the session reads movements and postings with the archived ones: temporary views come before other tables. */
export async function joinArchiveTables(connection: Connection, schema: string): Promise<void> {
  await connection.run(READ_VIEWS);
  for (const table of TABLES) {
    const names = namesOf(table);
    const text = `create temp view ${table} as select ${names} from "${schema}".${table}
      union all select ${names} from archived_${table}`;
    await connection.execute(statement(`load-join-${table}`, text));
    await connection.execute(statement(`load-analyze-${table}`, `analyze archived_${table}`));
  }
}

/** As joinArchiveTables, for a session that reads temporary copies of the tables. */
export async function addArchivedToCopies(connection: Connection): Promise<void> {
  for (const table of TABLES) {
    const names = namesOf(table);
    const text = `insert into pg_temp.${table} (${names}) select ${names} from archived_${table}`;
    await connection.execute(statement(`load-add-${table}`, text));
  }
}

function namesOf(table: ArchiveTable): string {
  return ARCHIVED[table].columns.map(([name]) => name).join(', ');
}

/** Loads one file. Returns what is wrong with it; null: it is the archive that the record seals. */
export async function loadArchive(
  connection: Connection,
  directory: string,
  seal: ArchiveSeal,
): Promise<ArchiveFault | null> {
  const loader = new Loader(connection);
  const fault = await readArchive(directory, seal, (table, row) => loader.add(table, row));
  if (!fault) await loader.flush();
  return fault;
}

class Loader {
  private readonly connection: Connection;
  private rows: Columns[] = [];
  private table: ArchiveTable = 'movements';

  constructor(connection: Connection) {
    this.connection = connection;
  }

  async add(table: ArchiveTable, row: Columns): Promise<void> {
    if (table !== this.table || this.rows.length >= PAGE) await this.flush();
    this.table = table;
    this.rows.push(row);
  }

  async flush(): Promise<void> {
    const { table, rows } = this;
    this.rows = [];
    if (rows.length === 0) return;
    const { columns } = ARCHIVED[table];
    const names = columns.map(([name]) => name);
    const text = `insert into archived_${table} (${names.join(', ')})
      select ${columns.map(([name, sql]) => `${name}${sql}`).join(', ')}
      from unnest(${names.map((_, index) => `$${index + 1}::text[]`).join(', ')}) as line (${names.join(', ')})`;
    const values = names.map((_, index) => textArray(rows.map((row) => row[index] ?? null)));
    await this.connection.execute(statement(`load-${table}`, text), values);
  }
}
