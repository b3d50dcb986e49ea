// npm run drill:keys: loses MASTER_KEY and PIN_PEPPER; the service refuses to start with others, and starts with the escrow copy.
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runService, SECRETS } from '@kissi/testkit/service';
import type { Drill } from '../drill.ts';
import { initServer } from '../postgres-server.ts';
import { startRelay } from '../relay.ts';
import { serverPrograms, step } from '../sandbox.ts';
import { type DatabaseLocation, environment, startService } from '../service.ts';
import { conclude, startTraffic } from '../traffic.ts';

type Secrets = Record<keyof typeof SECRETS, string>;

const NAMES = Object.keys(SECRETS) as (keyof typeof SECRETS)[];
const newSecrets = () => Object.fromEntries(NAMES.map((name) => [name, randomBytes(32).toString('base64')])) as Secrets;

export const drill: Drill = {
  about: `Loses MASTER_KEY and PIN_PEPPER under payments: the service must refuse to start with other keys, and continue with the escrow
copy.`,
  async run(sandbox, options) {
    const bin = await serverPrograms(sandbox);
    const server = await initServer(sandbox, bin, 'server', '');
    const at = { databaseUrl: server.url, dataDir: sandbox.directory };
    const keys = newSecrets();
    const escrow = join(sandbox.directory, 'escrow.json');
    await writeFile(escrow, JSON.stringify(keys), { mode: 0o600 });
    const first = await startService({ ...at, secrets: keys }, sandbox.directory);
    const balancer = await startRelay(sandbox, [first.address]);
    step(`a gateway whose keys have an escrow copy, PostgreSQL from ${bin}`);
    const traffic = await startTraffic(balancer.address, options);

    const failedAt = performance.now();
    balancer.cut();
    await first.kill();
    step('gateway killed with kill -9, its keys are lost');
    const other = newSecrets();
    await refuse({ ...at, secrets: other }, 'MASTER_KEY');
    await refuse({ ...at, secrets: { ...keys, PIN_PEPPER: other.PIN_PEPPER } }, 'PIN_PEPPER');

    // The refusals above are proof, not part of the recovery.
    const openedAt = performance.now();
    const database = { ...at, secrets: JSON.parse(await readFile(escrow, 'utf8')) as Secrets };
    const service = await startService(database, sandbox.directory);
    balancer.pointTo([service.address]);
    step('gateway started with the escrow copy');
    const recoveryMs = await traffic.waitForFullRate(openedAt);
    const failure = 'keys (RTO from opening the escrow copy)';
    return [await conclude(traffic, { failure, failedAt, recoveryMs, server, service, database })];
  },
};

/** The service must not start, and say why in one sentence. */
async function refuse(database: DatabaseLocation, name: keyof typeof SECRETS): Promise<void> {
  const service = await runService(environment(database));
  if (service.url) throw new Error(`not proved: the service started with another ${name}`);
  const [code, text] = [await service.exited, service.stdout().trim()];
  if (code !== 1 || !text.startsWith(`${name} is not the one`)) throw new Error(`not proved: code ${code}, ${text}`);
  step(`with another ${name} the service refuses to start: ${text}`);
}
