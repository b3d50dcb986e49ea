// Tests that the generated documents and the generated part of the client match the code.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { generatedFiles } from '../scripts/generated-files.ts';

test('the generated documents and the client are up to date (npm run docs)', async () => {
  for (const { path, text } of await generatedFiles()) {
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
  const accessOf = ({ description }: { description: string }) => description.split('\n\n').at(-1);
  assert.equal(
    accessOf(paths['/api/v1/agents/{id}/fund'].post),
    'Roles: system_admin, finance_user. API keys: scope treasury:write.',
  );
  assert.equal(
    accessOf(paths['/api/v1/pos/payment'].post),
    'API keys: scope payments:write; keys of a processor with scope payments:write.',
  );
  assert.equal(paths['/health'].get.description, 'Needs no role or scope.');
});

test('docs/tables.md shows every table of the schema once', async () => {
  const page = await readFile(new URL('../docs/tables.md', import.meta.url), 'utf8');
  const catalogue = await readFile(new URL('../sql/catalogue.txt', import.meta.url), 'utf8');
  const tables = new Set([...catalogue.matchAll(/^column (?!kysely_)(\w+)\./gm)].map(([, table = '']) => table));
  const shown = [...page.matchAll(/^ {2}(\w+)(?: \{)?$/gm)].map(([, table = '']) => table);
  assert.deepEqual(shown.sort(), [...tables].sort());
});
