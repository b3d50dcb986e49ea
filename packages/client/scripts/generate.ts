// Generates packages/client/src/generated from the OpenAPI document. `npm run docs` writes the files.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, describeOperations, type Parameter, type Schema } from './document.ts';
import { familiesFile } from './families.ts';
import { traitsFile } from './traits.ts';

export interface GeneratedFile {
  /** Relative to the root of the repository. */
  path: string;
  text: string;
}

const FOLDER = 'packages/client/src/generated';
const HEADER = '// Generated from docs/openapi.json by npm run docs. Do not edit.';

/** `openApi`: the document's text; `errors`: the service's codes. */
export async function generateClient(openApi: string, errors: readonly string[]): Promise<GeneratedFile[]> {
  const document = JSON.parse(openApi) as Document;
  const operations = describeOperations(document);
  const { types, sdk } = await generateOperations(document);
  const texts = {
    'types.gen.ts': types,
    'sdk.gen.ts': sdk,
    'families.gen.ts': `${HEADER}\n${familiesFile(operations)}`,
    'traits.gen.ts': `${HEADER}\n${traitsFile(document, operations, errors)}`,
  };
  return Object.entries(texts).map(([name, text]) => ({ path: `${FOLDER}/${name}`, text }));
}

async function generateOperations(document: Document): Promise<{ types: string; sdk: string }> {
  const { createClient, clientDefaultConfig, clientDefaultMeta, clientPluginHandler, definePluginConfig } =
    await loadGenerator();
  // The generated operations import their types from this file instead of a client that the generator would copy here.
  const plugin = { ...clientDefaultMeta, handler: clientPluginHandler, name: '../low-level.ts' };
  const lowLevel = definePluginConfig({ ...plugin, config: { ...clientDefaultConfig, bundle: false } } as never);
  const folder = await mkdtemp(join(tmpdir(), 'kissi-client-'));
  try {
    await createClient({
      input: prepared(document) as never,
      logs: { level: 'silent', file: false },
      output: { path: folder, module: { extension: '.ts' }, header: [HEADER], entryFile: false },
      plugins: [lowLevel(), '@hey-api/typescript', { name: '@hey-api/sdk', client: false, auth: false }],
    });
    const [types, sdk] = await Promise.all(
      ['types.gen.ts', 'sdk.gen.ts'].map((name) => readFile(join(folder, name), 'utf8')),
    );
    return { types: types ?? '', sdk: sdk ?? '' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The generator needs the compiler API of TypeScript, which TypeScript 7 does not have. */
async function loadGenerator(): Promise<typeof import('@hey-api/openapi-ts')> {
  const compiler = import.meta.resolve('typescript-6');
  const hooks = registerHooks({
    resolve: (name, context, next) => next(name === 'typescript' ? compiler : name, context),
  });
  try {
    return await import('@hey-api/openapi-ts');
  } finally {
    hooks.deregister();
  }
}

/** Without error replies, which the client throws as errors, and with numbers where the query takes digits. */
function prepared(document: Document): Document {
  const copy = structuredClone(document);
  const operations = Object.values(copy.paths).flatMap((methods) => Object.values(methods));
  for (const { responses } of operations) {
    for (const status of Object.keys(responses)) if (!status.startsWith('2')) delete responses[status];
  }
  const shared = Object.values(copy.components.parameters ?? {}) as Parameter[];
  for (const parameter of [...operations.flatMap(({ parameters = [] }) => parameters), ...shared]) {
    if (parameter.in === 'query') allowNumbers(parameter.schema);
  }
  return copy;
}

function allowNumbers(schema: Schema | undefined): void {
  if (schema?.type === 'string' && schema.pattern?.startsWith('^\\d')) schema.type = ['integer', 'string'];
}
