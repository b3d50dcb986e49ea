// Turns flags into the path, query and body of a request.
import { readFileSync } from 'node:fs';
import { parseMoney } from '@kissi/client';
import type { Field, Operation } from './command-table.ts';
import { UsageError } from './errors.ts';
import { type FlagValue, flagOf } from './flag-names.ts';

/** Reads the text of a flag as the API expects it. */
export function fieldValue(field: Field, value: FlagValue): unknown {
  if (Array.isArray(value))
    return field.type === 'list' ? value.flatMap((entry) => entry.split(',')) : value.map(String);
  if (typeof value === 'boolean') return value;
  switch (field.type) {
    case 'money':
      return moneyValue(field, value);
    case 'integer':
    case 'number':
      return numberValue(field, value);
    case 'boolean':
      return booleanValue(field, value);
    case 'json':
      return jsonValue(flagOf(field), value);
    case 'list':
      return value === '' ? [] : value.split(',');
    default:
      return value;
  }
}

/** Decimals are required: 12500 could be 125.00 in minor units, and a payment a hundred times too large. */
function moneyValue(field: Field, text: string): number {
  if (!/\.\d\d\b/.test(text)) {
    throw new UsageError(`${flagOf(field)} ${text}: write the amount with two decimals, such as 125.00.`);
  }
  try {
    return parseMoney(text);
  } catch (error) {
    throw new UsageError(`${flagOf(field)}: ${(error as Error).message}.`);
  }
}

function numberValue(field: Field, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value) || (field.type === 'integer' && !Number.isSafeInteger(value))) {
    throw new UsageError(`${flagOf(field)} ${text}: must be a ${field.type === 'integer' ? 'whole ' : ''}number.`);
  }
  return value;
}

function booleanValue(field: Field, text: string): boolean {
  const value = { true: true, yes: true, false: false, no: false }[text];
  if (value === undefined) throw new UsageError(`${flagOf(field)} ${text}: must be true or false.`);
  return value;
}

/** JSON as text, @FILE, or - for standard input. */
export function jsonValue(flag: string, text: string): unknown {
  const isFile = text.startsWith('@');
  const content =
    text === '-' ? readInput(0, 'standard input') : isFile ? readInput(text.slice(1), text.slice(1)) : text;
  try {
    return JSON.parse(content) as unknown;
  } catch (error) {
    throw new UsageError(`${flag}: ${isFile ? text.slice(1) : 'the value'} is not JSON (${(error as Error).message}).`);
  }
}

export function readInput(source: number | string, name: string): string {
  try {
    return readFileSync(source, 'utf8');
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${(error as Error).message}`);
  }
}

export interface RequestParts {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
}

/** `values`: by the field's name. Flags replace the fields of `data`. */
export function requestParts(
  operation: Operation,
  args: string[],
  values: Map<string, FlagValue>,
  data: unknown,
): RequestParts {
  const path = Object.fromEntries(operation.path.map(({ name }, n) => [name, args[n]]));
  const query: Record<string, unknown> = {};
  for (const field of operation.query) {
    const value = values.get(`query ${field.name}`);
    if (value !== undefined) query[field.name] = String(fieldValue(field, value));
  }
  if (operation.body.length === 0 && data === undefined) return { path, query, body: undefined };
  const body = bodyOf(data);
  for (const field of operation.body) {
    const value = values.get(field.name);
    if (value !== undefined) assign(body, field.name.split('.'), fieldValue(field, value));
  }
  return { path, query, body };
}

function bodyOf(data: unknown): Record<string, unknown> {
  if (data === undefined) return {};
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new UsageError('--data must be a JSON object.');
  return { ...data } as Record<string, unknown>;
}

function assign(target: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = { ...((target[name] as Record<string, unknown> | undefined) ?? {}) };
  assign(inner, rest, value);
  target[name] = inner;
}

/** A body of --data may have a PIN that was encrypted elsewhere. */
const isEncrypted = (values: Record<string, unknown> | undefined) => values?.encrypted_pin !== undefined;

/** The client makes a payment's key if it is absent. */
export function missingFields({ body, query, key }: Operation, parts: RequestParts): Field[] {
  const lacks =
    (values: Record<string, unknown> | undefined) =>
    ({ name, required }: Field) =>
      required === true && values?.[name] === undefined && name !== key && !(name === 'pin' && isEncrypted(values));
  return [...body.filter(lacks(parts.body)), ...query.filter(lacks(parts.query))];
}
