// npm run build -w packages/cli: writes the package as it is published into packages/cli/dist.
import { copyFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DIST = `${PACKAGE}dist`;

/** Modules inside the bundle that are not ES modules call `require` for Node's own. */
const BANNER = `#!/usr/bin/env node
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

/** Inside the repository the package consists of its TypeScript sources; the published one is bundled and installs nothing else. */
export async function build(dist = DIST): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  const { metafile } = await bundle({
    absWorkingDir: ROOT,
    entryPoints: { kissi: `${PACKAGE}src/main.ts` },
    outdir: `${dist}/lib`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: BANNER },
    metafile: true,
    logLevel: 'error',
  });
  await cp(`${PACKAGE}src/generated`, `${dist}/lib/generated`, { recursive: true });
  await writeFile(`${dist}/package.json`, `${JSON.stringify(await publishedPackage(), null, 2)}\n`);
  await copyFile(`${PACKAGE}README.md`, `${dist}/README.md`);
  await copyFile(`${ROOT}LICENSE`, `${dist}/LICENSE`);
  await writeFile(`${dist}/THIRD-PARTY-LICENSES`, await licenses(Object.keys(metafile.inputs)));
}

async function publishedPackage(): Promise<object> {
  const { name, version, description, license, type, engines } = JSON.parse(
    await readFile(`${PACKAGE}package.json`, 'utf8'),
  );
  return { name, version, description, license, type, bin: { kissi: 'lib/kissi.js' }, engines };
}

/** The licence of each package in the bundle, as the licences themselves require. */
async function licenses(files: string[]): Promise<string> {
  const folders = files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    const name = (await readdir(ROOT + folder)).find((file) => /^licen[cs]e/i.test(file));
    if (name === undefined) throw new Error(`${folder} has no licence file`);
    return `${folder.replace(/^.*node_modules\//, '')}\n\n${await readFile(`${ROOT}${folder}/${name}`, 'utf8')}`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}

if (import.meta.main) await build();
