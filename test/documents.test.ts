// Tests that the generated documents in the repository match the code.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { generatedDocuments } from '../src/app/documents.ts';

test('the OpenAPI document, the roles, the error codes and the configuration tables are up to date (npm run docs)', async () => {
  for (const { path, text } of await generatedDocuments()) {
    const committed = await readFile(new URL(`../${path}`, import.meta.url), 'utf8');
    assert.equal(committed, text, `${path} is out of date: run npm run docs`);
  }
});

test('the roles and scopes of a route are in docs/roles.md and in its OpenAPI operation', async () => {
  const read = async (path: string) => readFile(new URL(`../docs/${path}`, import.meta.url), 'utf8');
  const sections = (await read('roles.md')).split(/^###? /m);
  const withFunding = sections.filter((section) => section.includes('`POST /agents/{id}/fund`'));
  const titles = withFunding.map((section) => section.split('\n', 1)[0]);
  assert.deepEqual(titles, ['system_admin', 'finance_user', 'treasury:write']);
  const { paths } = JSON.parse(await read('openapi.json'));
  assert.equal(
    paths['/api/v1/agents/{id}/fund'].post.description,
    'Roles: system_admin, finance_user. API keys: scope treasury:write.',
  );
  assert.equal(
    paths['/api/v1/pos/payment'].post.description,
    'API keys: scope payments:write; keys of a processor with scope payments:write.',
  );
  assert.equal(paths['/health'].get.description, 'Needs no role or scope.');
});
