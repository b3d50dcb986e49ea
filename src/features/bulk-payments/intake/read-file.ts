// Reads an uploaded file of rows while it arrives, and hands the rows on in batches: memory does not grow with the file.
import { createHash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { FileChunks } from '../../../http/upload.ts';
import type { PhoneReader } from '../../../kernel/phone.ts';
import { Utf8Text } from '../../../kernel/utf8-text.ts';
import { RowsDigest } from '../rows-digest.ts';
import { CsvRows, type RowReader, type TakeRow } from './csv-file.ts';
import { FileFault, faultOf } from './fault.ts';
import { JsonRows } from './json-file.ts';
import { type FileRow, readRow } from './row.ts';

export const MAX_ROWS = 100_000;
export const MEDIA_TYPES = ['text/csv', 'application/json'] as const;
const BATCH_ROWS = 1_000;
/** Parsing this many bytes takes a few milliseconds. Payments are served between two pieces. */
const PIECE_BYTES = 16 * 1024;

interface Format {
  name: 'csv' | 'json';
  reader: new (take: TakeRow) => RowReader;
}

const FORMATS: Record<string, Format> = {
  'text/csv': { name: 'csv', reader: CsvRows },
  'application/json': { name: 'json', reader: JsonRows },
};

export interface ReadFile {
  sha256: Buffer;
  rowsDigest: Buffer;
  rowCount: number;
  amount: number;
  /** Rows whose reason is known already. */
  invalidCount: number;
  invalidAmount: number;
}

export interface FileTarget {
  phone: PhoneReader;
  store(rows: FileRow[]): Promise<void>;
}

export function formatOf(mediaType: string): Format {
  const format = FORMATS[mediaType];
  if (!format) throw new Error(`no format has the media type ${mediaType}`);
  return format;
}

/** Throws a FileFault that says where the file is wrong. */
export async function readFile(file: FileChunks, mediaType: string, target: FileTarget): Promise<ReadFile> {
  const rows = new Rows(target);
  const reader = new (formatOf(mediaType).reader)((fields, place) => rows.add(readRow(fields, place, target.phone)));
  const text = new Utf8Text(faultOf);
  const hash = createHash('sha256');
  for await (const chunk of file) {
    hash.update(chunk);
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      await reader.push(text.push(chunk.subarray(from, from + PIECE_BYTES)));
      await rows.flush(BATCH_ROWS);
      await yieldToOthers();
    }
  }
  await reader.push(text.end());
  await reader.end();
  await rows.flush(1);
  return { ...rows.end(), sha256: hash.digest() };
}

class Rows {
  private readonly target: FileTarget;
  private readonly digest = new RowsDigest();
  private waiting: FileRow[] = [];
  private rowCount = 0;
  private amount = 0;
  private invalidCount = 0;
  private invalidAmount = 0;

  constructor(target: FileTarget) {
    this.target = target;
  }

  add(row: FileRow): void {
    if (this.rowCount === MAX_ROWS) {
      throw new FileFault(`Line ${row.line}: a file has at most ${MAX_ROWS.toLocaleString('en')} rows.`);
    }
    this.rowCount += 1;
    this.amount += row.amount;
    if (row.reason !== null) {
      this.invalidCount += 1;
      this.invalidAmount += row.amount;
    }
    this.digest.add(row);
    this.waiting.push(row);
  }

  /** If there are at least so many. */
  async flush(count: number): Promise<void> {
    if (this.waiting.length < count) return;
    const rows = this.waiting;
    this.waiting = [];
    await this.target.store(rows);
  }

  end(): Omit<ReadFile, 'sha256'> {
    if (this.rowCount === 0) throw new FileFault('The file has no rows.');
    return {
      rowCount: this.rowCount,
      amount: this.amount,
      invalidCount: this.invalidCount,
      invalidAmount: this.invalidAmount,
      rowsDigest: this.digest.end(),
    };
  }
}
