// All generated files of the repository: the documents, and the client and the commands that are generated from the OpenAPI document.
import { generateCommands } from '../packages/cli/scripts/generate.ts';
import { type GeneratedFile, generateClient } from '../packages/client/scripts/generate.ts';
import { METHOD_NAMES } from '../packages/client/scripts/method-names.ts';
import { generatedDocuments } from '../src/app/documents.ts';
import { CATALOGUE } from '../src/kernel/refusal.ts';

/** The client's methods by operation id, for the samples of the OpenAPI document. */
export function clientMethodsFile(): GeneratedFile {
  const methods = Object.entries(METHOD_NAMES).flatMap(([family, names]) =>
    Object.entries(names).map(([name, id]) => [id, `${family}.${name}`] as const),
  );
  const text = JSON.stringify(Object.fromEntries(methods.sort(([a], [b]) => (a < b ? -1 : 1))), null, 2);
  return { path: 'src/app/client-methods.json', text: `${text}\n` };
}

export async function generatedFiles(): Promise<GeneratedFile[]> {
  const documents = await generatedDocuments();
  const openApi = documents.find(({ path }) => path === 'docs/openapi.json');
  if (!openApi) throw new Error('there is no OpenAPI document');
  const client = await generateClient(openApi.text, Object.keys(CATALOGUE).sort());
  return [clientMethodsFile(), ...documents, ...client, generateCommands(openApi.text)];
}
