// npm run docs: writes the generated documents and the generated parts of the client and the command line. A test fails if one is out of date.
import { writeFile } from 'node:fs/promises';
import type { GeneratedFile } from '../packages/client/scripts/generate.ts';
import { generatedFiles } from './generated-files.ts';

const write = ({ path, text }: GeneratedFile) => writeFile(new URL(`../${path}`, import.meta.url), text);

for (const file of await generatedFiles()) await write(file);
