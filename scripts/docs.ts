// Writes the generated documents, docs/openapi.json and docs/errors.md; a test fails when they are stale.
import { writeFile } from 'node:fs/promises';
import { generatedDocuments } from '../src/app/documents.ts';

for (const { path, text } of await generatedDocuments()) await writeFile(new URL(`../${path}`, import.meta.url), text);
