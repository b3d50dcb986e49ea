// npm run docs: writes the generated documents and the generated part of the client. A test fails if one is out of date.
import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.ts';

for (const { path, text } of await generatedFiles()) await writeFile(new URL(`../${path}`, import.meta.url), text);
