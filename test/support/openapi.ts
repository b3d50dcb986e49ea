// Validates replies against the OpenAPI document; a reply it does not describe fails the test.
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  not?: object;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  readOnly?: boolean;
}

export interface Operation {
  security: Record<string, string[]>[];
  parameters?: { in: 'path' | 'query' | 'header'; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { headers?: object; content?: Record<string, { schema: object }> }>;
}

const JSON_TYPE = 'application/json';

export interface Document {
  paths?: Record<string, Record<string, Operation>>;
}

export interface Reply {
  status: number;
  json: unknown;
  headers?: Headers;
}

/** Headers that the document lists on the replies that can have them. */
const DOCUMENTED_HEADERS = [
  ...['X-Request-ID', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ...['Retry-After', 'Idempotent-Replayed'],
];

export type ReplyValidator = (reply: Reply & { method: string; path: string }) => void;

/** The document with every reference replaced by what it refers to, so that tests can read operations as a whole. */
export function resolvedDocument(document: unknown): Document {
  const { components } = document as { components: Record<string, Record<string, unknown>> };
  const resolved = new Map<string, unknown>();
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string') return target($ref);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  const target = (reference: string): unknown => {
    const [, , kind = '', name = ''] = reference.split('/');
    assert.ok(components[kind]?.[name] !== undefined, `nothing is at ${reference}`);
    if (!resolved.has(reference)) resolved.set(reference, resolve(components[kind][name]));
    return resolved.get(reference);
  };
  return resolve(document) as Document;
}

export function replyCheck(document: unknown): ReplyValidator {
  const find = operationFinder(resolvedDocument(document));
  const validate = operationReplyValidator();
  return ({ method, path, ...reply }) => {
    const operation = find(method, path);
    if (operation) validate(operation, reply, `${method} ${path}`);
  };
}

/** Finds the operation for a method and path. */
export function operationFinder({ paths = {} }: Document): (method: string, path: string) => Operation | undefined {
  const routes = Object.entries(paths).map(([template, operations]) => ({ pattern: patternOf(template), operations }));
  return (method, path) => {
    // As in the router, a literal path has precedence over one with parameters.
    const operations = paths[path] ?? routes.find(({ pattern }) => pattern.test(path))?.operations;
    return operations?.[method.toLowerCase()];
  };
}

/** Returns a function that fails unless the operation describes the reply. */
export function operationReplyValidator(): (operation: Operation, reply: Reply, label: string) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const compiled = new Map<object, ValidateFunction>();
  return ({ responses }, { status, json, headers }, label) => {
    const described = responses[String(status)];
    assert.ok(described, `${label} replied ${status}, which OpenAPI does not list`);
    const { content = {}, headers: listed = {} } = described;
    for (const name of DOCUMENTED_HEADERS) {
      assert.ok(!headers?.has(name) || name in listed, `${label} ${status}: OpenAPI does not list the header ${name}`);
    }
    const schema = content[JSON_TYPE]?.schema;
    if (!schema) return;
    if (json === undefined) {
      // The operation may list another content type besides JSON.
      assert.ok(Object.keys(content).length > 1, `${label} ${status}: OpenAPI lists JSON, but the reply is not JSON`);
      return;
    }
    let validate = compiled.get(schema);
    if (!validate) {
      validate = ajv.compile(withoutExtraProperties(schema) as object);
      compiled.set(schema, validate);
    }
    assert.ok(validate(json), `${label} ${status}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(json)}`);
  };
}

/**
 * Sets additionalProperties to false wherever the schema does not set it. The document allows additional properties
 * because later versions may add some; this version must list every property it sends.
 */
export function withoutExtraProperties(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutExtraProperties);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withoutExtraProperties(value)]));
  return 'properties' in schema ? { additionalProperties: false, ...parts } : parts;
}

function patternOf(template: string): RegExp {
  const source = template
    .split(/\{[^}]+\}/)
    .map(escaped)
    .join('[^/]+');
  return new RegExp(`^${source}$`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
