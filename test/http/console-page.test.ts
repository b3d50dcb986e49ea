// The pages of the console over HTTP: caching, encodings, the Content-Security-Policy, and paths that try to leave its folder.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ensureBuilt } from '../../packages/console/scripts/build.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { Wire, type WireReply } from '../support/wire.ts';

const BROWSER: [string, string][] = [['accept', 'text/html,application/xhtml+xml,*/*;q=0.8']];

let kissi: TestGateway;
let wire: Wire;
/** The path of the libraries that the page loads, which are large enough to be compressed. */
let script = '';

before(async () => {
  await ensureBuilt();
  kissi = await testGateway();
  wire = new Wire(kissi.url);
  script =
    /href="(\/console\/assets\/libraries[^"]+\.js)"/.exec((await get('/console/')).body.toString())?.[1] ??
    assert.fail();
});
after(async () => {
  wire?.close();
  await kissi?.close();
});

/** Without the changes that fetch makes to paths. */
async function send(method: string, target: string, headers = BROWSER): Promise<WireReply> {
  const reply = await wire.send({ method, target, headers, body: Buffer.alloc(0) });
  assert.ok(typeof reply !== 'string', `${target} got no reply: ${reply}`);
  return reply;
}

const get = (target: string, headers = BROWSER) => send('GET', target, headers);
const headerOf = ({ headers }: WireReply, name: string) => headers.get(name);

function assertRefused(reply: WireReply, statuses: number[], label: string): void {
  assert.ok(statuses.includes(reply.status), `${label}: ${reply.status}`);
  assert.match(headerOf(reply, 'content-type') ?? '', /^application\/json/, label);
  assert.equal(JSON.parse(reply.body.toString()).success, false, label);
}

describe('the page', () => {
  test('/console redirects to /console/, which is HTML that is never stored', async () => {
    const redirect = await get('/console');
    assert.deepEqual([redirect.status, headerOf(redirect, 'location')], [301, '/console/']);
    const page = await get('/console/');
    assert.equal(page.status, 200);
    assert.equal(headerOf(page, 'content-type'), 'text/html; charset=utf-8');
    assert.equal(headerOf(page, 'cache-control'), 'no-store');
    assert.match(page.body.toString(), /^<!doctype html>/);
  });

  test('is the same for every path of the console, so that a view can be opened by its address', async () => {
    const shape = (reply: WireReply) => reply.body.toString().replace(/nonce="[^"]*"/, '');
    const page = shape(await get('/console/'));
    for (const path of ['/console/customers/sub_1?tab=cards', '/console/a.b', '/console/a/b/c/', '/console/%C3%A9']) {
      const reply = await get(path);
      assert.deepEqual([reply.status, shape(reply)], [200, page], path);
    }
  });

  test('has a policy without inline scripts, and a new nonce for styles in each reply', async () => {
    const nonces = new Set<string>();
    for (const path of ['/console/', '/console/', '/console/login']) {
      const page = await get(path);
      const policy = headerOf(page, 'content-security-policy') ?? '';
      const nonce = /'nonce-([A-Za-z0-9+/]{22}==)'/.exec(policy)?.[1] ?? assert.fail(policy);
      assert.equal(
        policy,
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; font-src 'self'; ` +
          "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      const html = page.body.toString();
      assert.ok(html.includes(`<meta name="csp-nonce" nonce="${nonce}" />`));
      assert.doesNotMatch(html, /\{\{|<script(?![^>]* src="\/console\/)|<style|style="|\son\w+=/);
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 3);
  });

  test('has the security headers of other replies, and those of a page with passkeys', async () => {
    const page = await get('/console/');
    const expected = {
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(headerOf(page, name), value);
    assert.match(
      headerOf(page, 'permissions-policy') ?? '',
      /publickey-credentials-get=\(self\).*camera=\(self\).*microphone=\(\)/,
    );
    assert.equal(headerOf(page, 'set-cookie'), undefined);
  });

  test('is for browsers only, and for GET and HEAD', async () => {
    assertRefused(await get('/console/', [['accept', 'application/json']]), [404], 'JSON');
    for (const method of ['POST', 'PUT', 'DELETE']) assertRefused(await send(method, '/console/'), [404], method);
    const head = await send('HEAD', '/console/');
    assert.deepEqual([head.status, head.body.length], [200, 0]);
    assert.match(headerOf(head, 'content-security-policy') ?? '', /'nonce-/);
  });

  test("its session's routes stay as they are", async () => {
    assertRefused(await get('/console/session'), [405], 'GET /console/session');
    assertRefused(await send('POST', '/console/session/refresh'), [401], 'another origin');
    const login = { email: 'nobody@example.com', password: 'Nothing-Right-1' };
    const headers = { 'sec-fetch-site': 'same-origin' };
    assert.equal((await kissi.call('POST', '/console/session', { body: login, headers })).json.code, 'UNAUTHORIZED');
  });
});

describe('assets', () => {
  test('are stored forever, and sent in the smallest encoding that the client accepts', async () => {
    const plain = await get(script, []);
    assert.deepEqual([plain.status, headerOf(plain, 'content-encoding')], [200, undefined]);
    assert.equal(headerOf(plain, 'content-type'), 'text/javascript; charset=utf-8');
    assert.equal(headerOf(plain, 'x-content-type-options'), 'nosniff');
    const expected = [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0.5', 'br'],
      ['GZIP', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0, *', 'gzip'],
      ['*', 'br'],
      ['deflate', undefined],
      ['br;q=0, gzip;q=0', undefined],
      ['br;q=x', undefined],
      ['', undefined],
    ] as const;
    const decode = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [accepted, encoding] of expected) {
      const reply = await get(script, [['accept-encoding', accepted]]);
      assert.deepEqual([reply.status, headerOf(reply, 'content-encoding')], [200, encoding], accepted);
      assert.equal(headerOf(reply, 'cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(headerOf(reply, 'vary'), 'accept-encoding');
      assert.ok((encoding ? decode[encoding](reply.body) : reply.body).equals(plain.body), accepted);
      if (encoding) assert.ok(reply.body.length < plain.body.length / 2);
    }
  });

  test('each encoding has an ETag, and a client that has it gets 304', async () => {
    const etags = new Set<string>();
    const fetched = (headers: Record<string, string>) => fetch(kissi.url + script, { headers });
    for (const accepted of ['br', 'gzip', 'identity']) {
      const accept = { 'accept-encoding': accepted };
      const etag = (await fetched(accept)).headers.get('etag') ?? assert.fail();
      for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const reply = await fetched({ ...accept, 'if-none-match': sent });
        assert.deepEqual([reply.status, await reply.text(), reply.headers.get('etag')], [304, '', etag], sent);
      }
      assert.equal((await fetched({ ...accept, 'if-none-match': '"other"' })).status, 200);
      etags.add(etag);
    }
    assert.equal(etags.size, 3);
  });

  test('HEAD has the length of the body and no body', async () => {
    const accept: [string, string][] = [['accept-encoding', 'br']];
    const [whole, head] = [await get(script, accept), await send('HEAD', script, accept)];
    assert.deepEqual([head.status, head.body.length], [200, 0]);
    assert.equal(headerOf(head, 'content-length'), String(whole.body.length));
  });

  test('an unknown asset gets 404 and never HTML', async () => {
    for (const path of [
      'x.js',
      '',
      'index-0.css',
      `${script.split('/').at(-1)}.br`,
      `${script.split('/').at(-1)}.map`,
    ]) {
      assertRefused(await get(`/console/assets/${path}`), [404], path);
    }
  });
});

describe('paths that try to leave the folder', () => {
  const LONG = 'a'.repeat(8_000);
  const PATHS = [
    '/console/assets/../../package.json',
    '/console/assets/..%2f..%2fpackage.json',
    '/console/assets/%2e%2e/%2e%2e/package.json',
    '/console/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/console/assets/..\\..\\package.json',
    '/console/assets/..%5c..%5cpackage.json',
    '/console/assets/%252e%252e/package.json',
    '/console/assets//etc/passwd',
    '/console/assets/%00',
    '/console/assets/index.js%00.css',
    '/console/assets/__proto__',
    '/console/assets/constructor',
    `/console/assets/${LONG}`,
    '/console/assets/%',
    '/console/assets/%ff%fe',
  ];
  for (const path of PATHS) {
    test(`${path.slice(0, 60)} is refused`, async () => {
      assertRefused(await get(path), [400, 404, 414], path);
    });
  }

  const SHOWN = [
    '/console/../package.json',
    '/console/%2e%2e/package.json',
    '/console/..%2fpackage.json',
    '/console/.vite/manifest.json',
    '/console/.sources',
    '/console/index.html',
    '/console//etc/passwd',
    '/console/%00',
    '/console/..',
    `/console/${LONG}`,
  ];
  for (const path of SHOWN) {
    test(`${path.slice(0, 60)} shows at most the page`, async () => {
      const reply = await get(path);
      if (reply.status !== 200) return assertRefused(reply, [400, 404, 414], path);
      assert.match(reply.body.toString(), /^<!doctype html>[\s\S]*<div id="root">/);
      assert.match(headerOf(reply, 'content-security-policy') ?? '', /script-src 'self'; style-src 'self' 'nonce-/);
      assertRefused(await get(path, []), [404], path);
    });
  }
});

describe('the front page', () => {
  test('leads to the console', async () => {
    assert.match((await get('/')).body.toString(), /<a href="\/console\/">/);
  });

  test('CONSOLE=off removes the console, its login and the link: 404', async () => {
    const without = await testGateway({ env: { CONSOLE: 'off' }, db: kissi.db });
    const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
    for (const path of ['/console', '/console/', script, '/console/session', '/console/session/refresh']) {
      for (const method of ['GET', 'POST']) {
        const reply = await without.call(method, path, { headers });
        assert.deepEqual([reply.status, reply.json?.code], [404, 'NOT_FOUND'], `${method} ${path}`);
      }
    }
    const front = await without.call('GET', '/', { headers });
    assert.match(front.text, /<a href="\/docs\/">/);
    assert.doesNotMatch(front.text, /console/);
    await without.close();
  });
});
