// What the client says if the service's address is missing, wrong, or that of something else.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { readBaseUrl } from './base-url.ts';
import { Kissi, KissiConnectionError, KissiError } from './index.ts';

describe('baseUrl', () => {
  test('that is missing is named, with an example', () => {
    for (const options of [{ apiKey: 'svc_test_1' }, { apiKey: 'svc_test_1', baseUrl: '' }]) {
      assert.throws(() => new Kissi(options as never), {
        name: 'TypeError',
        message: /^baseUrl is missing: .* such as https:\/\/api\.example\.com/,
      });
    }
  });

  test('without a scheme, or with a wrong one, is refused and says how to write it', () => {
    for (const baseUrl of [
      'api.example.com',
      'localhost:8080',
      '127.0.0.1:8080',
      'ftp://a.example',
      'not a url',
      '/api/v1',
    ]) {
      assert.throws(
        () => new Kissi({ baseUrl }),
        /^TypeError: baseUrl ".+" is not an address: write it with http/,
        baseUrl,
      );
    }
  });

  test('with a path of the service is refused and says which address to use', () => {
    for (const path of [
      '/api/v1',
      '/api/v1/',
      '/api',
      '/docs/',
      '/console',
      '/health',
      '/openapi.json',
      '/?a=1',
      '/#x',
    ]) {
      assert.throws(
        () => readBaseUrl(`https://a.example:8443${path}`),
        /alone: use https:\/\/a\.example:8443\.$/,
        path,
      );
    }
    assert.throws(() => readBaseUrl('https://a.example/kissi/api/v1'), /use https:\/\/a\.example\/kissi\.$/);
  });

  test("may have a slash at its end, and a proxy's path", () => {
    assert.equal(readBaseUrl('http://127.0.0.1:8080/'), 'http://127.0.0.1:8080');
    assert.equal(readBaseUrl(new URL('https://a.example/kissi/')), 'https://a.example/kissi');
  });
});

const answering = (answer: () => Response | Promise<Response>) =>
  new Kissi({ baseUrl: 'http://127.0.0.1:9', apiKey: 'svc_test_1', maxRetries: 0, fetch: async () => answer() });

test('nothing that listens there: the error names the address', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const kissi = new Kissi({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'svc_test_1', maxRetries: 0 });
  const error = await kissi.subscribers.get('sub_1').then(
    () => assert.fail(),
    (caught: KissiError) => caught,
  );
  assert.ok(error instanceof KissiConnectionError);
  assert.ok(error.message.endsWith(`Is the service running at http://127.0.0.1:${port} (baseUrl)?`), error.message);
});

test('a page instead of JSON: the error says that the address is wrong', async () => {
  for (const status of [200, 404, 403]) {
    const page = () => new Response('<html>', { status, headers: { 'content-type': 'text/html' } });
    const error = await answering(page)
      .subscribers.get('sub_1')
      .then(
        () => assert.fail(),
        (caught: KissiError) => caught,
      );
    assert.ok(error instanceof KissiError);
    assert.deepEqual([error.code, error.status], ['NOT_THE_SERVICE', status]);
    assert.match(error.message, /^http:\/\/127\.0\.0\.1:9 answered with a page .* Check baseUrl\.$/);
  }
  const proxy = () => new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } });
  const error = await answering(proxy)
    .subscribers.get('sub_1')
    .then(
      () => assert.fail(),
      (caught: KissiError) => caught,
    );
  assert.deepEqual([error.code, error.status], ['INTERNAL_ERROR', 502]);
});
