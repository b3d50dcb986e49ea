// Kubernetes manifests, and what is wrong with them: the schemas of the API by kubernetes-models, and no field that they do not have.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@kissi/testkit/service';
import { parseAllDocuments } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE_MODULES = join(ROOT, 'node_modules');

// biome-ignore lint/suspicious/noExplicitAny: manifests have many forms; the schemas say which.
export type Manifest = Record<string, any> & { apiVersion: string; kind: string };

export async function readManifests(path: string): Promise<Manifest[]> {
  const documents = parseAllDocuments(await readFile(path, 'utf8'), { strict: true });
  if (!Array.isArray(documents)) throw new Error(`${path} is empty`);
  return documents.map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]?.message}`);
    return document.toJS();
  });
}

/** The faults of each manifest, in the same order. */
export async function manifestFaults(manifests: readonly Manifest[]): Promise<string[][]> {
  const ofTypes = await typeFaults(manifests);
  const ofSchemas = await Promise.all(manifests.map(schemaFaults));
  return manifests.map((_, index) => [...(ofTypes[index] ?? []), ...(ofSchemas[index] ?? [])]);
}

function modulePath({ apiVersion, kind }: Manifest): string {
  const library = apiVersion.startsWith('gateway.') ? '@kubernetes-models/gateway-api' : 'kubernetes-models';
  return `${library}/${apiVersion}/${kind}`;
}

/** Formats, patterns and required fields. */
async function schemaFaults(manifest: Manifest): Promise<string[]> {
  const models = await import(modulePath(manifest));
  try {
    new models[manifest.kind](manifest).validate();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** The schemas admit unknown fields, as the server does; the compiler admits none in a literal. One run for all manifests. */
async function typeFaults(manifests: readonly Manifest[]): Promise<string[][]> {
  const folder = await temporaryFolder();
  try {
    for (const [index, manifest] of manifests.entries()) {
      const type = `I${manifest.kind}`;
      const source = `import type { ${type} } from '${modulePath(manifest)}';\nexport const manifest: ${type} = ${JSON.stringify(manifest, null, 2)};\n`;
      await writeFile(join(folder.path, `manifest-${index}.ts`), source);
    }
    const paths = { '*': [join(NODE_MODULES, '*')] };
    const compilerOptions = { module: 'preserve', strict: true, noEmit: true, skipLibCheck: true, types: [], paths };
    await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const lines = (await compile(folder.path)).split('\n');
    return manifests.map((_, index) => lines.filter((line) => line.includes(`manifest-${index}.ts(`)));
  } finally {
    await folder.remove();
  }
}

async function compile(project: string): Promise<string> {
  const compiler = join(NODE_MODULES, 'typescript/bin/tsc');
  const options = ['--project', project, '--pretty', 'false'];
  const run = promisify(execFile)(process.execPath, [compiler, ...options], { maxBuffer: 1e8 });
  // With faults the exit code is 1 or 2. Anything else is a defect of the test.
  const { stdout } = await run.catch((error) => {
    if (error.code === 1 || error.code === 2) return error as { stdout: string };
    throw error;
  });
  if (/^error /m.test(stdout)) throw new Error(stdout);
  return stdout;
}
