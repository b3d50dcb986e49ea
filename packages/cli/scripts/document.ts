// The parts of an OpenAPI document that the command table is made of, with references resolved.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  readOnly?: boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  'x-raw-text'?: string;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value?: unknown; $ref?: string }>;
}

export interface Content {
  $ref?: string;
  content?: Record<string, Media>;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface DocumentOperation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

export interface Document {
  paths: Record<string, Record<string, DocumentOperation>>;
  components?: Record<string, Record<string, unknown>>;
}

export function follow<T extends { $ref?: string }>(document: Document, value: T): T {
  if (value.$ref === undefined) return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const found = document.components?.[kind]?.[name];
  if (found === undefined) throw new Error(`${value.$ref} is not in the document`);
  // A description beside a reference replaces the target's.
  const { $ref: _, ...beside } = value;
  return { ...follow(document, found as T), ...beside };
}

/** The properties of an object schema, of all its parts and alternatives. */
export function propertiesOf(document: Document, schema: Schema | undefined): Record<string, Schema> {
  if (!schema) return {};
  const { properties = {}, allOf = [], anyOf = [], oneOf = [] } = follow(document, schema);
  const parts = [...allOf, ...anyOf, ...oneOf].map((part) => propertiesOf(document, part));
  return Object.assign({}, ...parts, properties) as Record<string, Schema>;
}

/** Fields that every alternative of the body requires. */
export function requiredOf(document: Document, schema: Schema | undefined): string[] {
  if (!schema) return [];
  const { required = [], allOf = [] } = follow(document, schema);
  return [...required, ...allOf.flatMap((part) => requiredOf(document, part))];
}

export function isType(schema: Schema, type: string): boolean {
  return schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type));
}

/** The schema without the alternative null or empty text. */
export function mainAlternative(document: Document, schema: Schema): Schema {
  const resolved = follow(document, schema);
  const alternatives = (resolved.anyOf ?? resolved.oneOf ?? []).map((part) => follow(document, part));
  const real = alternatives.filter((part) => part.type !== 'null' && !('const' in part));
  const [first] = real;
  return first ? { ...first, ...(resolved.description ? { description: resolved.description } : {}) } : resolved;
}
