// Arrays as PostgreSQL takes them in its binary form: nothing to escape here, nothing to parse there.

/** The element types we send, by the numbers PostgreSQL knows them under. */
const TEXT = 25;
const INT8 = 20;
const JSON_TEXT = 114;
const BYTEA = 17;

// Dimensions, whether nulls occur, element type, length and lower bound of the one dimension.
const HEADER_BYTES = 20;
const TWO_TO_32 = 2 ** 32;

type Texts = readonly (string | null)[];

export const textArray = (values: Texts) => ofTexts(TEXT, values);
export const jsonArray = (values: Texts) => ofTexts(JSON_TEXT, values);

/** Whole numbers within ±2^53. */
export function int8Array(values: readonly number[]): Buffer {
  const start = makeRoom(HEADER_BYTES + values.length * 12);
  let at = writeHeader(start, INT8, values.length);
  for (const value of values) {
    // Floor and remainder, so that the halves of a number below zero are right too.
    const high = Math.floor(value / TWO_TO_32);
    at = writeInt32(8, at);
    at = writeInt32(high, at);
    at = writeInt32(value - high * TWO_TO_32, at);
  }
  return taken(start, at);
}

export function byteaArray(values: readonly Buffer[]): Buffer {
  const start = makeRoom(values.reduce((sum, value) => sum + 4 + value.length, HEADER_BYTES));
  let at = writeHeader(start, BYTEA, values.length);
  for (const value of values) {
    at = writeInt32(value.length, at);
    at += value.copy(slab, at);
  }
  return taken(start, at);
}

function ofTexts(type: number, values: Texts): Buffer {
  let size = HEADER_BYTES;
  // Three bytes are the most that one unit of a JavaScript string becomes: room enough without counting exactly.
  for (const value of values) size += 4 + (value === null ? 0 : value.length * 3);
  const start = makeRoom(size);
  let at = writeHeader(start, type, values.length);
  for (const value of values) at = value === null ? writeInt32(NULL, at) : writeText(value, at);
  return taken(start, at);
}

const NULL = -1;
// Ids and codes, which most of it is: shorter than what a call of the encoder costs.
const SHORT = 48;

function writeText(value: string, at: number): number {
  const length = (value.length <= SHORT ? writeAscii(value, at + 4) : null) ?? slab.write(value, at + 4, 'utf8');
  writeInt32(length, at);
  return at + 4 + length;
}

/** Null: it is more than ASCII, and what was written is written over. */
function writeAscii(value: string, at: number): number | null {
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code > 0x7f) return null;
    slab[at + index] = code;
  }
  return value.length;
}

function writeHeader(at: number, type: number, length: number): number {
  // An array without elements has no dimensions either; the last two numbers are then left out.
  writeInt32(length === 0 ? 0 : 1, at);
  writeInt32(1, at + 4);
  writeInt32(type, at + 8);
  if (length === 0) return at + 12;
  writeInt32(length, at + 12);
  return writeInt32(1, at + 16);
}

function writeInt32(value: number, at: number): number {
  slab[at] = value >>> 24;
  slab[at + 1] = value >>> 16;
  slab[at + 2] = value >>> 8;
  slab[at + 3] = value;
  return at + 4;
}

// A piece of memory that arrays are cut from, one behind the other: one for each would cost more than its filling does, and
// make the collector run. It goes when the last array in it has been sent.
const SLAB_BYTES = 256 * 1024;
let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
let used = 0;

/** Where so much can be written in `slab`. */
function makeRoom(size: number): number {
  if (used + size > slab.length) {
    slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, size));
    used = 0;
  }
  return used;
}

function taken(start: number, end: number): Buffer {
  used = end;
  return slab.subarray(start, end);
}
