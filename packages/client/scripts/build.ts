// npm run build -w packages/client: writes the package as it is published into packages/client/dist.
import { execFile } from 'node:child_process';
import { copyFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const DIST = `${PACKAGE}dist`;

/** Inside the repository the package consists of its TypeScript sources; only the published one is compiled. */
export async function build(dist = DIST): Promise<void> {
  const compiled = `${dist}-compiled`;
  for (const folder of [dist, compiled]) await rm(folder, { recursive: true, force: true });
  const compile = ['-p', `${PACKAGE}tsconfig.build.json`, '--outDir', compiled];
  await run(`${ROOT}node_modules/.bin/tsc`, compile).catch(({ stdout }) => {
    throw new Error(stdout);
  });
  await rename(`${compiled}/client/src`, dist);
  await rename(`${compiled}/signatures/src`, `${dist}/signatures`);
  await rm(compiled, { recursive: true });
  await includeSignatures(dist);
  await writeFile(`${dist}/package.json`, `${JSON.stringify(await publishedPackage(), null, 2)}\n`);
  await copyFile(`${PACKAGE}README.md`, `${dist}/README.md`);
  await copyFile(`${ROOT}LICENSE`, `${dist}/LICENSE`);
}

/** The published package has no dependency: it contains the signatures. */
async function includeSignatures(dist: string): Promise<void> {
  for (const file of await readdir(dist, { withFileTypes: true })) {
    if (!file.isFile()) continue;
    const text = await readFile(`${dist}/${file.name}`, 'utf8');
    await writeFile(`${dist}/${file.name}`, text.replaceAll("'@kissi/signatures'", "'./signatures/index.js'"));
  }
}

async function publishedPackage(): Promise<object> {
  const { name, version, description, license, type, sideEffects, engines, exports } = JSON.parse(
    await readFile(`${PACKAGE}package.json`, 'utf8'),
  );
  const compiled = Object.entries<string>(exports).map(([path, source]) => {
    const base = source.replace(/^\.\/src\/(.+)\.ts$/, './$1');
    return [path, { types: `${base}.d.ts`, default: `${base}.js` }];
  });
  return { name, version, description, license, type, sideEffects, engines, exports: Object.fromEntries(compiled) };
}

if (import.meta.main) await build();
