// All generated files of the repository: the documents, and the client and the commands that are generated from the OpenAPI document.
import { generateCommands } from '../packages/cli/scripts/generate.ts';
import { type GeneratedFile, generateClient } from '../packages/client/scripts/generate.ts';
import { generatedDocuments } from '../src/app/documents.ts';
import { CATALOGUE } from '../src/kernel/refusal.ts';

export async function generatedFiles(): Promise<GeneratedFile[]> {
  const documents = await generatedDocuments();
  const openApi = documents.find(({ path }) => path === 'docs/openapi.json');
  if (!openApi) throw new Error('there is no OpenAPI document');
  const client = await generateClient(openApi.text, Object.keys(CATALOGUE).sort());
  return [...documents, ...client, generateCommands(openApi.text)];
}
