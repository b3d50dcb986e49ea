// The page of the web wallet over HTTP: its policy, what browsers may keep of it, and its files for installing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ensureBuilt } from '../../packages/wallet/scripts/build.ts';
import { gatewayForFile, type Json, testGateway } from '../support/gateway.ts';

await ensureBuilt();
const OPERATOR = 'Salone "Mobile" <Money>';
const kissi = await gatewayForFile({ env: { OPERATOR_NAME: OPERATOR } });

const get = (path: string, accept = 'text/html', url = kissi.url) =>
  fetch(url + path, { headers: { accept }, redirect: 'manual' });

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
  "worker-src 'self'; require-trusted-types-for 'script'; trusted-types wallet; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

test('the page admits nothing inline and nobody else, and is never stored', async () => {
  const redirect = await get('/wallet');
  assert.deepEqual([redirect.status, redirect.headers.get('location')], [301, '/wallet/']);
  for (const path of ['/wallet/', '/wallet/send', '/wallet/pay/0123456789']) {
    const page = await get(path);
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-security-policy'), POLICY);
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.match(page.headers.get('permissions-policy') ?? '', /^camera=\(self\).*geolocation=\(\), microphone=\(\)/);
    assert.equal(page.headers.get('x-frame-options'), 'DENY');
    assert.equal(page.headers.get('set-cookie'), null);
    assert.doesNotMatch(await page.text(), /\{\{|<script(?![^>]* src="\/wallet\/)|<style|style="|\son\w+=|https?:/);
  }
  assert.equal((await get('/wallet/', 'application/json')).status, 404);
});

test("has the operator's name, in the page and in the manifest", async () => {
  assert.match(await (await get('/wallet/')).text(), /content="Salone &quot;Mobile&quot; &lt;Money&gt;"/);
  const reply = await get('/wallet/manifest.webmanifest', '*/*');
  assert.equal(reply.headers.get('content-type'), 'application/manifest+json');
  const { name, short_name, start_url, scope, display, icons } = (await reply.json()) as Json;
  assert.deepEqual([name, short_name], [OPERATOR, OPERATOR]);
  assert.deepEqual([start_url, scope, display], ['/wallet/', '/wallet/', 'standalone']);
  for (const { src, sizes } of icons) {
    const icon = await get(src, 'image/*');
    assert.equal(icon.headers.get('content-type'), 'image/png');
    const png = Buffer.from(await icon.arrayBuffer());
    assert.equal(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, sizes);
  }
});

test('browsers ask for the service worker each time, and keep the assets', async () => {
  const worker = await get('/wallet/sw.js', '*/*');
  assert.equal(worker.headers.get('cache-control'), 'no-cache');
  assert.equal(worker.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(worker.headers.get('content-security-policy'), POLICY);
  const script = /src="(\/wallet\/assets\/[^"]+\.js)"/.exec(await (await get('/wallet/')).text())?.[1] ?? assert.fail();
  assert.equal((await get(script, '*/*')).headers.get('cache-control'), 'public, max-age=31536000, immutable');
});

test('no other file can be read', async () => {
  for (const path of ['.sources', '.vite/manifest.json', 'index.html', '%2e%2e/package.json', 'assets/none.js']) {
    assert.equal((await get(`/wallet/${path}`, '*/*')).status, 404, path);
  }
});

test('WALLET=off answers 404', async () => {
  const off = await testGateway({ env: { WALLET: 'off' } });
  try {
    for (const path of ['/wallet', '/wallet/', '/wallet/sw.js']) {
      assert.equal((await get(path, 'text/html', off.url)).status, 404, path);
    }
  } finally {
    await off.close();
  }
});
