// The size budget of the console: what a browser loads with the first page, and more with each screen (gzip).
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { DIST, ensureBuilt } from '../scripts/build.ts';
import { UNUSED_CALLS, UNUSED_FAMILIES, UNUSED_METHODS } from '../scripts/unused-families.ts';

const KB = 1_000;
const FIRST_LOAD_KB = 210;
/** The first one; lists, dialogs and menus, half of it, are loaded once. */
const SCREEN_KB = 80;
/** The first page, the Krio texts and the largest screen of an agent or merchant, who may have a phone on a slow network. */
const PHONE_KB = 212;

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
  isDynamicEntry?: boolean;
}

let manifest: Record<string, Chunk> = {};
const sizes = new Map<string, number>();

before(async () => {
  await ensureBuilt();
  manifest = JSON.parse(await readFile(join(DIST, '.vite/manifest.json'), 'utf8'));
  const files = Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]);
  for (const file of ['index.html', ...files]) {
    sizes.set(file, (await promisify(gzip)(await readFile(join(DIST, file)), { level: 9 })).length);
  }
});

/** The files of a chunk and of all chunks that it imports statically: the browser needs them to run it. */
function filesOf(name: string, found = new Set<string>()): Set<string> {
  const { file, css = [], imports = [] } = manifest[name] ?? assert.fail(`there is no chunk ${name}`);
  if (found.has(file)) return found;
  for (const each of [file, ...css]) found.add(each);
  for (const imported of imports) filesOf(imported, found);
  return found;
}

const STAFF_FRAME = 'src/app/shell/staff-frame.tsx';
const KRIO = 'src/app/krio.ts';
const loginPage = () => new Set(['index.html', ...filesOf('index.html')]);
/** Agents and merchants do not load the staff frame. */
const isOwn = (name: string) => /^src\/screens\/own-/.test(name);
const firstLoad = (name: string) => (isOwn(name) ? loginPage() : loginPage().union(filesOf(STAFF_FRAME)));
const kilobytes = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + (sizes.get(file) ?? assert.fail(file)), 0) / KB;

/** By screen: what it loads beyond the first load of its users. */
function screenSizes(): Map<string, number> {
  const entries = Object.entries(manifest).filter(([, { isDynamicEntry }]) => isDynamicEntry);
  return new Map(entries.map(([name]) => [name, kilobytes(filesOf(name).difference(firstLoad(name)))]));
}

test('no screen uses a family or method of the client that the build leaves out', async () => {
  const families = `\\b(?:kissi|client)\\.(?:${UNUSED_FAMILIES.join('|')})\\b`;
  const used = new RegExp(
    `${families}|\\.(?:${UNUSED_CALLS.join('|').replaceAll('.', '\\.')})\\b|\\.(?:${UNUSED_METHODS.join('|')})\\b`,
  );
  const src = fileURLToPath(new URL('../src', import.meta.url));
  for await (const path of glob('**/*.{ts,tsx}', { cwd: src })) {
    assert.doesNotMatch(await readFile(join(src, path), 'utf8'), used, path);
  }
});

test(`staff load at most ${FIRST_LOAD_KB} KB before their first screen`, (t) => {
  const total = kilobytes(firstLoad(STAFF_FRAME));
  t.diagnostic(`login page: ${kilobytes(loginPage()).toFixed(1)} KB, with the staff frame: ${total.toFixed(1)} KB`);
  assert.ok(total <= FIRST_LOAD_KB, `${total} KB`);
  // React alone is larger: a smaller sum would mean that the manifest was not understood.
  assert.ok(kilobytes(loginPage()) > 50, `${total} KB`);
});

test(`each screen loads at most ${SCREEN_KB} KB more`, (t) => {
  const screens = [...screenSizes()].sort(([, one], [, other]) => other - one);
  for (const [name, size] of screens.slice(0, 5)) t.diagnostic(`${name}: ${size.toFixed(1)} KB`);
  assert.ok(screens.length > 0);
  const tooLarge = screens.filter(([, size]) => size > SCREEN_KB);
  assert.deepEqual(tooLarge, []);
});

test(`agents and merchants load at most ${PHONE_KB} KB for their largest screen`, (t) => {
  const own = [...screenSizes()].filter(([name]) => isOwn(name)).map(([, size]) => size);
  const krio = kilobytes(filesOf(KRIO).difference(loginPage()));
  const total = kilobytes(loginPage()) + Math.max(...own) + krio;
  t.diagnostic(`largest own screen: ${total.toFixed(1)} KB, of which the Krio texts are ${krio.toFixed(1)} KB`);
  assert.ok(total <= PHONE_KB, `${total} KB`);
});
