// All generated files of the repository: the documents, and the client that is generated from the OpenAPI document.
import { type GeneratedFile, generateClient } from '../packages/client/scripts/generate.ts';
import { generatedDocuments } from '../src/app/documents.ts';
import { CATALOGUE } from '../src/kernel/refusal.ts';

export async function generatedFiles(): Promise<GeneratedFile[]> {
  const documents = await generatedDocuments();
  const openApi = documents.find(({ path }) => path === 'docs/openapi.json');
  if (!openApi) throw new Error('there is no OpenAPI document');
  return [...documents, ...(await generateClient(openApi.text, Object.keys(CATALOGUE).sort()))];
}
