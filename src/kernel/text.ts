// Text about people: normalized for storage and search, masked for display to others.

/** Trims, and uses one Unicode form: é as one character or as two must find the same person. */
export function tidy(text: string): string {
  return text.trim().normalize('NFC');
}

/** Null and undefined stay as they are. */
export function tidyOptional<Missing extends null | undefined>(text: string | Missing): string | Missing {
  return typeof text === 'string' ? tidy(text) : text;
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
