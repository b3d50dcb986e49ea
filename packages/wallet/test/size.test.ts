// The size budget of the wallet: what a phone loads before it can log in, and what it loads later (gzip).
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { DIST, ensureBuilt } from '../scripts/build.ts';

/** The contract's is 90. */
const FIRST_LOAD_KB = 45;
const ALL_KB = 60;
/** In the first connection's first packets, before a phone on 2G gets more. */
const PAGE_BYTES = 1_400;

let page = '';
const sizes = new Map<string, number>();

before(async () => {
  await ensureBuilt();
  page = await readFile(join(DIST, 'index.html'), 'utf8');
  const assets = await readdir(join(DIST, 'assets'));
  const files = [
    'index.html',
    'sw.js',
    ...assets.filter((name) => /\.(js|css)$/.test(name)).map((name) => `assets/${name}`),
  ];
  for (const file of files) {
    sizes.set(file, (await promisify(gzip)(await readFile(join(DIST, file)), { level: 9 })).length);
  }
});

const kilobytes = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + (sizes.get(file) ?? assert.fail(file)), 0) / 1_000;

test(`a phone loads at most ${FIRST_LOAD_KB} KB before the login`, (t) => {
  const loaded = [...page.matchAll(/(?:src|href)="\/wallet\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
  assert.ok(
    loaded.some((file) => file.endsWith('.js')) && loaded.some((file) => file.endsWith('.css')),
    String(loaded),
  );
  const total = kilobytes(['index.html', ...loaded]);
  t.diagnostic(`first load: ${total.toFixed(1)} KB in ${loaded.length + 1} files`);
  assert.ok(total <= FIRST_LOAD_KB, `${total} KB`);
  assert.ok((sizes.get('index.html') ?? 0) <= PAGE_BYTES);
});

test(`all of the wallet is at most ${ALL_KB} KB`, (t) => {
  t.diagnostic(`all: ${kilobytes(sizes.keys()).toFixed(1)} KB in ${sizes.size} files`);
  assert.ok(kilobytes(sizes.keys()) <= ALL_KB);
});

test('the service worker knows every file of the shell, and no other', async () => {
  const worker = await readFile(join(DIST, 'sw.js'), 'utf8');
  const listed = /\[\\?"assets[^\]]+\]/.exec(worker)?.[0].replaceAll('\\', '') ?? assert.fail(worker);
  assert.deepEqual(JSON.parse(listed), [...sizes.keys()].filter((file) => file.startsWith('assets/')).sort());
  assert.doesNotMatch(worker, /__(FILES|VERSION)__|\/api\//);
});
