// Tests that the generated documents in the repository match the code.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { generatedDocuments } from '../src/app/documents.ts';

test('the OpenAPI document, the error codes and the configuration tables are up to date (npm run docs)', async () => {
  for (const { path, text } of await generatedDocuments()) {
    const committed = await readFile(new URL(`../${path}`, import.meta.url), 'utf8');
    assert.equal(committed, text, `${path} is out of date: run npm run docs`);
  }
});
