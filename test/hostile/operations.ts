// The operations of the OpenAPI document, as a generator of requests needs them.
import assert from 'node:assert/strict';
import type { Document, Operation, Schema } from '../support/openapi.ts';

export type Scheme = 'none' | 'bearer' | 'pos' | 'partner' | 'inbound' | 'webhook' | 'hub' | 'metrics';

export interface Target {
  /** As in "POST /api/v1/agents/{id}/fund". */
  name: string;
  method: string;
  template: string;
  scheme: Scheme;
  /** Takes the signature of a service instead of a bearer value as well. */
  takesServices: boolean;
  needsIdempotencyKey: boolean;
  query: { name: string; schema: Schema; required: boolean }[];
  body: Schema | null;
  isUpload: boolean;
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
    takesServices: operation.security.some((way) => 'serviceSignature' in way),
    needsIdempotencyKey: parameters.some(({ name }) => name === 'x-idempotency-key'),
    query: parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema, required = false }) => ({ name, schema, required })),
    body: content['application/json']?.schema ?? null,
    isUpload: 'text/csv' in content,
    operation,
  };
}

/** By the header that only this scheme has. */
const TELLING: Record<string, Scheme> = {
  bearer: 'bearer',
  partnerId: 'partner',
  nonce: 'inbound',
  webhookSignature: 'webhook',
  hubSignature: 'hub',
  metricsToken: 'metrics',
  keyId: 'pos',
};

function schemeOf({ security }: Operation, template: string): Scheme {
  const headers = new Set(security.flatMap((way) => Object.keys(way)));
  if (headers.size === 0) return 'none';
  const telling = Object.keys(TELLING).find((name) => headers.has(name));
  assert.ok(telling, `teach this to sign for ${[...headers]} of ${template}`);
  return TELLING[telling] as Scheme;
}
