// The published package: its form, its types for every module resolution, its size, and that other runtimes run it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@kissi/testkit/service';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build, DIST } from '../scripts/build.ts';
import { bundleSize, PROGRAMS } from '../scripts/size.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const KIB = 1024;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let tarball = '';
before(async () => {
  folder = await temporaryFolder();
  await build();
  const { stdout } = await run('npm', ['pack', DIST, '--pack-destination', folder.path, '--json', '--silent']);
  tarball = `${folder.path}/${JSON.parse(stdout)[0].filename}`;
});
after(() => folder.remove());

test('publint finds nothing to improve', async () => {
  const data = await readFile(tarball);
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer as ArrayBuffer }, strict: true });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});

test('the types are right for every resolution that supports ES modules', async () => {
  const attw = `${ROOT}node_modules/.bin/attw`;
  const { stdout } = await run(attw, [tarball, '--profile', 'esm-only', '--format', 'json']).catch((error) => error);
  const { analysis } = JSON.parse(stdout) as { analysis: { problems: { kind: string; resolutionKind?: string }[] } };
  // Resolution for CommonJS finds an ES module, as intended.
  const problems = analysis.problems.filter(
    ({ resolutionKind }) => resolutionKind === 'bundler' || resolutionKind === 'node16-esm',
  );
  assert.deepEqual(problems, []);
});

test('the package has no dependency at run time', async () => {
  const { dependencies, peerDependencies } = JSON.parse(await readFile(`${DIST}/package.json`, 'utf8'));
  assert.deepEqual([dependencies, peerDependencies], [undefined, undefined]);
});

test('it is small in a browser, and smaller if only one operation is used', async () => {
  const sizeOf = async (name: keyof typeof PROGRAMS) => (await bundleSize(PROGRAMS[name])).gzipped / KIB;
  assert.ok((await sizeOf('the whole client')) < 15);
  assert.ok((await sizeOf('one operation')) < 8);
  assert.ok((await sizeOf('webhook verification')) < 2);
});

test("the machine's own Node.js runs it", async () => {
  const service = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ status: 'ok', path: request.url, signed: request.headers['x-signature'] }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as { port: number };
  const program = `
    import { Kissi, formatMoney } from '${DIST}/index.js';
    const kissi = new Kissi({ baseUrl: 'http://127.0.0.1:${port}', keyId: 'key_1', secret: 's' });
    const reply = await kissi.terminal.pay({ card_serial: 'C', amount: 1, pin: '1234' }, { signal: new AbortController().signal });
    console.log(JSON.stringify([reply.path, reply.signed.length, formatMoney(125050)]));`;
  // The first Node.js that is not the pinned one, if the machine has one.
  const path = (process.env.PATH ?? '')
    .split(':')
    .filter((entry) => !entry.includes('node_modules'))
    .join(':');
  const { stdout } = await run('node', ['--input-type=module', '--eval', program], { env: { PATH: path } });
  service.close();
  assert.deepEqual(JSON.parse(stdout), ['/api/v1/pos/payment', 64, '1,250.50']);
});
