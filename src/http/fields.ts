// Schemas for fields that many requests and replies share, with their error messages.
import { type TSchema, Type } from 'typebox';
import { ERROR_MESSAGE, ONE_LINE, RAW_TEXT, TEXT } from './validation.ts';

/** One line of text. */
export const line = (maxLength = 100, description?: string) =>
  Type.String({
    ...(description === undefined ? {} : { description }),
    minLength: 1,
    maxLength,
    [TEXT]: 'line',
    [ERROR_MESSAGE]: `must be one line of 1 to ${maxLength} characters`,
  });

const MAX_FREE_TEXT = 2_000;

/** Text of several lines. */
export const freeText = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_FREE_TEXT,
    [TEXT]: 'lines',
    description,
    [ERROR_MESSAGE]: `must be a text of 1 to ${MAX_FREE_TEXT} characters`,
  });

const MAX_NARRATION = 500;

/** A narration or reason. Control characters and line breaks become a space, and blank text means absent. */
export const narration = (description: string) =>
  Type.String({
    maxLength: MAX_NARRATION,
    description: `${description} Control characters and line breaks become a space; blank text means absent.`,
    [ONE_LINE]: true,
    [ERROR_MESSAGE]: `must be text of at most ${MAX_NARRATION} characters`,
  });

export const description = () => narration('What the payment is for; shown in the history of both sides.');

/** Any JSON value, passed on as raw text, which keeps what parsing would lose. */
export const jsonText = (description: string) => Type.Unsafe<string>({ description, [RAW_TEXT]: 'json' });

export const phoneNumber = () => Type.String({ maxLength: 32, description: 'In local format or E.164.' });

export const email = () =>
  Type.String({
    maxLength: 254,
    pattern: '^[^\\s@<>(),;:"]+@[^\\s@<>(),;:"]+\\.[^\\s@<>(),;:"]+$',
    [ERROR_MESSAGE]: 'must be an email address of at most 254 characters',
  });

/** Accepts empty text, which clears the field. */
export const clearable = <Field extends TSchema>(field: Field) =>
  Type.Optional(Type.Union([field, Type.Literal('', { description: 'Clears the field.' })], errorMessageOf(field)));

/** Keeps the field's own error message; a union would report the errors of its branches. */
function errorMessageOf(field: TSchema): { [ERROR_MESSAGE]: string } | Record<string, never> {
  const message: unknown = (field as Record<string, unknown>)[ERROR_MESSAGE];
  return typeof message === 'string' ? { [ERROR_MESSAGE]: `${message}, or empty` } : {};
}

export const webUrl = () =>
  Type.String({ maxLength: 2048, pattern: '^https?://[^\\s]+$', [ERROR_MESSAGE]: 'must be an http or https URL' });

export const pin = () => Type.String({ maxLength: 64, description: 'Exactly 4 digits.' });

// A list of types instead of a union: the serializer does not have to try each branch.
export const textOrNull = (description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...(description ? { description } : {}) });

export const integerOrNull = (description?: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], ...(description ? { description } : {}) });

export const minorUnits = (description = 'Minor units.') => Type.Integer({ description });

/** A record's id in a body or a query. Any text is valid: an unknown id is refused as not found. */
export const idField = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: 128,
    description: `The id of ${what}.`,
    [ERROR_MESSAGE]: `must be the id of ${what}`,
  });

/** `content`: what the file shows. */
export const pdfFile = (content: string) => Type.String({ format: 'binary', description: `A PDF file: ${content}` });

export const timestamp = (description?: string) =>
  Type.String({ description: description === undefined ? 'ISO 8601, UTC.' : `${description} ISO 8601, UTC.` });

export const idParams = Type.Object({ id: Type.String({ minLength: 1 }) });

/** Parses a day, or an ISO 8601 instant with a time zone. Null if invalid. */
export function parseInstant(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text)) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) || !sameDay(text, at) ? null : at;
}

/** JavaScript turns 31 February into 3 March, which this detects. */
function sameDay(text: string, at: Date): boolean {
  return isCalendarDay(text.slice(0, 10)) && at.getUTCFullYear() >= 1;
}

export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
