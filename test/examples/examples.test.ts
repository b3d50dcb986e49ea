// Plays the scenario on the real server and compares what it records with the committed examples.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { gatewayForFile, type Json, testGateway } from '../support/gateway.ts';
import { APP_SECRET, fakeServer, respond } from '../support/messaging.ts';
import { operationReplyValidator, resolvedDocument } from '../support/openapi.ts';
import { SITE_ENV } from '../support/second-factor.ts';
import { CASHIN_SECRET, USSD_SECRET, VERIFY_TOKEN } from './integrators.ts';
import { type Examples, recorderOf } from './recorder.ts';
import { playScenario } from './scenario.ts';

/** JSON has an example as a request; a form contains one of the uploaded files; pictures and PDFs have none. */
const OTHER_REQUESTS = new Set([
  ...['application/json', 'multipart/form-data', 'image/jpeg', 'image/png', 'application/pdf'],
]);

const FILE = new URL('../../src/app/examples.json', import.meta.url);

const agentService = await fakeServer('/chat', respond(200, { answer: 'Your balance is 125.00 SLE.' }));
const partner = await fakeServer('/hooks', respond(200, {}));
after(() => Promise.all([agentService.close(), partner.close()]));
const env = {
  SERVICE_SECRETS: '{"kissi": "example-service-secret"}',
  AGENT_SERVICE_URL: agentService.url,
  AGENT_SERVICE_NAME: 'kissi',
  MESSAGING_APP_SECRET: APP_SECRET,
  MESSAGING_VERIFY_TOKEN: VERIFY_TOKEN,
  PARTNER_CASHIN_WEBHOOK_SECRET: CASHIN_SECRET,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  LAB: 'on',
  USSD_SECRET,
  ...SITE_ENV,
};
const kissi = await gatewayForFile({ env });
/** For the registration that waits for a code. */
const verifying = await testGateway({
  ...{ db: kissi.db, clock: kissi.clock },
  env: { ...env, PHONE_VERIFICATION: 'required' },
});
after(() => verifying.close());
const recorder = recorderOf({
  ...kissi,
  call: (method, path, options) =>
    (path.startsWith('/api/v1/public/subscribers') ? verifying : kissi).call(method, path, options),
});
await playScenario(recorder.kissi, partner.url);
for (const { json } of partner.requests) recorder.event(json.event ?? json.type, json);
const recorded = recorder.examples();
if (process.env.WRITE_EXAMPLES) await writeFile(FILE, `${JSON.stringify(recorded, null, 1)}\n`);
const committed: Examples = JSON.parse(await readFile(FILE, 'utf8'));

const { paths, webhooks } = kissi.gateway.app.openApi() as Json;
const operations = Object.values<Json>(paths).flatMap((path) => Object.values<Json>(path));
const resolved = Object.values<Json>(resolvedDocument(kissi.gateway.app.openApi()).paths ?? {}).flatMap((path) =>
  Object.values<Json>(path),
);

test('every operation has an example of its request and of its success', () => {
  const missing = operations.filter(({ operationId, requestBody }) => {
    const { request, replies } = committed[operationId] ?? { replies: {} };
    const needsRequest = requestBody?.content['application/json'] !== undefined;
    return Object.keys(replies).length === 0 || (needsRequest && request === undefined);
  });
  assert.deepEqual(
    missing.map(({ operationId }) => operationId),
    [],
  );
});

test('every list as CSV, every uploaded file and every webhook has an example', () => {
  const missing: string[] = [];
  for (const { operationId, requestBody, responses } of operations) {
    const { csv, uploads = {} } = committed[operationId] ?? { replies: {} };
    const content = responses['200']?.content ?? {};
    if (content['application/json'] && content['text/csv'] && !csv) missing.push(`${operationId} CSV`);
    const types = Object.keys(requestBody?.content ?? {}).filter((type) => !OTHER_REQUESTS.has(type));
    missing.push(...types.filter((type) => !uploads[type]).map((type) => `${operationId} ${type}`));
  }
  const events = Object.values<Json>(webhooks).map(({ post }) => post.operationId);
  missing.push(...events.filter((id) => committed[id]?.request === undefined));
  assert.deepEqual(missing, []);
});

test('the examples have the form of what the service receives and sends (npm run docs:examples)', () => {
  assert.deepEqual(formOf(recorded), formOf(committed));
});

test("every example is valid by its operation's schema", () => {
  const validateReply = operationReplyValidator();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  for (const operation of resolved) {
    const { request, replies, refusals = {} } = committed[operation.operationId] ?? { replies: {} };
    const { operationId } = operation;
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (schema) assert.ok(ajv.validate(schema, request), `${operationId}: ${ajv.errorsText()}`);
    for (const [status, json] of Object.entries(replies)) {
      if (json !== null) validateReply(operation, { status: Number(status), json }, operationId);
    }
    for (const [status, byCode] of Object.entries(refusals)) {
      for (const json of Object.values(byCode)) validateReply(operation, { status: Number(status), json }, operationId);
    }
  }
});

test('the example of each webhook is valid by its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const events = Object.values<Json>((resolvedDocument(kissi.gateway.app.openApi()) as Json).webhooks);
  for (const { post } of events) {
    const { schema } = post.requestBody.content['application/json'];
    assert.ok(ajv.validate(schema, committed[post.operationId]?.request), `${post.operationId}: ${ajv.errorsText()}`);
  }
});

test('no example has a real secret: none has the length of one', () => {
  const texts = JSON.stringify(committed).match(/[A-Za-z0-9_-]{40,}/g) ?? [];
  // The text of a QR code has many digits.
  const long = texts.filter((text) => !/^m\d+$|^(?:e0)+$|^[a-z_]+_01KJMXAMP\d{17}$/.test(text));
  assert.deepEqual(long, []);
});

/** Types instead of values; the first element of a list. */
function formOf(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, 1).map(formOf);
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, formOf(inner)]));
}
