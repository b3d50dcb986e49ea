// Tests the samples of the OpenAPI document: the client's have no type errors, and those with curl are authenticated.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@kissi/testkit/service';
import { gatewayForFile, type Json } from '../support/gateway.ts';
import { partnerBank } from '../support/partner.ts';
import { apiKey } from '../support/staff.ts';
import { TERMINAL_SCOPES } from '../support/terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const kissi = await gatewayForFile();
// The commands sign with the machine's time.
kissi.clock.advance(Date.now() - kissi.clock.now());
const folder = await temporaryFolder();
after(() => folder.remove());

const { paths } = kissi.gateway.app.openApi() as Json;
const operations = Object.values<Json>(paths).flatMap((path) => Object.values<Json>(path));
const sampled = operations.filter((operation) => operation['x-codeSamples']);
const sample = (operation: Json, label: string): string =>
  operation['x-codeSamples'].find((each: Json) => each.label === label).source;

test('every operation has samples, except those of the browser session', () => {
  const without = operations.filter((operation) => !sampled.includes(operation));
  for (const { security, operationId } of without)
    assert.ok(
      security.some((scheme: Json) => 'consoleSession' in scheme),
      operationId,
    );
});

test('the samples with the client have no type errors', async () => {
  await mkdir(`${folder.path}/samples`);
  await symlink(`${ROOT}/node_modules`, `${folder.path}/node_modules`);
  const credentials = ['baseUrl', 'apiKey', 'keyId', 'secret', 'partnerId'];
  for (const operation of sampled) {
    const source = sample(operation, '@kissi/client');
    const [, path = ''] = /await kissi\.[\w.]+\(((?:\w+(?:, |(?=\))))*)/.exec(source) ?? [];
    const names = new Set([...credentials, ...path.split(', ').filter((name) => /^[a-z]\w*$/.test(name))]);
    const values = [...names].map((name) => `declare const ${name}: ${name === 'file' ? 'Blob' : 'string'};`);
    await writeFile(`${folder.path}/samples/${operation.operationId}.ts`, [source, ...values].join('\n'));
  }
  await writeFile(`${folder.path}/package.json`, '{ "type": "module" }');
  const project = {
    extends: `${ROOT}/tsconfig.json`,
    compilerOptions: { noUnusedLocals: false },
    include: ['samples'],
  };
  await writeFile(`${folder.path}/tsconfig.json`, JSON.stringify(project));
  const tsc = `${ROOT}/node_modules/typescript/bin/tsc`;
  const check = run(process.execPath, [tsc, '--noEmit', '-p', '.'], { cwd: folder.path });
  const errors = await check.then(({ stdout }) => stdout).catch(({ stdout, message }) => `${message}\n${stdout}`);
  assert.equal(errors, '');
});

test('the samples with curl are authenticated, whatever the scheme', async () => {
  const rokel = await partnerBank(kissi);
  const terminal = await apiKey(kissi, TERMINAL_SCOPES);
  const signedBy = ({ id, secret }: { id: string; secret: string }) => ({ KEY_ID: id, SECRET: secret });
  const partner = { ...signedBy(rokel.key), PARTNER_ID: rokel.id };
  const calls: [method: string, path: string, credentials: Record<string, string>, status: number][] = [
    ['get', '/health', {}, 200],
    ['get', '/api/v1/subscribers', { TOKEN: await kissi.adminToken() }, 200],
    ['put', '/api/v1/fee-settings', { TOKEN: await kissi.adminToken() }, 200],
    ['post', '/api/v1/pos/verify-card', signedBy(terminal), 404],
    ['post', '/api/v1/partner/account-status', partner, 200],
    ['post', '/api/v1/inbound/name-enquiry', partner, 404],
    ['post', '/api/v1/inbound/credit', partner, 404],
  ];
  for (const [method, path, credentials, status] of calls) {
    const command = sample(paths[path][method], 'curl').replace('curl -s', `curl -s -o /dev/null -w '%{http_code}'`);
    const env = { ...process.env, HOST: kissi.url, ...credentials };
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], { env });
    assert.equal(Number(stdout), status, `${method} ${path}`);
  }
});
