// Runs sign.sh, the example script for integrators, against a server that verifies its signatures.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Authentication } from '../../src/auth/schemes/scheme.ts';
import { serviceAuthentication } from '../../src/auth/schemes/service.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import { testClock } from '../support/clock.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addKey, addPartner, type SignedKey, signedRoutes } from './signing.ts';

const SCRIPT = fileURLToPath(new URL('../vectors/sign.sh', import.meta.url));
const SERVICE = { id: 'agent-service', secret: 'secret-of-the-agent-service' };
const has = (command: string) => spawnSync(command, ['--help']).error === undefined;
const run = promisify(execFile);

type Scheme = 'pos' | 'partner' | 'inbound' | 'service';

describe('sign.sh', { skip: !['bash', 'openssl', 'curl'].every(has) }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kissi-sign-'));
  const bodyFile = join(folder, 'body');
  const server = createServer((request, response) => void answer(request).then((text) => response.end(text)));
  let db: TestDatabase;
  let key: SignedKey;
  let schemes: Record<Scheme, Pick<Authentication, 'authenticate'>>;

  before(async () => {
    db = await testDatabase();
    key = await addKey(db.database, { partnerId: await addPartner(db.database) });
    const service = serviceAuthentication({
      serviceSecrets: new Map([[SERVICE.id, SERVICE.secret]]),
      clock: systemClock,
    });
    schemes = { ...signedRoutes(db.database, testClock(Date.now())), service };
    writeFileSync(bodyFile, Buffer.from('\r\n{"é": "\xff"}\n\n', 'latin1'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.close();
    rmSync(folder, { recursive: true });
    await db.close();
  });

  /** Authenticates with the scheme named by the last segment of the path. */
  async function answer(request: IncomingMessage): Promise<string> {
    const rawBody = Buffer.concat(await Array.fromAsync<Buffer>(request));
    const { method = '', url: target = '', headers } = request;
    const scheme = target.replace(/\?.*$/, '').split('/').at(-1) as Scheme;
    const outcome = await schemes[scheme].authenticate({ method, target, headers, rawBody, ip: '127.0.0.1' });
    return outcome instanceof Refusal ? outcome.code : `hello ${outcome.id}`;
  }

  async function signAndSend(scheme: Scheme, args: string[], env: Record<string, string> = {}): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const { id, secret } = scheme === 'service' ? SERVICE : key;
    const identity = {
      KEY_ID: id,
      SECRET: secret,
      PARTNER_ID: key.partnerId ?? '',
      BASE_URL: `http://127.0.0.1:${port}`,
    };
    const { stdout } = await run('bash', [SCRIPT, scheme, ...args], { env: { ...process.env, ...identity, ...env } });
    return stdout;
  }

  for (const scheme of ['pos', 'partner', 'inbound', 'service'] as const) {
    it(`signs ${scheme} requests that the server accepts`, async () => {
      const hello = `hello ${scheme === 'service' ? SERVICE.id : key.id}`;
      assert.equal(await signAndSend(scheme, ['GET', `/api/v1/${scheme}?a=%20b&c=?[1-2]`]), hello);
      assert.equal(await signAndSend(scheme, ['POST', `/x/../api/v1/${scheme}`, bodyFile]), hello);
      assert.equal(await signAndSend(scheme, ['POST', `/${scheme}`, bodyFile], { IDEMPOTENCY_KEY: 'op-1' }), hello);
      assert.equal(await signAndSend(scheme, ['GET', `/${scheme}`], { SECRET: 'wrong' }), 'INVALID_SIGNATURE');
    });
  }
});
