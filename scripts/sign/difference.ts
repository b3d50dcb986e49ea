// Two strings of bytes for people: every byte visible, and the first one that differs marked.

const NAMES: Record<number, string> = { 9: '\\t', 10: '⏎', 13: '\\r' };
const AROUND = 40;
const MAX_SHOWN = 4_000;

function visible(byte: number): string {
  const named = NAMES[byte];
  if (named !== undefined) return named;
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
}

const visibly = (bytes: Iterable<number>) => Array.from(bytes, visible).join('');

/** Line by line with numbers; a line feed is shown as ⏎ at the end of the line it ends. */
export function numbered(bytes: Buffer): string {
  const shown = bytes.subarray(0, MAX_SHOWN);
  const lines = shown.toString('latin1').split(/(?<=\n)/);
  const text = lines.map((line, index) => `  ${index + 1} | ${visibly(Buffer.from(line, 'latin1'))}`).join('\n');
  return bytes.length > MAX_SHOWN ? `${text}… (${bytes.length - MAX_SHOWN} bytes more)` : text;
}

export function firstDifference(one: Buffer, other: Buffer): number {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at++) if (one[at] !== other[at]) return at;
  return shorter;
}

/** The lines of both where they part, one above the other, with a mark under the place. */
export function difference(expected: Buffer, signed: Buffer): string {
  const at = firstDifference(expected, signed);
  const line = expected.subarray(0, at).filter((byte) => byte === 10).length + 1;
  const start = Math.max(expected.subarray(0, at).lastIndexOf(10) + 1, at - AROUND);
  const before = visibly(expected.subarray(start, at));
  const around = (bytes: Buffer) => before + visibly(rest(bytes, at));
  return [
    `The first difference is in line ${line}, at byte ${at + 1} of the string:`,
    `  expected | ${around(expected)}`,
    `  signed   | ${around(signed)}`,
    `           | ${' '.repeat(before.length)}^ ${named(expected, at)} is expected, ${named(signed, at)} was signed`,
  ].join('\n');
}

/** To the end of the line, or as far as is needed to see what follows. */
function rest(bytes: Buffer, at: number): Buffer {
  const end = bytes.indexOf(10, at);
  return bytes.subarray(at, Math.min(at + AROUND, end === -1 ? bytes.length : end + 1));
}

function named(bytes: Buffer, at: number): string {
  const byte = bytes[at];
  return byte === undefined ? 'the end' : byte === 10 ? 'a line feed (⏎)' : `"${visible(byte)}"`;
}
