// Reads { "rows": [ {…}, … ] } while it arrives, one row at a time: memory does not grow with the file.
import type { RowReader, TakeRow } from './csv-file.ts';
import { FileFault, shown } from './fault.ts';
import { COLUMNS, type ColumnName, type Fields, faultAt, type Place } from './row.ts';

const MAX_ROW_CHARACTERS = 8_000;
const EXPECTED = 'The body must be { "rows": [ … ] } with one object per row.';

/** What may come next, outside of a row. */
type Expected = 'opening' | 'rows' | 'colon' | 'array' | 'first' | 'separator' | 'next' | 'closing' | 'nothing';

const SPACE = /\s/;
const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [34, 92, 123, 125, 91, 93];

export class JsonRows implements RowReader {
  private readonly take: TakeRow;
  private expected: Expected = 'opening';
  /** The name `rows`, or the row that is being read. */
  private held = '';
  private depth = 0;
  private isInText = false;
  private isEscaped = false;
  private rows = 0;

  constructor(take: TakeRow) {
    this.take = take;
  }

  async push(text: string): Promise<void> {
    for (let from = 0; from < text.length; ) {
      if (this.depth > 0) from = this.readRow(text, from);
      else {
        this.readBetween(text[from] as string);
        from += 1;
      }
    }
  }

  async end(): Promise<void> {
    if (this.expected !== 'nothing') throw new FileFault(`The JSON ends too early. ${EXPECTED}`);
  }

  /** Returns where the rest of the text begins. */
  private readRow(text: string, from: number): number {
    let at = from;
    for (; at < text.length && this.depth > 0; at++) this.follow(text.charCodeAt(at));
    this.held += text.slice(from, at);
    const place: Place = { line: this.rows + 1, unit: 'Row' };
    if (this.held.length > MAX_ROW_CHARACTERS) {
      throw new FileFault(`Row ${place.line}: it is longer than ${MAX_ROW_CHARACTERS} characters.`);
    }
    if (this.depth === 0) {
      this.rows += 1;
      this.take(fieldsOf(this.held, place), place);
      this.held = '';
      this.expected = 'separator';
    }
    return at;
  }

  private follow(code: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (this.isInText) {
      if (code === BACKSLASH) this.isEscaped = true;
      else if (code === QUOTE) this.isInText = false;
    } else if (code === QUOTE) this.isInText = true;
    else if (code === OPEN || code === OPEN_LIST) this.depth += 1;
    else if (code === CLOSE || code === CLOSE_LIST) this.depth -= 1;
  }

  private readBetween(character: string): void {
    // White space before the name is not held: looking through it again for each character would never end.
    if (this.held === '' && SPACE.test(character)) return;
    if (this.expected === 'rows') {
      this.held += character;
      if (this.held === '"rows"') [this.expected, this.held] = ['colon', ''];
      else if (!'"rows"'.startsWith(this.held)) throw new FileFault(`Only "rows" is known. ${EXPECTED}`);
      return;
    }
    if (character === '{' && (this.expected === 'first' || this.expected === 'next')) {
      [this.depth, this.held] = [1, character];
      return;
    }
    const following = NEXT[this.expected][character];
    if (!following) throw new FileFault(`After ${this.rows} rows, ${shown(character)} is not expected. ${EXPECTED}`);
    this.expected = following;
  }
}

const NEXT: Record<Expected, Record<string, Expected>> = {
  opening: { '{': 'rows' },
  rows: {},
  colon: { ':': 'array' },
  array: { '[': 'first' },
  first: { ']': 'closing' },
  separator: { ',': 'next', ']': 'closing' },
  next: {},
  closing: { '}': 'nothing' },
  nothing: {},
};

/** TypeScript's library does not declare the reviver's context (ES2026). */
type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown;
const { parse } = JSON as unknown as { parse(json: string, reviver: Reviver): unknown };

function fieldsOf(json: string, place: Place): Fields {
  const fields: Fields = {};
  for (const [name, value] of Object.entries(parsed(json, place))) {
    const column = COLUMNS.find((each) => each === name);
    if (!column) throw faultAt(place, shown(name), `there is no such column. Columns: ${COLUMNS.join(', ')}.`);
    if (value !== null) fields[column] = textOf(value, column, place);
  }
  return fields;
}

function textOf(value: unknown, column: ColumnName, place: Place): string {
  if (typeof value === 'string') return value;
  throw faultAt(place, column, 'it must be text, or a number if it is the amount.');
}

function parsed(json: string, place: Place): object {
  try {
    // Amounts as they were sent: 1e3 and 0.1000000000000000055 must not become other numbers.
    return parse(json, (name, value, context) =>
      typeof value === 'number' && name === 'amount' ? (context?.source ?? value) : value,
    ) as object;
  } catch {
    throw new FileFault(`Row ${place.line} is not valid JSON.`);
  }
}
