// Streaming CSV reader for card uploads. Every line is one record: an unterminated quote invalidates only its own
// line, where a general CSV parser would read the rest of the file as one field.
import { tidy } from '../../kernel/text.ts';
import { readSerial } from '../../parties/card.ts';
import { MAX_LABEL_CHARACTERS } from './record.ts';

export interface Line {
  /** Starts at 1. */
  number: number;
  text: string;
  tooLong: boolean;
}

export interface CardLine {
  serial: string;
  label: string | null;
}

export interface Fault {
  serial: string;
  error: string;
}

export const MAX_LINE_CHARACTERS = 1_000;
const MAX_SHOWN_CHARACTERS = 64;
// Adjacent subpatterns never match the same character, so matching takes linear time.
const FIELD = /(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y;

/** Buffers the incomplete last line of each chunk, bounded by the maximum line length. */
export class LineSplitter {
  private readonly decoder = new TextDecoder();
  private held = '';
  private tooLong = false;
  private number = 0;

  *push(chunk: Uint8Array): Generator<Line> {
    const text = this.decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
      this.hold(text.slice(from, to));
      yield this.release();
      from = to + 1;
    }
    this.hold(text.slice(from));
  }

  /** Yields the last line if it has no line end. */
  *end(): Generator<Line> {
    this.hold(this.decoder.decode());
    if (this.held !== '') yield this.release();
  }

  private hold(text: string): void {
    const charactersLeft = MAX_LINE_CHARACTERS + 1 - this.held.length;
    this.tooLong ||= text.length > charactersLeft;
    this.held += text.slice(0, charactersLeft);
  }

  private release(): Line {
    const text = this.held.endsWith('\r') ? this.held.slice(0, -1) : this.held;
    const tooLong = this.tooLong || text.length > MAX_LINE_CHARACTERS;
    this.held = '';
    this.tooLong = false;
    this.number += 1;
    return { number: this.number, text, tooLong };
  }
}

/** Null if the quotes are unbalanced or misplaced. */
export function fieldsOf(text: string): string[] | null {
  if (!text.includes('"')) return text.split(',');
  const fields: string[] = [];
  FIELD.lastIndex = 0;
  for (;;) {
    const match = FIELD.exec(text);
    if (!match) return null;
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return fields;
  }
}

/** The number of columns in the header, or null if the line is not a valid header. */
export function columnsOf({ text, tooLong }: Line): 1 | 2 | null {
  const [serial, label, ...more] = tooLong ? [] : (fieldsOf(text) ?? []).map((name) => name.trim().toLowerCase());
  if (serial !== 'serial' || more.length > 0) return null;
  if (label === undefined) return 1;
  return label === 'label' ? 2 : null;
}

export function isBlank({ text, tooLong }: Line): boolean {
  return !tooLong && text.trim() === '';
}

export function readCardLine({ text, tooLong }: Line, columns: number): CardLine | Fault {
  const fields = fieldsOf(text);
  const [rawSerial = '', label = ''] = fields ?? text.split(',');
  const error = lineError(text, tooLong) ?? fieldsError(fields, columns);
  const serial = readSerial(rawSerial);
  if (error !== null) return { serial: shown(rawSerial), error };
  if (serial === null) return { serial: shown(rawSerial), error: 'A serial is 4 to 64 letters, digits, or - _ : .' };
  const tidied = tidy(label);
  // Counts code points, not UTF-16 code units.
  if (tidied.length > MAX_LABEL_CHARACTERS && [...tidied].length > MAX_LABEL_CHARACTERS) {
    return { serial: shown(rawSerial), error: `A label has at most ${MAX_LABEL_CHARACTERS} characters.` };
  }
  return { serial, label: tidied === '' ? null : tidied };
}

function lineError(text: string, tooLong: boolean): string | null {
  if (tooLong) return `The line is longer than ${MAX_LINE_CHARACTERS} characters.`;
  if (text.includes('\0')) return 'The line contains the character U+0000.';
  // The decoder's replacement character for invalid bytes.
  if (text.includes('\ufffd')) return 'The line is not UTF-8.';
  return null;
}

function fieldsError(fields: string[] | null, columns: number): string | null {
  if (fields === null) return 'The quotes in the line do not match.';
  return fields.length > columns ? `The line has ${fields.length} fields, the header ${columns}.` : null;
}

/** Copies the text: a substring would keep the whole chunk of the file in memory. */
function shown(text: string): string {
  return Buffer.from(text.trim().slice(0, MAX_SHOWN_CHARACTERS)).toString();
}
