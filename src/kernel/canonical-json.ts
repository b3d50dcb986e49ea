// Canonical JSON: one text for equal values, whatever the order of their keys. Used for hashes and comparisons.

export function canonicalJson(value: unknown): string {
  return JSON.stringify(withSortedKeys(value));
}

const STRING_OR_NUMBER = /"((?:[^"\\]|\\.)*)"|-?\d[\d.eE+-]*/g;

/**
 * The same for a value given as JSON text: white space and escapes do not matter. Numbers are compared as written, since
 * parsing would make different ones equal. They become strings here, and a prefix keeps them apart from the strings.
 */
export function canonicalJsonText(json: string): string {
  const tagged = json.replace(STRING_OR_NUMBER, (token, text?: string) =>
    text === undefined ? `"n${token}"` : `"s${text}"`,
  );
  return canonicalJson(JSON.parse(tagged));
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withSortedKeys(inner)]));
}
