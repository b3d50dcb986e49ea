// Holds replies against the OpenAPI document: a reply it does not describe is a failure of the test that got it.
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

interface Document {
  paths?: Record<string, Record<string, Operation>>;
}

export type ReplyCheck = (reply: { method: string; path: string; status: number; json: unknown }) => void;

export function replyCheck(document: unknown): ReplyCheck {
  const { paths = {} } = document as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const routes = Object.entries(paths).map(([template, operations]) => ({ pattern: patternOf(template), operations }));
  const compiled = new Map<object, ValidateFunction>();

  return ({ method, path, status, json }) => {
    const matching = routes.filter(({ pattern }) => pattern.test(path));
    // A literal path wins over one with parameters, as in the router.
    const route = matching.find(({ pattern }) => pattern.source === `^${escaped(path)}$`) ?? matching[0];
    const operation = route?.operations[method.toLowerCase()];
    if (!operation) return;
    const described = operation.responses[String(status)];
    assert.ok(described, `${method} ${path} answered ${status}, which its document does not list`);
    const schema = described.content?.['application/json']?.schema;
    if (!schema || json === undefined) return;
    let validate = compiled.get(schema);
    if (!validate) {
      validate = ajv.compile(schema);
      compiled.set(schema, validate);
    }
    assert.ok(
      validate(json),
      `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(json)}`,
    );
  };
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
