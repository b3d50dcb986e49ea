// Parses JSON without changing its numbers: metadata is returned as the client sent it, whatever numbers it holds.

/** A number with an exponent, or one with more digits than a double holds. */
const INEXACT_NUMBER = /[[:,\s]-?(?:\d+\.?\d*[eE]|[\d.]{16})/;

/** TypeScript's library does not declare these parts of ES2026. */
type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown;
const { parse, rawJSON } = JSON as unknown as {
  parse(json: string, reviver?: Reviver): unknown;
  rawJSON(text: string): unknown;
};

/** Numbers that JavaScript would change become raw JSON, which JSON.stringify writes unchanged. */
export function parseExactly(json: string): unknown {
  // The reviver makes parsing several times as slow.
  return INEXACT_NUMBER.test(json) ? parse(json, exactNumber) : parse(json);
}

function exactNumber(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  return rawJSON(source);
}
