// Where a page of the history ended, as an opaque text: the next one begins there however much has come since.
export interface Cursor {
  /** The seq of a posting, or the id of a movement. */
  position: string;
  /** How many there were when the first page was read: counted once, not on every page. */
  total: number;
  /** There were at least so many. */
  isMinimum?: boolean;
  /** How many of them are still to come, where that is known. */
  left?: number | undefined;
}

const FORM = /^(\d{1,16}|txn_[0-9A-Z]{26})\.(\d{1,15})(\+?)(?:\.(\d{1,15}))?$/;

export function writeCursor({ position, total, isMinimum, left }: Cursor): string {
  const text = `${position}.${total}${isMinimum ? '+' : ''}${left === undefined ? '' : `.${left}`}`;
  return Buffer.from(text, 'latin1').toString('base64url');
}

/** Null: not a cursor of this service. */
export function readCursor(text: string): Cursor | null {
  const [, position, total, sign, left] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (position === undefined || total === undefined) return null;
  const further = left === undefined ? {} : { left: Number(left) };
  const cursor = { position, total: Number(total), isMinimum: sign === '+', ...further };
  // Decoding is lenient: only what was written here is read here.
  return writeCursor(cursor) === text ? cursor : null;
}
