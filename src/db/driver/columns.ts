// Columns as PostgreSQL writes them, read.
import pg from 'pg';

/** Whole numbers within ±2^53. */
export function whole(text: string | null | undefined): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer from the database is larger than 2^53-1');
  return value;
}

export function wholeOrNull(text: string | null | undefined): number | null {
  return text == null ? null : whole(text);
}

export function yes(text: string | null | undefined): boolean {
  return text === 't';
}

export function bytes(text: string | null | undefined): Buffer {
  return Buffer.from((text ?? '').slice(2), 'hex');
}

const NO_TEXTS: readonly string[] = [];
const TEXT_ARRAY = 1009;
const parseTexts = pg.types.getTypeParser(TEXT_ARRAY as number, 'text') as (text: string) => string[];

/** An array of texts; most are empty, and come as null. */
export function texts(text: string | null | undefined): readonly string[] {
  return text == null ? NO_TEXTS : parseTexts(text);
}
