// Runs the service as a separate process for a drill, and verifies its ledger.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CASHIN_SECRET,
  inheritedEnv,
  runScript,
  SECRETS,
  SERVICE,
  startProcess,
  UNLIMITED,
} from '@kissi/testkit/service';

export interface Service {
  /** Base URL. */
  address: string;
  stop(): Promise<void>;
}

/** Without `databaseUrl`, the service uses the embedded server in `dataDir`. */
export interface DatabaseLocation {
  databaseUrl?: string;
  dataDir: string;
}

function environment({ databaseUrl, dataDir }: DatabaseLocation): Record<string, string> {
  return {
    ...inheritedEnv(),
    ...UNLIMITED,
    ...SECRETS,
    PARTNER_CASHIN_WEBHOOK_SECRET: CASHIN_SECRET,
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  };
}

/** Resolves when the service has printed its address. Its log goes to `kissi.log`. */
export async function startService(database: DatabaseLocation, logDirectory: string): Promise<Service> {
  const log = await open(join(logDirectory, 'kissi.log'), 'a');
  const started = await startProcess(SERVICE, environment(database), { stderr: log.fd });
  await log.close();
  if (!started) throw new Error(`the service did not start: see ${join(logDirectory, 'kissi.log')}`);
  return { address: started.url, stop: started.stop };
}

/** Runs ledger:verify and returns its output; throws if it finds a fault. */
export async function verifyLedger(database: DatabaseLocation): Promise<string> {
  const { code, output } = await runScript('scripts/ledger-verify.ts', environment(database));
  if (code !== 0) throw new Error(`ledger:verify exited with code ${code}: ${output}`);
  return output;
}
