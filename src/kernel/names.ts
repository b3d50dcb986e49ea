// How people and their numbers are shown to others: enough to recognise, too little to misuse.

/** A first name and an initial: Aminata K. */
export function shortName({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return `${first_name} ${[...last_name][0] ?? ''}.`;
}

/** ******1234 */
export function lastFour(text: string): string {
  return text.slice(-4).padStart(text.length, '*');
}
