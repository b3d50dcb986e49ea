// Arrays as PostgreSQL takes them in its binary form: nothing to escape here, nothing to parse there.

/** The element types we send, by the numbers PostgreSQL knows them under. */
const TEXT = 25;
const INT8 = 20;
const JSON_TEXT = 114;
const BYTEA = 17;

// Dimensions, whether nulls occur, element type, length and lower bound of the one dimension.
const HEADER_BYTES = 20;
const NULL = -1;
const TWO_TO_32 = 2 ** 32;

type Texts = readonly (string | null)[];

export const textArray = (values: Texts) => ofTexts(TEXT, values);
export const jsonArray = (values: Texts) => ofTexts(JSON_TEXT, values);

/** Whole numbers within ±2^53. */
export function int8Array(values: readonly number[]): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * 12);
  let at = writeHeader(buffer, INT8, values.length);
  for (const value of values) {
    at = buffer.writeInt32BE(8, at);
    // Floor and remainder, so that the halves of a number below zero are right too.
    const high = Math.floor(value / TWO_TO_32);
    at = buffer.writeInt32BE(high, at);
    at = buffer.writeUInt32BE(value - high * TWO_TO_32, at);
  }
  return buffer.subarray(0, at);
}

export function byteaArray(values: readonly Buffer[]): Buffer {
  const size = values.reduce((sum, value) => sum + 4 + value.length, HEADER_BYTES);
  const buffer = Buffer.allocUnsafe(size);
  let at = writeHeader(buffer, BYTEA, values.length);
  for (const value of values) {
    at = buffer.writeInt32BE(value.length, at);
    at += value.copy(buffer, at);
  }
  return buffer.subarray(0, at);
}

function ofTexts(type: number, values: Texts): Buffer {
  let size = HEADER_BYTES;
  // Three bytes are the most that one unit of a JavaScript string becomes: room enough without counting exactly.
  for (const value of values) size += 4 + (value === null ? 0 : value.length * 3);
  const buffer = Buffer.allocUnsafe(size);
  let at = writeHeader(buffer, type, values.length);
  for (const value of values) {
    if (value === null) {
      at = buffer.writeInt32BE(NULL, at);
      continue;
    }
    const length = buffer.write(value, at + 4, 'utf8');
    buffer.writeInt32BE(length, at);
    at += 4 + length;
  }
  return buffer.subarray(0, at);
}

function writeHeader(buffer: Buffer, type: number, length: number): number {
  // An array without elements has no dimensions either; the last two numbers are then not read.
  buffer.writeInt32BE(length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(type, 8);
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
  return length === 0 ? 12 : HEADER_BYTES;
}
