// Reads a statement as CSV: date,amount,reference,description,balance. Amounts are in SLE with decimals.
import { type CsvError, type Info, type Parser, parse } from 'csv-parse';
import { formatMoney } from '../../../../kernel/money.ts';
import { isStatementDay, parseSignedDecimal } from './amounts.ts';
import { StatementFault } from './fault.ts';
import {
  type ExpectedAccount,
  type ParsedStatement,
  StatementBuilder,
  type StatementParser,
  shown,
} from './statement-builder.ts';

const HEADER = 'date,amount,reference,description,balance';
const COLUMNS = HEADER.split(',').length;
const FORMAT = { separator: '.', maxDecimals: 2 } as const;
const MAX_RECORD_CHARACTERS = 10_000;

interface Line {
  record: string[];
  info: Info;
}

interface LastLine {
  date: string;
  balance: number;
  fields: string;
}

export class CsvStatementParser implements StatementParser {
  private readonly builder: StatementBuilder;
  private readonly csv: Parser;
  private hasHeader = false;
  private last: LastLine | null = null;
  private fault: unknown = null;

  constructor(expected: ExpectedAccount) {
    this.builder = new StatementBuilder(expected);
    this.csv = parse({
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: MAX_RECORD_CHARACTERS,
    });
    // An exception that a listener throws would end the process.
    this.csv.on('data', (line: Line) => this.take(line)).on('error', (error) => this.fail(csvFault(error)));
  }

  async push(text: string): Promise<void> {
    await new Promise<void>((resolve) => this.csv.write(text, () => resolve()));
    if (this.fault) throw this.fault;
  }

  async end(): Promise<ParsedStatement> {
    await new Promise<void>((resolve) => {
      this.csv.once('end', resolve).once('error', resolve).end();
    });
    if (this.fault) throw this.fault;
    const last = this.last;
    if (!last) throw new StatementFault('The file has no entries.');
    this.builder.close({ amount: last.balance, date: last.date }, 'The last line');
    return this.builder.finish();
  }

  private take(line: Line): void {
    if (this.fault) return;
    try {
      if (this.hasHeader) this.read(line.record, line.info.lines);
      else this.readHeader(line.record);
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.fault ??= error;
  }

  private readHeader(fields: string[]): void {
    if (fields.join(',').toLowerCase() !== HEADER) {
      throw new StatementFault(`Line 1: the header must be ${HEADER}.`);
    }
    this.hasHeader = true;
  }

  private read(fields: string[], number: number): void {
    const where = `Line ${number}`;
    if (fields.length !== COLUMNS) {
      throw new StatementFault(`${where}: it has ${fields.length} fields instead of ${COLUMNS}.`);
    }
    const [date = '', amountText = '', reference = '', description = '', balanceText = ''] = fields;
    const last = this.last;
    if (!isStatementDay(date)) throw new StatementFault(`${where}: the date ${shown(date)} is not YYYY-MM-DD.`);
    const amount = amountIn(amountText, 'amount', where);
    const balance = amountIn(balanceText, 'balance', where);
    if (last?.fields === fields.join('\n'))
      throw new StatementFault(`${where}: it is a duplicate of the line before it.`);
    if (last && date < last.date) {
      throw new StatementFault(`${where}: the date ${date} is before ${last.date}. List the oldest entry first.`);
    }
    if (!last) this.builder.open({ amount: balance - amount, date }, where, date);
    else if (last.balance + amount !== balance) {
      const sums = `${formatMoney(last.balance)} and ${formatMoney(amount)} do not make ${formatMoney(balance)}`;
      throw new StatementFault(`${where}: the balance before it and the amount do not add up: ${sums}.`);
    }
    this.builder.entry({ bookedOn: date, valueOn: null, amount, reference, description }, where);
    this.last = { date, balance, fields: fields.join('\n') };
  }
}

function amountIn(text: string, field: string, where: string): number {
  const amount = parseSignedDecimal(text, FORMAT);
  if (amount !== null) return amount;
  throw new StatementFault(`${where}: the ${field} ${shown(text)} is not an amount in SLE such as -1250.50.`);
}

function csvFault(error: CsvError | Error): StatementFault {
  const { code, lines } = error as Partial<CsvError> & { lines?: number };
  const where = typeof lines === 'number' ? `Line ${lines}` : 'The file';
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return new StatementFault(`${where}: it is longer than ${MAX_RECORD_CHARACTERS} characters.`);
  }
  return new StatementFault(`${where}: the quotes are not valid CSV.`);
}
