// Opaque cursors of the history: the next page starts where the last one ended, whatever was posted since.
export interface Cursor {
  /** The seq of a posting, or the id of a movement. */
  position: string;
  /** The number of records when the first page was read; later pages do not count again. */
  total: number;
  /** `total` is a lower bound. */
  isMinimum?: boolean;
  /** The number of records still to come, if known. */
  left?: number | undefined;
}

const FORM = /^(\d{1,16}|txn_[0-9A-Z]{26})\.(\d{1,15})(\+?)(?:\.(\d{1,15}))?$/;

export function writeCursor({ position, total, isMinimum, left }: Cursor): string {
  const text = `${position}.${total}${isMinimum ? '+' : ''}${left === undefined ? '' : `.${left}`}`;
  return Buffer.from(text, 'latin1').toString('base64url');
}

/** Null for text that is not a cursor of this service. */
export function readCursor(text: string): Cursor | null {
  const [, position, total, sign, left] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (position === undefined || total === undefined) return null;
  const further = left === undefined ? {} : { left: Number(left) };
  const cursor = { position, total: Number(total), isMinimum: sign === '+', ...further };
  // base64url decoding is lenient: accept only the exact text that writeCursor produces.
  return writeCursor(cursor) === text ? cursor : null;
}
