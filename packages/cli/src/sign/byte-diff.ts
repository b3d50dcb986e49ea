// Formats byte strings for people: makes every byte visible and marks the first difference between two strings.

const ESCAPES: Record<number, string> = { 9: '\\t', 10: '⏎', 13: '\\r' };
const CONTEXT_BYTES = 40;
const MAX_SHOWN = 4_000;

function showByte(byte: number): string {
  const escaped = ESCAPES[byte];
  if (escaped !== undefined) return escaped;
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
}

const showBytes = (bytes: Iterable<number>) => Array.from(bytes, showByte).join('');

/** One numbered row per line; ⏎ shows the line feed that ends it. */
export function numberedLines(bytes: Buffer): string {
  const shown = bytes.subarray(0, MAX_SHOWN);
  const lines = shown.toString('latin1').split(/(?<=\n)/);
  const text = lines.map((line, index) => `  ${index + 1} | ${showBytes(Buffer.from(line, 'latin1'))}`).join('\n');
  return bytes.length > MAX_SHOWN ? `${text}… (${bytes.length - MAX_SHOWN} more bytes)` : text;
}

function firstDifference(one: Buffer, other: Buffer): number {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at++) if (one[at] !== other[at]) return at;
  return shorter;
}

/** Shows the line of both strings that contains the first difference, with a marker below it. */
export function describeDifference(expected: Buffer, signed: Buffer): string {
  const at = firstDifference(expected, signed);
  const line = expected.subarray(0, at).filter((byte) => byte === 10).length + 1;
  const start = Math.max(expected.subarray(0, at).lastIndexOf(10) + 1, at - CONTEXT_BYTES);
  const before = showBytes(expected.subarray(start, at));
  const context = (bytes: Buffer) => before + showBytes(restOfLine(bytes, at));
  return [
    `The first difference is in line ${line}, at byte ${at + 1} of the string:`,
    `  expected | ${context(expected)}`,
    `  signed   | ${context(signed)}`,
    `           | ${' '.repeat(before.length)}^ ${describeByte(expected, at)} expected, ${describeByte(signed, at)} signed`,
  ].join('\n');
}

/** From `at` to the end of the line, at most `CONTEXT_BYTES`. */
function restOfLine(bytes: Buffer, at: number): Buffer {
  const end = bytes.indexOf(10, at);
  return bytes.subarray(at, Math.min(at + CONTEXT_BYTES, end === -1 ? bytes.length : end + 1));
}

function describeByte(bytes: Buffer, at: number): string {
  const byte = bytes[at];
  return byte === undefined ? 'end of string' : byte === 10 ? 'a line feed (⏎)' : `"${showByte(byte)}"`;
}
