// The published packages of client and command line: installed from their tarballs, in an empty folder and without a registry.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '@kissi/testkit/service';
import { build as buildClient } from '../../client/scripts/build.ts';
import { build } from '../scripts/build.ts';

const run = promisify(execFile);
/** Without the pinned Node.js: packages run with the one of the machine. */
const PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((entry) => !entry.includes('node_modules'))
  .join(':');

const service = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ subscriber: { id: 'sub_1', path: request.url } }));
});
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let url = '';
before(async () => {
  folder = await temporaryFolder();
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  await Promise.all([build(`${folder.path}/cli`), buildClient(`${folder.path}/client`)]);
  const packed = await inFolder('npm', ['pack', './client', './cli', '--json', '--silent']);
  const tarballs = (JSON.parse(packed) as { filename: string }[]).map(({ filename }) => `./${filename}`);
  await writeFile(`${folder.path}/package.json`, '{ "private": true, "type": "module" }');
  await inFolder('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs]);
});
after(async () => {
  service.close();
  await folder.remove();
});

async function inFolder(file: string, args: string[]): Promise<string> {
  const env = { PATH, HOME: folder.path, KISSI_URL: url, KISSI_TOKEN: 'a-token', NO_COLOR: '1' };
  return (await run(file, args, { cwd: folder.path, env })).stdout;
}

test('the command line shows its version and calls the service', async () => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  assert.equal(await inFolder('npx', ['kissi', '--version']), `${version}\n`);
  const reply = await inFolder('npx', ['kissi', 'subscribers', 'get', 'sub_1', '--json']);
  assert.deepEqual(JSON.parse(reply), { subscriber: { id: 'sub_1', path: '/api/v1/subscribers/sub_1' } });
});

test('a program imports the client', async () => {
  const program = `
    import { Kissi } from '@kissi/client';
    const kissi = new Kissi({ baseUrl: '${url}', apiKey: 'a-token' });
    console.log((await kissi.subscribers.get('sub_1')).subscriber.id);`;
  await writeFile(`${folder.path}/program.js`, program);
  assert.equal(await inFolder('node', ['program.js']), 'sub_1\n');
});

test('neither package installs another, and the licence of everything bundled is included', async () => {
  const installed = (await readdir(`${folder.path}/node_modules`)).filter((name) => !name.startsWith('.'));
  assert.deepEqual(installed, ['@kissi']);
  assert.deepEqual((await readdir(`${folder.path}/node_modules/@kissi`)).sort(), ['cli', 'client']);
  const licenses = await readFile(`${folder.path}/node_modules/@kissi/cli/THIRD-PARTY-LICENSES`, 'utf8');
  for (const name of ['commander', 'cli-table3', 'cli-progress', 'string-width']) assert.ok(licenses.includes(name));
});
