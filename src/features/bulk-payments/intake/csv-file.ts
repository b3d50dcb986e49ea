// Reads a bulk payment's CSV file while it arrives: a header with the names of the columns, then one row per line.
import { type CsvError, type Info, type Parser, parse } from 'csv-parse';
import { plural } from '../../../kernel/plural.ts';
import { FileFault, shown } from './fault.ts';
import { COLUMNS, type ColumnName, type Fields, type Place } from './row.ts';

export type TakeRow = (fields: Fields, place: Place) => void;

/** The fields of a file's rows, passed on as soon as their row is complete. */
export interface RowReader {
  push(text: string): Promise<void>;
  end(): Promise<void>;
}

const MAX_RECORD_CHARACTERS = 4_000;
/** The parser counts only the characters of fields: a line of commas alone would fill the memory. */
const MAX_LINE_CHARACTERS = 64 * 1024;
const REQUIRED: readonly ColumnName[] = ['reference', 'amount'];
const RECIPIENT: readonly ColumnName[] = ['phone_number', 'account_number'];

export class CsvRows implements RowReader {
  private readonly take: TakeRow;
  private readonly csv: Parser;
  private columns: ColumnName[] | null = null;
  private fault: unknown = null;
  private lines = 0;
  /** Pushed since the parser last finished a line. */
  private pushed = 0;

  constructor(take: TakeRow) {
    this.take = take;
    this.csv = parse({
      ...{ info: true, relax_column_count: true, skip_empty_lines: true, trim: true },
      max_record_size: MAX_RECORD_CHARACTERS,
    });
    // An exception that a listener throws would end the process.
    this.csv
      .on('data', ({ record, info }: { record: string[]; info: Info }) => this.read(record, info.lines))
      .on('error', (error) => this.fail(this.csvFault(error)));
  }

  async push(text: string): Promise<void> {
    await new Promise<void>((resolve) => this.csv.write(text, () => resolve()));
    if (this.fault) throw this.fault;
    const { lines } = this.csv.info;
    this.pushed = lines === this.lines ? this.pushed + text.length : 0;
    this.lines = lines;
    if (this.pushed > MAX_LINE_CHARACTERS) throw tooLong(`Line ${lines}`);
  }

  async end(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.csv.once('end', resolve).once('error', resolve).end();
    });
    if (this.fault) throw this.fault;
  }

  private read(fields: string[], line: number): void {
    if (this.fault) return;
    try {
      if (this.columns === null) this.columns = columnsIn(fields);
      else this.take(fieldsOf(fields, this.columns, line), { line, unit: 'Line' });
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.fault ??= error;
  }

  private csvFault(error: CsvError | Error): FileFault {
    const { code, lines, column } = error as Partial<CsvError> & { lines?: number; column?: number | string };
    const name = typeof column === 'number' ? this.columns?.[column] : undefined;
    const where = `${lines === undefined ? 'The file' : `Line ${lines}`}${name ? `, column ${name}` : ''}`;
    if (code === 'CSV_MAX_RECORD_SIZE') return tooLong(where);
    return new FileFault(`${where}: the quotes are not valid CSV.`);
  }
}

function tooLong(where: string): FileFault {
  return new FileFault(
    `${where}: the line is longer than ${MAX_RECORD_CHARACTERS} characters, or a quote is not closed.`,
  );
}

function columnsIn(names: string[]): ColumnName[] {
  const [first = ''] = names;
  const separator = names.length === 1 && /[;\t|]/.exec(first)?.[0];
  if (separator) throw new FileFault(`Line 1: separate the columns by commas, not by ${shown(separator)}.`);
  const columns = names.map((name) => columnNamed(name.toLowerCase()));
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice) throw new FileFault(`Line 1, column ${twice}: the header names it twice.`);
  const missing = REQUIRED.find((name) => !columns.includes(name));
  if (missing) throw new FileFault(`Line 1: the header has no column ${missing}. ${EXPECTED}`);
  if (RECIPIENT.some((name) => columns.includes(name))) return columns;
  throw new FileFault(`Line 1: the header has neither phone_number nor account_number. ${EXPECTED}`);
}

const EXPECTED = `Columns: ${COLUMNS.join(', ')}.`;

function columnNamed(name: string): ColumnName {
  const known = COLUMNS.find((column) => column === name);
  if (known) return known;
  throw new FileFault(`Line 1, column ${shown(name)}: there is no such column. ${EXPECTED}`);
}

function fieldsOf(values: string[], columns: readonly ColumnName[], line: number): Fields {
  if (values.length === columns.length) {
    return Object.fromEntries(columns.map((name, index) => [name, values[index]]));
  }
  const counts = `it has ${plural(values.length, 'field')} instead of ${columns.length}`;
  const at = columns[values.length] ?? columns.at(-1);
  const hint = values.some((value) => /[;\t|]/.test(value)) ? ' Separate all columns by commas.' : '';
  throw new FileFault(`Line ${line}, column ${at}: ${counts}.${hint}`);
}
