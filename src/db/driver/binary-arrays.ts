// Encodes arrays in PostgreSQL's binary format, which needs no escaping here and no parsing in the server.

/** PostgreSQL's OIDs of the element types. */
const TEXT = 25;
const INT8 = 20;
const JSON_TEXT = 114;
const BYTEA = 17;
const TIMESTAMPTZ = 1184;

// Number of dimensions, null flag, element type, then length and lower bound of the only dimension.
const HEADER_BYTES = 20;
const TWO_TO_32 = 2 ** 32;
/** The length that encodes null. */
const NULL = -1;

type Texts = readonly (string | null)[];

export const textArray = (values: Texts) => ofTexts(TEXT, values);
export const jsonArray = (values: Texts) => ofTexts(JSON_TEXT, values);

/** Integers within ±2^53. */
export function int8Array(values: readonly (number | null)[]): Buffer {
  const start = reserve(HEADER_BYTES + values.length * 12);
  let at = writeHeader(start, INT8, values.length);
  for (const value of values) at = value === null ? writeInt32(NULL, at) : writeInt64(value, at);
  return reserved(start, at);
}

/** PostgreSQL counts microseconds from this instant. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

/** Exact from 1715 to 2284: the microseconds are within ±2^53. */
export function timestampArray(values: readonly (Date | null)[]): Buffer {
  const start = reserve(HEADER_BYTES + values.length * 12);
  let at = writeHeader(start, TIMESTAMPTZ, values.length);
  for (const value of values) {
    at = value === null ? writeInt32(NULL, at) : writeInt64((value.getTime() - EPOCH_MS) * 1_000, at);
  }
  return reserved(start, at);
}

export function byteaArray(values: readonly (Buffer | null)[]): Buffer {
  const start = reserve(values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), HEADER_BYTES));
  let at = writeHeader(start, BYTEA, values.length);
  for (const value of values) {
    at = writeInt32(value?.length ?? NULL, at);
    at += value?.copy(slab, at) ?? 0;
  }
  return reserved(start, at);
}

function ofTexts(type: number, values: Texts): Buffer {
  let size = HEADER_BYTES;
  // A UTF-16 code unit becomes at most three bytes of UTF-8: an upper bound is cheaper than the exact size.
  for (const value of values) size += 4 + (value === null ? 0 : value.length * 3);
  const start = reserve(size);
  let at = writeHeader(start, type, values.length);
  for (const value of values) at = value === null ? writeInt32(NULL, at) : writeText(value, at);
  return reserved(start, at);
}

// Most texts are ids and codes. Up to this length a loop is faster than a call of the encoder.
const SHORT = 48;

function writeText(value: string, at: number): number {
  const length = (value.length <= SHORT ? writeAscii(value, at + 4) : null) ?? slab.write(value, at + 4, 'utf8');
  writeInt32(length, at);
  return at + 4 + length;
}

/** Returns null when the text is not ASCII. The caller then overwrites what was written. */
function writeAscii(value: string, at: number): number | null {
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code > 0x7f) return null;
    slab[at + index] = code;
  }
  return value.length;
}

function writeHeader(at: number, type: number, length: number): number {
  // An empty array has no dimensions, and no length and lower bound.
  writeInt32(length === 0 ? 0 : 1, at);
  writeInt32(1, at + 4);
  writeInt32(type, at + 8);
  if (length === 0) return at + 12;
  writeInt32(length, at + 12);
  return writeInt32(1, at + 16);
}

/** With its length. */
function writeInt64(value: number, start: number): number {
  // Floor and remainder give the right halves for negative numbers too.
  const high = Math.floor(value / TWO_TO_32);
  let at = writeInt32(8, start);
  at = writeInt32(high, at);
  return writeInt32(value - high * TWO_TO_32, at);
}

function writeInt32(value: number, at: number): number {
  slab[at] = value >>> 24;
  slab[at + 1] = value >>> 16;
  slab[at + 2] = value >>> 8;
  slab[at + 3] = value;
  return at + 4;
}

// Arrays are cut from one buffer, one after another: a buffer for each array costs more than encoding it, and more garbage
// collection. A used-up slab is collected when the last array in it has been sent.
const SLAB_BYTES = 256 * 1024;
let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
let used = 0;

/** Returns the offset in `slab` from which `size` bytes are free. */
function reserve(size: number): number {
  if (used + size > slab.length) {
    slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, size));
    used = 0;
  }
  return used;
}

function reserved(start: number, end: number): Buffer {
  used = end;
  return slab.subarray(start, end);
}
