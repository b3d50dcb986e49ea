// Helpers for what is typed into a form: they trim it, and check that the required fields are filled in.

export const isFilled = (...texts: string[]): boolean => texts.every((text) => text.trim() !== '');

/** Trims strings; other values stay as they are. */
export function trimmed<Values extends object>(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return Object.fromEntries(entries) as Values;
}

/** The trimmed values, without the fields that were left empty. */
export function filledOnly<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(trimmed(values)).filter(([, value]) => value !== '')) as Partial<Values>;
}

/** Only the changed fields, so that two people who edit a record at the same time do not undo each other's changes. */
export function changedOnly<Values extends object>(before: Values, after: Values): Partial<Values> {
  const entries = Object.entries(trimmed(after)).filter(([name, value]) => value !== before[name as keyof Values]);
  return Object.fromEntries(entries) as Partial<Values>;
}
