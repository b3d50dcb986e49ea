// Every change that the console can send is played by a browser test.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { changesOfApi, PLAYED, playedBy } from './played.ts';

const SOURCES = new URL('../../../packages/console/src/', import.meta.url);

/** The changes that a source calls, such as `client.cards.block(…)` or `client.alerts[isOwn ? 'release' : 'assign'](id)`. */
function changesIn(text: string, names: string[]): string[] {
  return names.filter((name) => {
    const [family = '', method = ''] = name.split('.');
    const isComputed = new RegExp(`\\b${family}\\[`).test(text) && text.includes(`'${method}'`);
    return isComputed || new RegExp(`\\b${family}\\s*\\.${method}\\(`).test(text);
  });
}

test('the console sends no change that no browser test plays', async () => {
  const names = [...(await changesOfApi()).keys()];
  const called = new Set<string>();
  for await (const path of glob('**/*.{ts,tsx}', { cwd: SOURCES, exclude: ['**/*.test.ts'] })) {
    for (const name of changesIn(await readFile(new URL(path, SOURCES), 'utf8'), names)) called.add(name);
  }
  assert.ok(called.size > 100, `${called.size} changes were found`);
  assert.deepEqual([...called].toSorted(), [...new Set(Object.keys(PLAYED).flatMap(playedBy))].toSorted());
});

test('every file that plays a change exists', () => {
  for (const file of Object.keys(PLAYED)) assert.ok(existsSync(new URL(`${file}.test.ts`, import.meta.url)), file);
});
