// npm run build -w packages/client: writes the package as it is published into packages/client/dist.
import { execFile } from 'node:child_process';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const DIST = `${PACKAGE}dist`;

/** Inside the repository the package consists of its TypeScript sources; only the published one is compiled. */
export async function build(): Promise<void> {
  await rm(DIST, { recursive: true, force: true });
  await run(`${ROOT}node_modules/.bin/tsc`, ['-p', `${PACKAGE}tsconfig.build.json`]).catch(({ stdout }) => {
    throw new Error(stdout);
  });
  await writeFile(`${DIST}/package.json`, `${JSON.stringify(await publishedPackage(), null, 2)}\n`);
  await copyFile(`${PACKAGE}README.md`, `${DIST}/README.md`);
  await copyFile(`${ROOT}LICENSE`, `${DIST}/LICENSE`);
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
