// The descriptions of operations: each belongs to an operation, and those for integrators are complete.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DESCRIPTIONS } from '../src/app/descriptions/index.ts';

interface Operation {
  operationId: string;
  tags: string[];
  description: string;
}

const document = JSON.parse(await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8'));
const operations = Object.values(document.paths).flatMap((path) => Object.values(path as Record<string, Operation>));

test('each description is that of an operation, and the document contains it', () => {
  for (const [id, text] of Object.entries(DESCRIPTIONS)) {
    const operation = operations.find(({ operationId }) => operationId === id);
    assert.ok(operation, `there is no operation ${id}`);
    assert.ok(operation.description.startsWith(`${text}\n\n`), id);
    assert.match(text, /\.$/, `${id} ends with a full stop`);
  }
});

test('every operation of the families for integrators has a description', () => {
  const families = ['payments', 'inbound', 'partner-api', 'partner-cashin', 'wallet'];
  const missing = operations.filter(
    ({ operationId, tags }) => tags.some((tag) => families.includes(tag)) && !(operationId in DESCRIPTIONS),
  );
  assert.deepEqual(
    missing.map(({ operationId }) => operationId),
    [],
  );
});
