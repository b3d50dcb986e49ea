// Reads from the OpenAPI document what the request generator needs of each operation.
import assert from 'node:assert/strict';
import type { Document, Operation, Schema } from '../support/openapi.ts';

export type Scheme = 'none' | 'bearer' | 'pos' | 'partner' | 'inbound' | 'webhook' | 'hub' | 'metrics' | 'same-origin';

export interface Target {
  /** For example "POST /api/v1/agents/{id}/fund". */
  name: string;
  method: string;
  template: string;
  scheme: Scheme;
  /** Also accepts a service signature instead of a bearer value. */
  takesServices: boolean;
  needsIdempotencyKey: boolean;
  query: { name: string; schema: Schema; required: boolean }[];
  body: Schema | null;
  /** The media type of a file that the operation takes. */
  uploadType: 'text/csv' | 'application/pdf' | null;
  operation: Operation;
}

export function targetsOf(document: Document): Target[] {
  return Object.entries(document.paths ?? {}).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) => targetOf(method.toUpperCase(), template, operation)),
  );
}

function targetOf(method: string, template: string, operation: Operation): Target {
  const parameters = operation.parameters ?? [];
  const content = operation.requestBody?.content ?? {};
  return {
    name: `${method} ${template}`,
    method,
    template,
    scheme: schemeOf(operation, template),
    takesServices: operation.security.some((scheme) => 'serviceSignature' in scheme),
    needsIdempotencyKey: parameters.some(({ name }) => name === 'x-idempotency-key'),
    query: parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema, required = false }) => ({ name, schema, required })),
    body: content['application/json']?.schema ?? null,
    uploadType: (['text/csv', 'application/pdf'] as const).find((type) => type in content) ?? null,
    operation,
  };
}

/** The header that only this scheme has. */
const DISTINCTIVE_HEADERS: Record<string, Scheme> = {
  bearer: 'bearer',
  partnerId: 'partner',
  nonce: 'inbound',
  webhookSignature: 'webhook',
  hubSignature: 'hub',
  metricsToken: 'metrics',
  consoleSession: 'same-origin',
  keyId: 'pos',
};

function schemeOf({ security }: Operation, template: string): Scheme {
  const headers = new Set(security.flatMap((scheme) => Object.keys(scheme)));
  if (headers.size === 0) return 'none';
  const distinctive = Object.keys(DISTINCTIVE_HEADERS).find((name) => headers.has(name));
  assert.ok(distinctive, `no known scheme signs ${[...headers]} of ${template}`);
  return DISTINCTIVE_HEADERS[distinctive] as Scheme;
}
