// Canonical JSON: equal values give the same text, whatever their key order. Used for hashes and comparisons.

export function canonicalJson(value: unknown): string {
  return JSON.stringify(withSortedKeys(value));
}

const STRING_OR_NUMBER = /"((?:[^"\\]|\\.)*)"|-?\d[\d.eE+-]*/g;

/**
 * The same for JSON text: white space and escapes do not matter. Numbers are compared as written, because parsing could
 * make different ones equal. They become strings here, with a prefix that tells them from real strings.
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
