// PostgreSQL's hash of a text (hashtext, Bob Jenkins' lookup3), by which Citus assigns rows to shards.

const SEED = 0x9e3779b9 + 3_923_095;
const BLOCK_BYTES = 12;

/** A signed 32-bit integer, as hashtext returns it on little-endian servers. */
export function textHash(text: string): number {
  const bytes = Buffer.from(text, 'utf8');
  const padded = Buffer.alloc(Math.ceil((bytes.length + 1) / BLOCK_BYTES) * BLOCK_BYTES);
  bytes.copy(padded);
  let a = (SEED + bytes.length) | 0;
  let b = a;
  let c = a;
  let at = 0;
  for (; bytes.length - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
    a = (a + padded.readInt32LE(at)) | 0;
    b = (b + padded.readInt32LE(at + 4)) | 0;
    c = (c + padded.readInt32LE(at + 8)) | 0;
    [a, b, c] = mixed(a, b, c);
  }
  a = (a + padded.readInt32LE(at)) | 0;
  b = (b + padded.readInt32LE(at + 4)) | 0;
  // In the last block the lowest byte of c is reserved for the length.
  c = (c + (padded.readInt32LE(at + 8) << 8)) | 0;
  return finished(a, b, c);
}

function rotated(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

function mixed(a: number, b: number, c: number): [number, number, number] {
  a = (a - c) ^ rotated(c, 4);
  c = (c + b) | 0;
  b = (b - a) ^ rotated(a, 6);
  a = (a + c) | 0;
  c = (c - b) ^ rotated(b, 8);
  b = (b + a) | 0;
  a = (a - c) ^ rotated(c, 16);
  c = (c + b) | 0;
  b = (b - a) ^ rotated(a, 19);
  a = (a + c) | 0;
  c = (c - b) ^ rotated(b, 4);
  b = (b + a) | 0;
  return [a, b, c];
}

function finished(a: number, b: number, c: number): number {
  c = ((c ^ b) - rotated(b, 14)) | 0;
  a = ((a ^ c) - rotated(c, 11)) | 0;
  b = ((b ^ a) - rotated(a, 25)) | 0;
  c = ((c ^ b) - rotated(b, 16)) | 0;
  a = ((a ^ c) - rotated(c, 4)) | 0;
  b = ((b ^ a) - rotated(a, 14)) | 0;
  return ((c ^ b) - rotated(b, 24)) | 0;
}
