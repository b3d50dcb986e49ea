// Converts schema violations into an error message that names the field.
import type { ErrorObject } from 'ajv';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** Schema keyword for a custom error message: { 'x-error-message': 'must be four digits' }. */
export const ERROR_MESSAGE = 'x-error-message';

/**
 * Schema keyword for fields that are passed on as raw text instead of the parsed value: { 'x-raw-text': 'number' } for
 * numbers only, { 'x-raw-text': 'json' } for any value.
 */
export const RAW_TEXT = 'x-raw-text';

/**
 * Schema keyword for narrations, { 'x-one-line': true }: control characters and line breaks become a single space, and
 * blank text means that the field is absent.
 */
export const ONE_LINE = 'x-one-line';

/** Schema keyword for text: { 'x-text': 'line' }. */
export const TEXT = 'x-text';

interface TextRule {
  accepts: RegExp;
  /**
   * The pattern in the OpenAPI document, which may accept more: regular expressions of other languages have neither
   * Unicode classes nor look-ahead.
   */
  published: string;
}

/** At least one visible character, and no control characters or bidirectional overrides. */
export const TEXT_RULES = {
  line: {
    accepts: /^(?=.*[\p{L}\p{N}\p{P}\p{S}])[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u,
    published: '^[^\\x00-\\x1f\\x7f-\\x9f]*$',
  },
  /** Line breaks and tabs are allowed. */
  lines: {
    accepts: /^(?=[\s\S]*[\p{L}\p{N}\p{P}\p{S}])(?:[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]|[\n\r\t])*$/u,
    published: '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*$',
  },
} satisfies Record<string, TextRule>;

/** For Ajv. */
export const TEXT_KEYWORD = {
  keyword: TEXT,
  type: 'string',
  schemaType: 'string',
  compile: (rule: keyof typeof TEXT_RULES) => (text: string) => TEXT_RULES[rule].accepts.test(text),
} as const;

type Where = 'body' | 'params' | 'querystring' | 'headers';

export function validationRefusal(errors: ErrorObject[], where: Where): Refusal {
  // For unions, the last error describes the whole union and the earlier ones its branches.
  const error = errors.find((candidate) => customMessage(candidate)) ?? errors.at(-1) ?? errors[0];
  return refuse('INVALID_REQUEST', error ? sentence(error, where) : 'The request is not valid.');
}

function sentence(error: ErrorObject, where: Where): string {
  const field = fieldOf(error);
  if (error.keyword === 'required') return `${field} is required.`;
  const name = field === '' ? (where === 'body' ? 'The body' : 'The request') : field;
  return `${name} ${customMessage(error) ?? defaultMessage(error)}.`;
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (error.keyword === 'required') path.push(String(error.params.missingProperty));
  return path.join('.');
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function customMessage(error: ErrorObject): string | undefined {
  const message: unknown = (error.parentSchema as Record<string, unknown> | undefined)?.[ERROR_MESSAGE];
  return typeof message === 'string' ? message : undefined;
}

function defaultMessage(error: ErrorObject): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${article(String(error.params.type))}`;
    case 'enum':
      return `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`;
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`;
    case 'minLength':
      return atLeast(Number(error.params.limit), 'characters');
    case 'maxItems':
      return `must have at most ${error.params.limit} entries`;
    case 'minItems':
      return atLeast(Number(error.params.limit), 'entries');
    case 'format':
      return `must be a valid ${error.params.format}`;
    default:
      return error.message ?? 'is not valid';
  }
}

function atLeast(limit: number, unit: string): string {
  return limit === 1 ? 'must not be empty' : `must have at least ${limit} ${unit}`;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
