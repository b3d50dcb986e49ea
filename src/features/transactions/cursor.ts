// Opaque cursors of the history: the next page starts where the last one ended, whatever was posted since.
import type { Vault } from '../../auth/vault.ts';

export interface Cursor {
  /** The seq of a posting, or a movement's id. */
  position: string;
  /** The number of records when the first page was read; later pages do not count again. */
  total: number;
  /** `total` is a lower bound. */
  isMinimum?: boolean;
  /** The number of records still to come, if known. */
  left?: number | undefined;
}

export interface Cursors {
  write(cursor: Cursor): string;
  /** Null for text that is not a cursor of this service. */
  read(text: string): Cursor | null;
}

const FORM = /^(\d{1,16}|txn_[0-9A-Z]{26})\.(\d{1,15})(\+?)(?:\.(\d{1,15}))?$/;
const CONTEXT = 'history cursor';

/** Encrypted: a page may end with a payment whose id the caller must not see. */
export function createCursors(vault: Vault): Cursors {
  return {
    write: ({ position, total, isMinimum, left }) => {
      const text = `${position}.${total}${isMinimum ? '+' : ''}${left === undefined ? '' : `.${left}`}`;
      return vault.seal(text, CONTEXT).toString('base64url');
    },
    read(text) {
      const [, position, total, sign, left] = FORM.exec(opened(vault, text)) ?? [];
      if (position === undefined || total === undefined) return null;
      const further = left === undefined ? {} : { left: Number(left) };
      return { position, total: Number(total), isMinimum: sign === '+', ...further };
    },
  };
}

function opened(vault: Vault, text: string): string {
  const sealed = Buffer.from(text, 'base64url');
  // base64url decoding is lenient: accept only the exact text that was written.
  if (sealed.toString('base64url') !== text) return '';
  try {
    return vault.open(sealed, CONTEXT);
  } catch {
    return '';
  }
}
