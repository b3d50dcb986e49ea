// How people and their numbers are shown to others: enough to recognise, too little to misuse.

// Whatever else stands between two names, a full stop or a character without width, parts them.
const NAME = /\p{L}[\p{L}\p{M}'’‐‑-]*/u;

/** The first of the first names and the initial of the last, never more: Aminata K. */
export function shortName({ first_name, last_name }: { first_name: string; last_name: string }): string {
  const initial = [...(NAME.exec(last_name)?.[0] ?? last_name.trim())][0] ?? '';
  return `${NAME.exec(first_name)?.[0] ?? [...first_name.trim()][0] ?? ''} ${initial}.`;
}

/** ******1234 */
export function lastFour(text: string): string {
  return text.slice(-4).padStart(text.length, '*');
}
