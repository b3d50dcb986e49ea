// The documents that are made from the code are the ones in the repository.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { generatedDocuments } from '../src/app/documents.ts';

test('docs/openapi.json and docs/errors.md are up to date (npm run docs)', async () => {
  for (const { path, text } of await generatedDocuments()) {
    const kept = await readFile(new URL(`../${path}`, import.meta.url), 'utf8');
    assert.equal(kept, text, `${path} is stale: run npm run docs`);
  }
});
