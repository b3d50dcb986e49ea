// Holds replies against the OpenAPI document: a reply it does not describe is a failure of the test that got it.
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
}

export interface Operation {
  security: Record<string, string[]>[];
  parameters?: { in: 'path' | 'query' | 'header'; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

const JSON_TYPE = 'application/json';

export interface Document {
  paths?: Record<string, Record<string, Operation>>;
}

export interface Reply {
  status: number;
  json: unknown;
}

export type ReplyCheck = (reply: Reply & { method: string; path: string }) => void;

export function replyCheck(document: unknown): ReplyCheck {
  const find = operationFinder(document as Document);
  const hold = replyHolder();
  return ({ method, path, ...reply }) => {
    const operation = find(method, path);
    if (operation) hold(operation, reply, `${method} ${path}`);
  };
}

/** The operation that serves a path, if one does. */
export function operationFinder({ paths = {} }: Document): (method: string, path: string) => Operation | undefined {
  const routes = Object.entries(paths).map(([template, operations]) => ({ pattern: patternOf(template), operations }));
  return (method, path) => {
    // A literal path wins over one with parameters, as in the router.
    const operations = paths[path] ?? routes.find(({ pattern }) => pattern.test(path))?.operations;
    return operations?.[method.toLowerCase()];
  };
}

/** Fails unless the operation describes the reply. */
export function replyHolder(): (operation: Operation, reply: Reply, what: string) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const compiled = new Map<object, ValidateFunction>();
  return ({ responses }, { status, json }, what) => {
    const described = responses[String(status)];
    assert.ok(described, `${what} answered ${status}, which its document does not list`);
    const { content = {} } = described;
    const schema = content[JSON_TYPE]?.schema;
    if (!schema) return;
    if (json === undefined) {
      // Another type of reply may be documented beside it.
      assert.ok(Object.keys(content).length > 1, `${what} ${status}: its document lists JSON, and it was none`);
      return;
    }
    let validate = compiled.get(schema);
    if (!validate) {
      validate = ajv.compile(sealed(schema) as object);
      compiled.set(schema, validate);
    }
    assert.ok(validate(json), `${what} ${status}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(json)}`);
  };
}

/**
 * The same schema, in which an object has the properties that are listed and no others, unless it says otherwise. Readers of the
 * document may meet new ones in a later version; what this version sends, it lists.
 */
function sealed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(sealed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, sealed(value)]));
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
