// The pinned Node.js in an installation: a package that does not match the lock file is not installed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RUNTIME = `node-${process.platform}-${process.arch}`;

interface Finished {
  code: number;
  output: string;
}

const scratch = await mkdtemp(join(tmpdir(), 'kissi-install-'));
after(() => rm(scratch, { recursive: true, force: true }));

/** The tarball that the registry sends. */
let served: Buffer = Buffer.alloc(0);
const registry = createServer((_request, response) => void response.end(served));
before(async () => {
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
after(() => void registry.close());

test('npm ci fails when one byte of the pinned Node.js differs from the lock file', async () => {
  const { postinstall } = (await manifestOf(ROOT)).scripts;
  const project = join(scratch, 'project');
  const tarball = await packedRuntime();
  await writeProject(project, tarball, postinstall);

  served = tarball;
  const genuine = await run('npm', [...CI, '--cache', join(scratch, 'cache-1')], project);
  assert.equal(genuine.code, 0, genuine.output);

  served = Buffer.from(tarball);
  const middle = served.length >> 1;
  served.writeUInt8(served.readUInt8(middle) ^ 1, middle);
  const changed = await run('npm', [...CI, '--cache', join(scratch, 'cache-2')], project);
  assert.notEqual(changed.code, 0, changed.output);
  assert.match(changed.output, /The pinned Node\.js is not installed/);
});

const CI = ['ci', '--no-audit', '--no-fund', '--foreground-scripts', '--fetch-retries=0'];

async function manifestOf(directory: string): Promise<{ scripts: Record<string, string> }> {
  return JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
}

/** A package with the name and the layout of the real one, and a few bytes instead of 50 million. */
async function packedRuntime(): Promise<Buffer> {
  const directory = join(scratch, 'runtime');
  await mkdir(join(directory, 'bin'), { recursive: true });
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name: RUNTIME, version: '1.0.0' }));
  await writeFile(join(directory, 'bin/node'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const packed = await run('npm', ['pack', '--pack-destination', scratch], directory);
  assert.equal(packed.code, 0, packed.output);
  return readFile(join(scratch, `${RUNTIME}-1.0.0.tgz`));
}

/** A project that depends on the package in the way this one does. */
async function writeProject(directory: string, tarball: Buffer, postinstall: string | undefined): Promise<void> {
  await cp(join(ROOT, 'scripts/node'), join(directory, 'scripts/node'));
  const root = { name: 'project', version: '1.0.0', optionalDependencies: { [RUNTIME]: '1.0.0' } };
  const locked = {
    version: '1.0.0',
    resolved: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/runtime.tgz`,
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    optional: true,
  };
  const lock = { ...root, lockfileVersion: 3, packages: { '': root, [`node_modules/${RUNTIME}`]: locked } };
  await writeFile(join(directory, 'package.json'), JSON.stringify({ ...root, scripts: { postinstall } }));
  await writeFile(join(directory, 'package-lock.json'), JSON.stringify(lock));
}

function run(file: string, args: string[], cwd: string): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, output: stdout + stderr });
    });
  });
}
