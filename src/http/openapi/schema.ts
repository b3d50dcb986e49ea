// JSON schemas as the OpenAPI document publishes them: without the keywords that only the service uses.
import { ERROR_MESSAGE, ONE_LINE, RAW_TEXT, TEXT, TEXT_RULES } from '../validation.ts';

export type Schema = Record<string, unknown>;

const INTERNAL = new Set([ERROR_MESSAGE, ONE_LINE, RAW_TEXT]);

/** Copies a schema. A constant becomes an enumeration of one value, which more generators understand. */
export function published(schema: object): Schema {
  const copy: Schema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'const') copy.enum = [value];
    else if (key === TEXT) copy.pattern = TEXT_RULES[value as keyof typeof TEXT_RULES].published;
    else if (!INTERNAL.has(key)) copy[key] = publishedValue(value);
  }
  return copy;
}

function publishedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(publishedValue);
  return typeof value === 'object' && value !== null ? published(value) : value;
}

/** payAtTerminal and PAY_AT_TERMINAL become PayAtTerminal. */
export function pascalCase(name: string): string {
  const words = /^[A-Z\d_]+$/.test(name) ? name.toLowerCase().split('_') : name.split(/[._-]/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
