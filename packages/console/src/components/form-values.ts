// What is typed into a form: without the spaces around it, and whether the required fields are filled.

export const isFilled = (...texts: string[]): boolean => texts.every((text) => text.trim() !== '');

/** Only texts change; other values stay as they are. */
export function trimmed<Values extends object>(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return Object.fromEntries(entries) as Values;
}

/** Without the fields that were left empty. */
export function filledOnly<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(trimmed(values)).filter(([, value]) => value !== '')) as Partial<Values>;
}

/** What differs from before: two people who change a record at the same time do not undo each other's changes. */
export function changedOnly<Values extends object>(before: Values, after: Values): Partial<Values> {
  const entries = Object.entries(trimmed(after)).filter(([name, value]) => value !== before[name as keyof Values]);
  return Object.fromEntries(entries) as Partial<Values>;
}
