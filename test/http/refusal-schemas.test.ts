// The OpenAPI document: additional fields of refusals, so that another field is a fault; optional bodies; statuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REFUSAL_FIELDS } from '../../src/http/refusal-fields.ts';
import { compileAll } from '../../src/http/schema-compilers.ts';
import type { Code } from '../../src/kernel/refusal.ts';
import { gatewayForFile, type Json } from '../support/gateway.ts';
import { operationReplyValidator, resolvedDocument } from '../support/openapi.ts';

const kissi = await gatewayForFile();
const { paths } = resolvedDocument(kissi.gateway.app.openApi()) as Json;
const validate = operationReplyValidator();
const balance = paths['/api/v1/wallet/balance/{subscriber_id}'].post;
const refusal = (code: string, fields: object = {}) => ({ success: false, error: 'A sentence.', code, ...fields });

test('a documented field of a refusal is valid, any other is not', () => {
  validate(balance, { status: 401, json: refusal('INVALID_PIN', { attempts_remaining: 2 }) }, 'documented');
  validate(balance, { status: 403, json: refusal('ACCOUNT_LOCKED', { locked_until: '2026-03-01T12:00:00Z' }) }, 'lock');
  const faults: [number, object][] = [
    [401, refusal('INVALID_PIN', { attempts_left: 2 })],
    [401, refusal('INVALID_PIN', { attempts_remaining: '2' })],
    [403, refusal('ACCOUNT_LOCKED', { attempts_remaining: 0 })],
    [404, refusal('SUBSCRIBER_NOT_FOUND', { id: 'sub_1' })],
  ];
  for (const [status, json] of faults) assert.throws(() => validate(balance, { status, json }, 'undocumented'));
});

test('inbound refusals document reference, status and failure_code of the credit', () => {
  const credit = paths['/api/v1/inbound/credit'].post;
  const json = { success: false, code: 'MAX_BALANCE_EXCEEDED', message: 'A sentence.' };
  const data = { reference: 'R', status: 'REJECTED', failure_code: 'MAX_BALANCE_EXCEEDED' };
  validate(credit, { status: 422, json: { ...json, data } }, 'documented');
  assert.throws(() =>
    validate(credit, { status: 422, json: { ...json, data: { ...data, amount: 1 } } }, 'undocumented'),
  );
});

/** Every legacy refusal of the document: its codes and properties. */
function refusals(): { codes: string[]; properties: Json }[] {
  const replies = Object.values<Json>(paths)
    .flatMap((operations) => Object.values<Json>(operations))
    .flatMap(({ responses }) => Object.values<Json>(responses));
  return replies.flatMap(({ content }) => {
    const properties = content?.['application/json']?.schema?.properties ?? {};
    return 'error' in properties && 'code' in properties ? [{ codes: properties.code.enum, properties }] : [];
  });
}

test('every operation documents the fields of the codes that it lists', () => {
  const documented = new Set<string>();
  for (const { codes, properties } of refusals()) {
    for (const code of codes) {
      const fields = Object.keys(REFUSAL_FIELDS[code as Code] ?? {});
      for (const field of fields) assert.ok(field in properties, `${code} ${field}`);
      if (fields.length > 0) documented.add(code);
    }
  }
  assert.deepEqual(
    [...documented].toSorted(),
    Object.keys(REFUSAL_FIELDS).toSorted(),
    'each is listed by an operation',
  );
});

test('an inbound transaction documents every status of the interface', () => {
  const { schema } = paths['/api/v1/inbound/transactions/{reference}'].get.responses['200'].content['application/json'];
  const statuses = ['COMPLETED', 'REJECTED', 'FAILED', 'REVERSED', 'PROCESSING'];
  assert.deepEqual(schema.properties.data.properties.status.enum, statuses);
});

test('a body that may be absent is documented as optional, every other one as required', () => {
  const optional: string[] = [];
  for (const { prefix, endpoints } of kissi.gateway.routeGroups) {
    for (const { method, path, body, bodyOptional } of endpoints) {
      if (!body) continue;
      const url = `${prefix}${path}`.replaceAll(/:(\w+)/g, '{$1}');
      assert.equal(paths[url][method.toLowerCase()].requestBody.required, bodyOptional !== true, url);
      if (bodyOptional) optional.push(url);
    }
  }
  assert.ok(optional.length >= 4, optional.join());
});

test('a route that accepts service signatures documents the refusals of a signature', () => {
  const { code } = paths['/api/v1/subscribers/{id}'].get.responses['401'].content['application/json'].schema.properties;
  for (const each of ['UNAUTHORIZED', 'INVALID_SIGNATURE', 'EXPIRED_TIMESTAMP']) assert.ok(code.enum.includes(each));
});

test('every schema of requests and replies compiles, including those that no request has used yet', () => {
  assert.ok(compileAll() > 100);
});
