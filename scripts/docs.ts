// npm run docs: writes the generated documents. A test fails if one of them is out of date.
import { writeFile } from 'node:fs/promises';
import { generatedDocuments } from '../src/app/documents.ts';

for (const { path, text } of await generatedDocuments()) await writeFile(new URL(`../${path}`, import.meta.url), text);
