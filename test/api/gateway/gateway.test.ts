// Tests HTTP behaviour common to all routes: envelopes, unknown paths, bodies, request ids, headers, documents and health.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { CATALOGUE } from '../../../src/kernel/refusal.ts';
import { assertStatus, gatewayForFile, testGateway } from '../../support/gateway.ts';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();

const USERS = '/api/v1/admin/users';

describe('unknown paths and methods', () => {
  test('an unknown path gets 404 NOT_FOUND in the legacy envelope', async () => {
    const reply = assertStatus(await kissi.call('GET', '/api/v1/nothing-here'), 404);
    assert.deepEqual(Object.keys(reply.json).sort(), ['code', 'error', 'success']);
    assert.equal(reply.json.code, 'NOT_FOUND');
    assert.equal(reply.json.success, false);
  });

  test('a known path with another method gets 405 METHOD_NOT_ALLOWED with an Allow header', async () => {
    for (const [method, path, allow] of [
      ['DELETE', '/health', 'GET, HEAD'],
      ['PATCH', '/api/v1/subscribers/sub_1', 'GET, HEAD, PUT'],
      ['GET', '/api/v1/admin/login', 'POST'],
      ['POST', '/api/v1/admin/me', 'GET, HEAD'],
    ] as const) {
      const reply = await kissi.call(method, path, { raw: method === 'GET' ? undefined : '{}' } as object);
      assert.equal(reply.status, 405, `${method} ${path}`);
      assert.equal(reply.json.code, 'METHOD_NOT_ALLOWED');
      assert.equal(reply.headers.get('allow'), allow);
    }
  });

  test('a malformed URL or one with U+0000 gets 400 INVALID_REQUEST', async () => {
    for (const path of ['/api/v1/subscribers/%E0%A4%A', '/api/v1/subscribers/%00', '/api/v1/subscribers?search=%00']) {
      const reply = await kissi.call('GET', path, { token: admin });
      assert.equal(reply.status, 400, path);
      assert.equal(reply.json.code, 'INVALID_REQUEST');
    }
  });

  test('an overlong identifier gets 404 NOT_FOUND', async () => {
    const reply = await kissi.call('GET', `/api/v1/subscribers/${'x'.repeat(5_000)}`, { token: admin });
    assert.equal(reply.status, 404);
    assert.equal(reply.json.code, 'NOT_FOUND');
    assert.ok(reply.headers.get('x-request-id'));
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
  });

  test('an unknown path gets 404 for any body, in the envelope of its route family', async () => {
    for (const raw of ['{bad', '', '{"__proto__":1}', 'x'.repeat(2 ** 21)]) {
      const headers = { 'content-type': 'application/json' };
      for (const path of ['/api/v1/unknown', '/api/v1/inbound/unknown']) {
        const reply = await kissi.call('POST', path, { raw, headers });
        assert.equal(reply.status, 404, `${path} ${raw.slice(0, 20)} ${reply.text}`);
        assert.equal(reply.json.code, 'NOT_FOUND');
        assert.equal('message' in reply.json, path.includes('inbound'));
      }
    }
  });
});

describe('bodies', () => {
  const post = (raw: string, headers: Record<string, string> = {}) =>
    kissi.call('POST', USERS, { raw, headers, token: admin });

  test('malformed JSON gets 400 INVALID_REQUEST', async () => {
    for (const raw of ['{', '{"a":}', 'nonsense', '{"a":1}}', "{'a':1}", '\u0000']) {
      const reply = await post(raw);
      assert.equal(reply.status, 400, raw);
      assert.equal(reply.json.code, 'INVALID_REQUEST');
    }
  });

  test('a body that is not an object gets 400 INVALID_REQUEST', async () => {
    for (const raw of ['[]', 'null', '1', '"text"', 'true']) {
      assert.equal((await post(raw)).status, 400, raw);
    }
  });

  test('a missing body gets 400 INVALID_REQUEST', async () => {
    const reply = assertStatus(await kissi.call('POST', USERS, { token: admin }), 400);
    assert.match(reply.json.error, /body/);
  });

  test('a content type other than JSON gets 415 UNSUPPORTED_MEDIA_TYPE', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x']) {
      const reply = await post('{}', { 'content-type': type });
      assert.equal(reply.status, 415, type);
      assert.equal(reply.json.code, 'UNSUPPORTED_MEDIA_TYPE');
    }
  });

  test('JSON content types with a charset or a suffix are accepted', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/problem+json']) {
      assert.equal((await post('{}', { 'content-type': type })).json.code, 'INVALID_REQUEST', type);
    }
  });

  test('a body over 1 MiB gets 413 PAYLOAD_TOO_LARGE, one of exactly 1 MiB is read', async () => {
    const body = (bytes: number) => `{"email":"${'a'.repeat(bytes - '{"email":""}'.length)}"}`;
    assert.equal((await post(body(1024 * 1024))).status, 400);
    const reply = assertStatus(await post(body(1024 * 1024 + 1)), 413);
    assert.equal(reply.json.code, 'PAYLOAD_TOO_LARGE');
  });

  test('prototype keys are ignored like other unknown fields and do not pollute prototypes', async () => {
    const validBody = '{"email":"a@b.co","password":"Abcdef1!","first_name":"A","last_name":"B","role":"sales_user"}';
    for (const raw of [
      `{"__proto__":${validBody}}`,
      `{"constructor":{"prototype":${validBody}}}`,
      `{"\\u005f_proto__":${validBody}}`,
    ]) {
      const reply = await post(raw);
      assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_REQUEST']);
      assert.match(reply.json.error, /is required/);
    }
    const nested = await post(
      validBody.replace('"A"', '{"__proto__":{"role":1},"constructor":{"prototype":{"role":1}}}'),
    );
    assert.match(nested.json.error, /^first_name must be/);
    assert.ok(!('role' in {}));
  });

  test('unknown fields must be valid JSON without U+0000 or lone surrogates', async () => {
    assert.match((await post('{"email":"a@b.co","other":{"a":"\\u0000"}}')).json.error, /^The body must not contain/);
    assert.match((await post('{"email":"a@b.co","\\ud800":1}')).json.error, /^The body must not contain/);
    assert.match((await post('{"email":"a@b.co","other":{"a":01}}')).json.error, /^The body is not valid JSON/);
  });

  test('a field whose JSON text exceeds 65,536 characters is rejected by name', async () => {
    const reply = await post(`{"email":[${'{},'.repeat(30_000)}{}]}`);
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_REQUEST']);
    assert.match(reply.json.error, /^email must have at most 65536 characters as JSON text/);
  });

  test('nesting beyond the limit is rejected', async () => {
    const reply = assertStatus(await post(`{"email":${'['.repeat(200_000)}${']'.repeat(200_000)}}`), 400);
    assert.match(reply.json.error, /nested/);
  });

  test('a long unterminated string is rejected', async () => {
    assertStatus(await post(`"${'\\"'.repeat(500_000)}`), 400);
  });

  test('a lone surrogate and invalid UTF-8 are rejected', async () => {
    const loneSurrogate = assertStatus(await post('{"email":"\\ud800@b.cd"}'), 400);
    assert.match(loneSurrogate.json.error, /email/);
    const invalidUtf8 = await kissi.call('POST', USERS, { raw: Uint8Array.from([0x22, 0xff, 0x22]), token: admin });
    assert.equal(invalidUtf8.status, 400);
    assert.match(invalidUtf8.json.error, /UTF-8/);
  });

  test('U+0000 in a field is rejected by field name', async () => {
    const reply = await post(
      '{"email":"a@b.co","password":"Abcdef1!","first_name":"A\\u0000","last_name":"B","role":"sales_user"}',
    );
    assert.equal(reply.status, 400);
    assert.match(reply.json.error, /first_name/);
  });

  test('authentication is checked before the body is parsed', async () => {
    const reply = await kissi.call('POST', USERS, { raw: '{', headers: { 'content-type': 'text/plain' } });
    assert.equal(reply.status, 401);
    assert.equal(reply.json.code, 'UNAUTHORIZED');
  });
});

describe('request ids', () => {
  test('returns and logs the given X-Request-ID', async () => {
    const reply = await kissi.call('GET', '/health', { headers: { 'x-request-id': 'my-request-77' } });
    assert.equal(reply.headers.get('x-request-id'), 'my-request-77');
    assert.match(kissi.logs(), /"reqId":"my-request-77"/);
  });

  test('generates an id when none or an invalid one is given', async () => {
    for (const headers of [{}, { 'x-request-id': 'has spaces in it' }, { 'x-request-id': 'x'.repeat(200) }]) {
      const reply = await kissi.call('GET', '/health', { headers } as object);
      assert.match(reply.headers.get('x-request-id') ?? '', /^req_[0-9A-Z]{26}$/);
    }
  });
});

describe('headers and documents', () => {
  test('every reply has security headers and is not cacheable', async () => {
    for (const path of ['/health', '/api/v1/nothing-here', '/api/v1/admin/me']) {
      const { headers } = await kissi.call('GET', path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.ok(headers.get('strict-transport-security'));
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-powered-by'), null);
    }
  });

  test('/openapi.json is OpenAPI 3.1 and describes every route', async () => {
    const { json } = assertStatus(await kissi.call('GET', '/openapi.json'), 200);
    assert.match(json.openapi, /^3\.1\./);
    for (const group of kissi.gateway.routeGroups) {
      for (const { method, path } of group.endpoints) {
        const template = (group.prefix + path).replace(/:(\w+)/g, '{$1}');
        assert.ok(json.paths[template]?.[method.toLowerCase()], `${method} ${template} is not described`);
      }
    }
  });

  test('/docs/ loads no resources from other hosts', async () => {
    const page = assertStatus(await kissi.call('GET', '/docs/'), 200);
    assert.match(page.headers.get('content-type') ?? '', /text\/html/);
    const sources = [...page.text.matchAll(/(?:src|href)="(https?:[^"]+)"/g)].map(([, url]) => url);
    assert.deepEqual(sources, []);
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self'/);
  });

  test('DOCS=off hides the document and the page: 404', async () => {
    const hidden = await testGateway({ env: { DOCS: 'off' }, db: kissi.db });
    for (const path of ['/docs', '/docs/', '/docs/js/scalar.js', '/openapi.json']) {
      for (const method of ['GET', 'POST']) {
        const reply = await hidden.call(method, path);
        assert.deepEqual([reply.status, reply.json?.code], [404, 'NOT_FOUND'], `${method} ${path}`);
      }
    }
    assert.equal((await hidden.call('GET', '/health/live')).status, 200);
    await hidden.close();
  });

  test('/docs redirects to /docs/, and the script of the page is served', async () => {
    const redirect = await fetch(`${kissi.url}/docs`, { redirect: 'manual' });
    assert.equal(redirect.status, 301);
    assert.equal(redirect.headers.get('location'), '/docs/');
    const script = assertStatus(await kissi.call('GET', '/docs/js/scalar.js'), 200);
    assert.match(script.headers.get('content-type') ?? '', /javascript/);
    assert.ok(script.text.length > 1_000_000);
  });
});

describe('health', () => {
  test('/health reports the state of each component', async () => {
    const { json } = assertStatus(await kissi.call('GET', '/health'), 200);
    assert.equal(json.status, 'ok');
    assert.equal(json.wallet_core, 'ok');
    assert.equal(typeof json.version, 'string');
    assert.ok(Number.isInteger(json.uptime_seconds));
  });

  test("/health reports the uptime of the process, even when the service's clock is moved", async () => {
    const at = kissi.clock.now();
    kissi.clock.advance(60 * DAY_MS);
    const { json } = await kissi.call('GET', '/health');
    kissi.clock.set(at);
    assert.ok(json.uptime_seconds <= process.uptime(), String(json.uptime_seconds));
  });

  test('/health/ready and /health/live return 200 in normal operation', async () => {
    assert.equal((await kissi.call('GET', '/health/ready')).status, 200);
    assert.equal((await kissi.call('GET', '/health/live')).status, 200);
  });
});

describe('connections', () => {
  test('a request that is not HTTP gets 400 and its connection is closed; the next client is served', async () => {
    const { hostname, port } = new URL(kissi.url);
    const socket = connect(Number(port), hostname);
    socket.end('\x16\x03\x01 this is not http\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    const reply = Buffer.concat(chunks).toString();
    assert.match(reply, /^HTTP\/1\.1 400 /);
    assert.equal(JSON.parse(reply.split('\r\n\r\n')[1] ?? '').code, 'INVALID_REQUEST');
    assert.equal((await kissi.call('GET', '/health/live')).status, 200);
  });
});

describe('the error catalogue', () => {
  test('uses only documented HTTP statuses', () => {
    const documented = [400, 401, 402, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503];
    for (const [code, { status }] of Object.entries(CATALOGUE)) assert.ok(documented.includes(status), code);
  });
});
