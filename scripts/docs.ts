// npm run docs: writes the generated documents and the generated parts of the client and the command line. A test fails if one is out of date.
import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.ts';

for (const { path, text } of await generatedFiles()) await writeFile(new URL(`../${path}`, import.meta.url), text);
