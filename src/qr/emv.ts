// EMVCo merchant-presented QR texts: objects of id, length and value, of which the last is a checksum.

/** A value, or the objects of a template. Null: the object is absent. */
type Value = string | null | readonly EmvObject[];
export type EmvObject = readonly [id: string, value: Value];

const MAX_LENGTH = 512;
const MAX_VALUE = 99;
/** The id and the length of the checksum, which the checksum includes. */
const CRC_HEAD = '6304';
const VERSION = ['00', '01'] as const;

/** Without the first object, the version, and the last, the checksum. */
export function emvText(objects: readonly EmvObject[]): string {
  const covered = encoded([VERSION, ...objects]) + CRC_HEAD;
  const text = covered + checksum(covered);
  if (text.length > MAX_LENGTH) throw new RangeError(`a QR text has ${text.length} characters`);
  return text;
}

function encoded(objects: readonly EmvObject[]): string {
  return objects
    .map(([id, value]) => objectText(id, typeof value === 'object' && value ? encoded(value) : value))
    .join('');
}

function objectText(id: string, value: string | null): string {
  if (value === null) return '';
  const length = [...value].length;
  if (length === 0 || length > MAX_VALUE) throw new RangeError(`object ${id} has ${length} characters`);
  return `${id}${String(length).padStart(2, '0')}${value}`;
}

/** The values by id. Null: it is no such text, or it was changed or cut off. */
export function readEmv(text: string): Map<string, string> | null {
  if (text.length > MAX_LENGTH) return null;
  const covered = text.slice(0, -4);
  if (!covered.endsWith(CRC_HEAD) || checksum(covered) !== text.slice(-4).toUpperCase()) return null;
  const objects = readObjects(text);
  const [first] = objects ?? [];
  return first?.[0] === VERSION[0] && first[1] === VERSION[1] ? objects : null;
}

/** The objects of a text or of a template. Null: it is malformed, or an id occurs twice. */
export function readObjects(text: string): Map<string, string> | null {
  // Lengths count characters, which are not always one UTF-16 unit.
  const characters = [...text];
  const objects = new Map<string, string>();
  let at = 0;
  while (at < characters.length) {
    const head = characters.slice(at, at + 4).join('');
    if (!/^\d{4}$/.test(head)) return null;
    const [id, end] = [head.slice(0, 2), at + 4 + Number(head.slice(2))];
    if (end > characters.length || objects.has(id)) return null;
    objects.set(id, characters.slice(at + 4, end).join(''));
    at = end;
  }
  return objects;
}

/** CRC-16/CCITT-FALSE over the UTF-8 bytes, as four hexadecimal digits. */
export function checksum(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
