// Tests that the generated documents and the generated part of the client match the code.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { generatedFiles } from '../scripts/generated-files.ts';
import type { KindDefinition } from '../src/audit/record-kind.ts';
import { RECORD_KINDS } from '../src/audit/record-kinds.ts';

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
    'API keys: scope payments:write; processor keys with scope payments:write.',
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

test('docs/decisions/tamper-evidence.md lists every table once, and the tables of protected records as such', async () => {
  const page = await readFile(new URL('../docs/decisions/tamper-evidence.md', import.meta.url), 'utf8');
  const catalogue = await readFile(new URL('../sql/catalogue.txt', import.meta.url), 'utf8');
  const tables = [...catalogue.matchAll(/^table (\w+):/gm)].map(([, table = '']) => table);
  const [, section = ''] = page.split('## Every table is protected').map((part) => part.split(/^## /m)[0] ?? '');
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  const named = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  assert.deepEqual(named(rows.join()).sort(), tables.sort());
  const kinds: KindDefinition[] = Object.values(RECORD_KINDS);
  const ofRecords = kinds.flatMap(({ table, parts = {} }) => [
    table,
    ...Object.values(parts).map((part) => part.table),
  ]);
  const listed = named(rows.find((row) => row.startsWith('| states of records')) ?? '');
  assert.deepEqual(listed.sort(), [...new Set(ofRecords)].sort());
});
