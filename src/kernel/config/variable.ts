// Environment variables as TypeBox schemas: how to declare one, and how to read one from its text.
import { type TEnum, type TSchema, Type } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { keysFault, parseKeys } from '../key-ring.ts';

/** Keywords of a variable's schema, in addition to those of JSON Schema. */
export interface VariableOptions {
  description: string;
  default?: string | number | boolean;
  /** Text of the documentation's default column where the schema itself has no default. */
  defaultNote?: string;
  /** What a valid value is, phrased to follow the variable's name in an error message. */
  fault?: string;
  /** The variable must be set in staging and production. */
  requiredOutsideDevelopment?: boolean;
  /** In production the value must not look like one copied from an example. */
  rejectExampleInProduction?: boolean;
  minLengthOutsideDevelopment?: number;
}

export type AppEnv = 'development' | 'staging' | 'production';

const MIN_SECRET_LENGTH = 32;
const MIN_DISTINCT_CHARACTERS = 8;
const LOOKS_LIKE_EXAMPLE = 'looks like a default; generate a random one (openssl rand -base64 32).';

export const text = (options: VariableOptions) => Type.String({ ...options });

export const integer = (minimum: number, maximum: number, options: VariableOptions) =>
  Type.Integer({ minimum, maximum, fault: `must be a whole number from ${minimum} to ${maximum}.`, ...options });

export const flag = (options: VariableOptions) => Type.Boolean({ fault: 'must be one of true, false.', ...options });

export const choice = <Values extends string[]>(
  values: readonly [...Values],
  options: VariableOptions,
): TEnum<Values> => Type.Enum(values, { fault: `must be one of ${values.join(', ')}.`, ...options });

/** Text that must pass a check; `fault` says what is valid. */
export const checkedText = (check: (value: string) => boolean, fault: string, options: VariableOptions) =>
  Type.Refine(
    Type.String({ ...options }),
    (value: string) => check(value),
    () => fault,
  );

/** A secret that must be long in every environment. */
export const secret = (options: VariableOptions) =>
  Type.String({
    minLength: MIN_SECRET_LENGTH,
    fault: tooShort(MIN_SECRET_LENGTH),
    rejectExampleInProduction: true,
    ...options,
  });

/** Keys with ids, each a secret that must be long in every environment. */
export const keyRing = (options: VariableOptions) =>
  Type.Refine(
    Type.String({ rejectExampleInProduction: true, ...options }),
    (value: string) => keysFault(value, MIN_SECRET_LENGTH) === null,
    (value: string) => keysFault(value, MIN_SECRET_LENGTH) ?? '',
  );

/** A secret agreed with another party. In development any value is accepted. */
export const sharedSecret = (options: VariableOptions) =>
  Type.String({ minLengthOutsideDevelopment: MIN_SECRET_LENGTH, rejectExampleInProduction: true, ...options });

/** Parses the text of a variable. Text that cannot be parsed is returned unchanged, and the schema then rejects it. */
export function parseText(schema: TSchema, text: string): unknown {
  if (Type.IsUnion(schema)) {
    const values = schema.anyOf.map((variant) => ({ variant, value: parseText(variant, text) }));
    return values.find(({ variant, value }) => Check(variant, value))?.value ?? text;
  }
  // Stricter than Number(), which also reads '', '1e3' and '0x10'.
  if (Type.IsInteger(schema)) return /^\d+$/.test(text) ? Number(text) : text;
  if (Type.IsBoolean(schema)) return text === 'true' || (text === 'false' ? false : text);
  return Type.IsRecord(schema) ? parseJson(text) : text;
}

/** Why a variable's value is invalid, phrased to follow its name; null if it is valid. */
export function variableFault(schema: TSchema, value: unknown, appEnv: AppEnv): string | null {
  const options: Partial<VariableOptions> = schema;
  if (value === undefined) {
    return options.requiredOutsideDevelopment && appEnv !== 'development' ? mustBeSet(appEnv) : null;
  }
  const [error] = Errors(schema, value);
  if (error) return error.keyword === '~refine' ? error.message : (options.fault ?? error.message);
  return appEnv !== 'development' && typeof value === 'string' ? secretFault(options, value, appEnv) : null;
}

const mustBeSet = (appEnv: AppEnv) => `must be set when APP_ENV is ${appEnv}.`;

/** Recognizes secrets that were copied from an example or typed in a hurry. */
export function exampleFault(value: string): string | null {
  const weak = new Set(value).size < MIN_DISTINCT_CHARACTERS || /change.?me|default|example|placeholder/i.test(value);
  return weak ? LOOKS_LIKE_EXAMPLE : null;
}

function secretFault(options: Partial<VariableOptions>, value: string, appEnv: AppEnv): string | null {
  const { minLengthOutsideDevelopment = 0, rejectExampleInProduction = false } = options;
  if (value.length < minLengthOutsideDevelopment) return tooShort(minLengthOutsideDevelopment);
  if (!rejectExampleInProduction || appEnv !== 'production') return null;
  return (
    parseKeys(value)
      .map((key) => exampleFault(key.value))
      .find((fault) => fault !== null) ?? null
  );
}

function tooShort(length: number): string {
  return `must have at least ${length} characters.`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
