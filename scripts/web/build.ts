// Builds a web page of the service: writes packages/{name}/dist with its files and their compressed forms.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { glob, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface WebBuild {
  /** The folder of the built files. */
  dist: string;
  /** Builds the page if its sources changed since the last build. Returns whether it did. */
  ensureBuilt(onStart?: () => void): Promise<boolean>;
}

/** `name`: the folder in packages. */
export function webBuild(name: 'console' | 'wallet'): WebBuild {
  const folder = join(ROOT, 'packages', name);
  const dist = join(folder, 'dist');
  return {
    dist,
    async ensureBuilt(onStart = () => undefined) {
      const hash = await sourceHash(name);
      if (hash === (await builtHash(dist))) return false;
      onStart();
      await build(folder, dist, hash);
      return true;
    },
  };
}

/** All files that the build depends on. A new or deleted file changes the hash too. */
const sourcesOf = (name: string) => [
  `packages/${name}/{src,public,scripts}/**/*.*`,
  `packages/${name}/*.{html,json,ts}`,
  'packages/{client,signatures,web}/src/**/*.ts',
  'scripts/web/*.ts',
  'package-lock.json',
];
/** Has the hash of the sources that the files in this folder were built from. */
const HASH_FILE = '.sources';

const COMPRESSED = ['js', 'css', 'svg', 'json'];
/** Smaller files fit into one packet either way. */
const MIN_COMPRESSED_BYTES = 1_024;

/** Null if the packages for the build are not installed, as after `npm ci --omit=dev`. */
export function viteProgram(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  } catch {
    return null;
  }
}

/** Into its own folder, so that two builds at the same time do not mix, and a failed one leaves the old files. */
async function build(source: string, dist: string, hash: string): Promise<void> {
  const vite = viteProgram();
  if (vite === null) throw new Error('Vite is not installed: run npm ci with development packages.');
  const folder = await mkdtemp(join(source, 'dist-'));
  try {
    const args = [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'];
    const env = { ...process.env, NODE_ENV: 'production' };
    await promisify(execFile)(process.execPath, args, { cwd: source, env });
    await compressAll(folder);
    await writeFile(join(folder, HASH_FILE), hash);
    await replaceDist(folder, dist);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compressAll(folder: string): Promise<void> {
  const paths = await Array.fromAsync(glob(`**/*.{${COMPRESSED}}`, { cwd: folder }));
  await Promise.all(paths.map((path) => compressFile(join(folder, path))));
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < MIN_COMPRESSED_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}

/** A folder cannot be renamed to one that has files, and another build can put its own there in between. */
async function replaceDist(folder: string, dist: string): Promise<void> {
  for (;;) {
    await rename(dist, join(folder, '.replaced')).catch(ignore('ENOENT'));
    await rm(join(folder, '.replaced'), { recursive: true, force: true });
    const isReplaced = await rename(folder, dist).then(() => true, ignore('ENOTEMPTY', 'EEXIST'));
    if (isReplaced) return;
  }
}

function ignore(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}

async function sourceHash(name: string): Promise<string> {
  const paths = (await Array.fromAsync(glob(sourcesOf(name), { cwd: ROOT }))).sort();
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = await readFile(join(ROOT, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

async function builtHash(dist: string): Promise<string | null> {
  return readFile(join(dist, HASH_FILE), 'utf8').catch(() => null);
}
