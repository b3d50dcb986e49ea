// Turns a schema violation into one sentence that names the field.
import type { ErrorObject } from 'ajv';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** A schema may say in its own words what it wants: { 'x-error-message': 'must be four digits' }. */
export const ERROR_MESSAGE = 'x-error-message';

/**
 * A schema may ask for what was written in the body rather than for what parsing makes of it: { 'x-raw-text': 'number' }
 * hands a number on as its text, { 'x-raw-text': 'json' } any value as its JSON text.
 */
export const RAW_TEXT = 'x-raw-text';

type Where = 'body' | 'params' | 'querystring' | 'headers';

export function validationRefusal(errors: ErrorObject[], where: Where): Refusal {
  // With unions the last error is the one of the whole, the earlier ones speak of single branches.
  const error = errors.find((candidate) => saysOf(candidate)) ?? errors.at(-1) ?? errors[0];
  return refuse('INVALID_REQUEST', error ? sentence(error, where) : 'The request is not valid.');
}

function sentence(error: ErrorObject, where: Where): string {
  const field = fieldOf(error);
  if (error.keyword === 'required') return `${field} is required.`;
  const name = field === '' ? (where === 'body' ? 'The body' : 'The request') : field;
  return `${name} ${saysOf(error) ?? plain(error)}.`;
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (error.keyword === 'required') path.push(String(error.params.missingProperty));
  return path.join('.');
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function saysOf(error: ErrorObject): string | undefined {
  const says: unknown = (error.parentSchema as Record<string, unknown> | undefined)?.[ERROR_MESSAGE];
  return typeof says === 'string' ? says : undefined;
}

function plain(error: ErrorObject): string {
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
      return `must have at least ${error.params.limit} characters`;
    case 'maxItems':
      return `must have at most ${error.params.limit} entries`;
    case 'minItems':
      return `must have at least ${error.params.limit} entries`;
    case 'format':
      return `must be a valid ${error.params.format}`;
    default:
      return error.message ?? 'is not valid';
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
