// The OpenAPI document: worked examples of the signatures, order of the tags, names, headers of replies.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hmac, signatureMatches } from '@kissi/signatures/node';
import type { Json } from '../support/gateway.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const document: Json = JSON.parse(read('docs/openapi.json'));

const vectors: Json[] = readdirSync(new URL('../vectors', import.meta.url))
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(read(`test/vectors/${name}`)));

const EXAMPLE = /with the secret `([^`]+)`, the signature of\n\n```text\n([^`]+)\n```\n\nis `([0-9a-f]{64})`/;

test('every signature of the document has a worked example, which is one of test/vectors and verifies', () => {
  const { securitySchemes } = document.components;
  const hook = document.webhooks['credit.completed'].post.parameters.find(
    ({ name }: Json) => name === 'X-Hook-Signature',
  );
  const names = ['signature', 'partnerSignature', 'inboundSignature', 'serviceSignature', 'webhookSignature'];
  const descriptions = [...names.map((name) => securitySchemes[name].description), hook.description];
  for (const description of descriptions) {
    const [, secret = '', signed = '', signature = ''] = EXAMPLE.exec(description) ?? [];
    assert.ok(signatureMatches(hmac(secret, signed), signature), description);
    const vector = vectors.find((each) => each.signature === signature);
    assert.equal(vector?.secret, secret, description);
    const expected = vector.string_to_sign_base64 ?? vector.body_base64;
    assert.equal(Buffer.from(signed).toString('base64'), expected, description);
  }
});

test('every family of operations is a described tag, and the integrators come first', () => {
  const operations = Object.values<Json>(document.paths).flatMap((path) => Object.values<Json>(path));
  const tags: string[] = document.tags.map(({ name }: Json) => name);
  assert.deepEqual(tags.slice(0, 2), ['payments', 'payment-requests']);
  assert.deepEqual(new Set(operations.flatMap((operation) => operation.tags)), new Set(tags));
  for (const { description } of document.tags) assert.ok(description.length > 20, description);
});

test('requests, replies and refusals are named components', () => {
  const inline: string[] = [];
  for (const [path, operations] of Object.entries<Json>(document.paths)) {
    for (const { operationId, requestBody, responses } of Object.values<Json>(operations)) {
      const json = [requestBody, ...Object.values<Json>(responses)].flatMap(
        (each) => each?.content?.['application/json'],
      );
      if (json.some((content) => content && !content.schema.$ref)) inline.push(operationId);
      const refusals = Object.keys(responses).filter((status) => Number(status) >= 400 && !responses[status].$ref);
      // /health/ready answers 503 with its report.
      assert.deepEqual(refusals, path === '/health/ready' ? ['503'] : [], path);
    }
  }
  assert.deepEqual(inline, []);
});
