// The Krio texts of the wallet: none is missing, and each has the values of the English one.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { formatter } from '@lingui/format-po';

type Catalog = Record<string, { message?: string; translation?: string }>;

async function read(locale: string): Promise<Catalog> {
  const path = fileURLToPath(new URL(`../src/locales/${locale}.po`, import.meta.url));
  const context = { locale, sourceLocale: 'en', filename: path };
  return (await formatter({ origins: false }).parse(await readFile(path, 'utf8'), context)) as Catalog;
}

const valuesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test('every text has its Krio, with the same values', async () => {
  const [english, krio] = await Promise.all([read('en'), read('kri')]);
  assert.ok(Object.keys(english).length > 150);
  for (const [id, { message = id }] of Object.entries(english)) {
    const translation = krio[id]?.translation || assert.fail(`no Krio for: ${message}`);
    assert.deepEqual(valuesIn(translation), valuesIn(message), message);
  }
});
