// The documentation and the OpenAPI document over HTTP: encodings, caching, and the sandbox of the page.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { testGateway } from '../support/gateway.ts';
import { Wire, type WireReply } from '../support/wire.ts';

const LARGE = ['/openapi.json', '/docs/', '/docs/js/scalar.js', '/docs/guides/partner.json'];
const FILES = [...LARGE, '/docs/prepare.js'];
const kissi = await testGateway();
const wire = new Wire(kissi.url);
after(async () => {
  wire?.close();
  await kissi?.close();
});

async function get(target: string, headers: [string, string][] = []): Promise<WireReply> {
  const reply = await wire.send({ method: 'GET', target, headers, body: Buffer.alloc(0) });
  assert.ok(typeof reply !== 'string', `${target} got no reply: ${reply}`);
  return reply;
}

describe('the guides', () => {
  const names = async () => (await readdir(new URL('../../docs/guides/', import.meta.url))).sort();

  test('are all offered by the page, and each is served with its text', async () => {
    const page = (await get('/docs/')).body.toString();
    const offered = [...page.matchAll(/\/docs\/guides\/([\w-]+)\.json/g)].map(([, name]) => `${name}.md`);
    assert.deepEqual(offered.sort(), await names());
    for (const name of offered) {
      const { info } = JSON.parse((await get(`/docs/guides/${name.replace('.md', '.json')}`)).body.toString());
      const text = await readFile(new URL(`../../docs/guides/${name}`, import.meta.url), 'utf8');
      assert.ok(text.startsWith(`# ${info.title}\n`), name);
      assert.equal(info.description.match(/^## .+$/gm)?.length, text.match(/^## .+$/gm)?.length, name);
      for (const [, target = ''] of info.description.matchAll(/\]\(([^)\s]+)\)/g)) {
        assert.match(target, /^(?:https?:|#|\/)/, `${name} links to ${target}`);
        if (target.startsWith('/')) assert.equal((await get(target)).status, 200, `${name} links to ${target}`);
      }
    }
  });

  test('do not give access to other files', async () => {
    for (const path of ['package.json', '..%2f..%2fpackage.json', '..%2fconsole%2fREADME.md', 'staff.md'])
      assert.equal((await get(`/docs/guides/${path}`)).status, 404, path);
  });
});

describe('the files of the documentation', () => {
  test('are compressed as the client accepts it, and the same after decompression', async () => {
    for (const path of LARGE) {
      const plain = await get(path);
      assert.equal(plain.headers.get('content-encoding'), undefined, path);
      const [br, gzip] = [
        await get(path, [['accept-encoding', 'gzip, deflate, br']]),
        await get(path, [['accept-encoding', 'gzip;q=0.5, br;q=0']]),
      ];
      assert.deepEqual(
        [br, gzip].map(({ headers }) => headers.get('content-encoding')),
        ['br', 'gzip'],
        path,
      );
      assert.ok(brotliDecompressSync(br.body).equals(plain.body), path);
      assert.ok(gunzipSync(gzip.body).equals(plain.body), path);
      if (plain.body.length > 100_000) assert.ok(br.body.length < plain.body.length / 3, `${path} ${br.body.length}`);
      for (const reply of [plain, br, gzip]) assert.equal(reply.headers.get('vary'), 'accept-encoding', path);
    }
  });

  test('are cached, and a client that has them gets 304 with the same headers', async () => {
    for (const path of FILES) {
      const accepted: [string, string] = ['accept-encoding', 'br'];
      const first = await get(path, [accepted]);
      assert.equal(first.headers.get('cache-control'), 'public, max-age=300', path);
      const etag = first.headers.get('etag') ?? '';
      assert.match(etag, /^"[\w-]{22}(-br)?"$/, path);
      const again = await get(path, [accepted, ['if-none-match', `"other", W/${etag}`]]);
      assert.deepEqual([again.status, again.body.length], [304, 0], path);
      for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy', 'cross-origin-resource-policy']) {
        assert.equal(again.headers.get(name), first.headers.get(name), `${path} ${name}`);
      }
      assert.equal((await get(path, [accepted, ['if-none-match', '"other"']])).status, 200, path);
    }
  });

  test('run in a sandbox with its own origin', async () => {
    for (const path of FILES.filter((each) => !each.endsWith('.json'))) {
      const policy = (await get(path)).headers.get('content-security-policy') ?? '';
      const sandbox = /; sandbox ([^;]+)$/.exec(policy)?.[1] ?? assert.fail(policy);
      assert.match(sandbox, /^allow-scripts /, path);
      assert.doesNotMatch(sandbox, /allow-same-origin|allow-top-navigation|allow-forms/, path);
    }
  });

  test('no other path of the service allows generated scripts', async () => {
    for (const path of ['/', '/console/', '/openapi.json', '/health', '/nowhere']) {
      const policy = (await get(path, [['accept', 'text/html']])).headers.get('content-security-policy');
      assert.match(policy ?? '', /^default-src 'none'/, path);
      assert.doesNotMatch(policy ?? '', /unsafe-eval/, path);
    }
  });
});
