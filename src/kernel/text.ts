// Text about people: normalized for storage and search, masked for display to others.

/** Trims, and uses one Unicode form: é as one character or as two must find the same person. */
export function tidy(text: string): string {
  return text.trim().normalize('NFC');
}

/** Null and undefined stay as they are. */
export function tidyOptional<Missing extends null | undefined>(text: string | Missing): string | Missing {
  return typeof text === 'string' ? tidy(text) : text;
}

const SPACING = /[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;
// Some letters and symbols, such as the Hangul filler and the Braille blank, show nothing.
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

/**
 * One line of text: control characters and line breaks, with the white space around them, become a single space.
 * Bidirectional overrides are included, because they can disguise what a statement says. Null if nothing is visible.
 */
export function oneLine(text: string): string | null {
  const line = tidy(text.replace(SPACING, (run) => (CONTROL.test(run) ? ' ' : run)));
  return VISIBLE.test(line) ? line : null;
}

// Any other character, such as a full stop or one without width, separates two names.
const NAME = /\p{L}[\p{L}\p{M}'’‐‑-]*/u;

/** The first name and the initial of the last name: Aminata K. */
export function shortName({ first_name, last_name }: { first_name: string; last_name: string }): string {
  const initial = [...(NAME.exec(last_name)?.[0] ?? last_name.trim())][0] ?? '';
  return `${NAME.exec(first_name)?.[0] ?? [...first_name.trim()][0] ?? ''} ${initial}.`;
}

/** ******1234 */
export function lastFour(text: string): string {
  return text.slice(-4).padStart(text.length, '*');
}
