// Where a page of the history ended, as an opaque text: the next one begins there however much has come since.
export interface Cursor {
  /** The seq of a posting, or the id of a movement. */
  position: string;
  /** How many there were when the first page was read: counted once, not on every page. */
  total: number;
}

const FORM = /^(\d{1,16}|txn_[0-9A-Z]{26})\.(\d{1,15})$/;

export function writeCursor({ position, total }: Cursor): string {
  return Buffer.from(`${position}.${total}`, 'latin1').toString('base64url');
}

/** Null: not a cursor of this service. */
export function readCursor(text: string): Cursor | null {
  const [, position, total] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (position === undefined || total === undefined) return null;
  const cursor = { position, total: Number(total) };
  // Decoding is lenient: only what was written here is read here.
  return writeCursor(cursor) === text ? cursor : null;
}
