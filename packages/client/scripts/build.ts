// npm run build -w packages/client: writes the package as it is published into packages/client/dist.
import { execFile } from 'node:child_process';
import { copyFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const DIST = `${PACKAGE}dist`;
const COMPILED = `${PACKAGE}build`;

/** Inside the repository the package consists of its TypeScript sources; only the published one is compiled. */
export async function build(): Promise<void> {
  for (const folder of [DIST, COMPILED]) await rm(folder, { recursive: true, force: true });
  await run(`${ROOT}node_modules/.bin/tsc`, ['-p', `${PACKAGE}tsconfig.build.json`]).catch(({ stdout }) => {
    throw new Error(stdout);
  });
  await rename(`${COMPILED}/client/src`, DIST);
  await rename(`${COMPILED}/signatures/src`, `${DIST}/signatures`);
  await rm(COMPILED, { recursive: true });
  await includeSignatures();
  await writeFile(`${DIST}/package.json`, `${JSON.stringify(await publishedPackage(), null, 2)}\n`);
  await copyFile(`${PACKAGE}README.md`, `${DIST}/README.md`);
  await copyFile(`${ROOT}LICENSE`, `${DIST}/LICENSE`);
}

/** The published package has no dependency: it contains the signatures. */
async function includeSignatures(): Promise<void> {
  for (const file of await readdir(DIST, { withFileTypes: true })) {
    if (!file.isFile()) continue;
    const text = await readFile(`${DIST}/${file.name}`, 'utf8');
    await writeFile(`${DIST}/${file.name}`, text.replaceAll("'@kissi/signatures'", "'./signatures/index.js'"));
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
