// Runs the service as a separate process for a drill, and verifies its ledger.
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CASHIN_SECRET,
  inheritedEnv,
  runScript,
  SECRETS,
  SERVICE,
  type StartedProcess,
  startProcess,
  UNLIMITED,
} from '@kissi/testkit/service';
import { SERVICE_LOG, step } from './sandbox.ts';

const START_ATTEMPTS = 3;

export interface Service {
  /** Base URL. */
  address: string;
  stop(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
}

/** Without `databaseUrl`, the service uses the embedded server in `dataDir`. */
export interface DatabaseLocation {
  databaseUrl?: string;
  /** As the owner: the service migrates at its start, and makes the login of `databaseUrl`. */
  adminUrl?: string;
  dataDir: string;
  /** By default, the same for all drills. */
  secrets?: Record<string, string>;
}

export function environment({
  databaseUrl,
  adminUrl,
  dataDir,
  secrets = SECRETS,
}: DatabaseLocation): Record<string, string> {
  return {
    ...inheritedEnv(),
    ...UNLIMITED,
    ...secrets,
    PARTNER_CASHIN_WEBHOOK_SECRET: CASHIN_SECRET,
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...(adminUrl ? { DATABASE_ADMIN_URL: adminUrl } : {}),
  };
}

/** Resolves when the service has printed its address; tries again as a service manager does. Its log goes to `kissi.log`. */
export async function startService(database: DatabaseLocation, logDirectory: string): Promise<Service> {
  let reason = '';
  const onLine = (line: string) => {
    reason = line;
  };
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
    const log = await open(join(logDirectory, SERVICE_LOG), 'a');
    const started = await startProcess(SERVICE, environment(database), { stderr: log.fd, onLine });
    await log.close();
    if (started) return serviceOf(started);
    step(`the service did not start: ${reason}`);
  }
  throw new Error(`the service did not start in ${START_ATTEMPTS} attempts`);
}

function serviceOf({ url, child, stop }: StartedProcess): Service {
  const kill = async () => {
    if (child.kill('SIGKILL')) await once(child, 'exit');
  };
  return { address: url, stop, kill };
}

/** Runs ledger:verify. */
export function runVerify(database: DatabaseLocation): Promise<{ code: number; output: string }> {
  return runScript('scripts/ledger-verify.ts', environment(database));
}

/** Runs ledger:verify and returns its output; throws if it finds a fault. */
export async function verifyLedger(database: DatabaseLocation): Promise<string> {
  const { code, output } = await runVerify(database);
  if (code !== 0) throw new Error(`ledger:verify exited with code ${code}: ${output}`);
  return output;
}

/** What a drill prints of ledger:verify. */
export async function verifiedLedger(database: DatabaseLocation): Promise<string> {
  return `ledger:verify passed: ${(await verifyLedger(database)).split('\n')[0]}`;
}
