// npm run keys:rotate: brings everything that is stored under old keys of MASTER_KEY and PIN_PEPPER under the first one. Gateways
// keep running. A run that was interrupted is continued by the next. Exit codes: 0 done, 1 some values still need an old key,
// 2 could not run.
import { rotateKeys } from '../src/app/keys/rotation.ts';
import { checkSecrets } from '../src/app/keys/secret-checks.ts';
import { existingKeys } from '../src/app/secrets.ts';
import { openDatabase } from '../src/db/database.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { print, readArguments, runCommand } from './arguments.ts';
import { openTarget } from './target-database.ts';

const COMMAND = {
  usage: `npm run keys:rotate
Ends the old keys of all chains with a seal under both keys, encrypts stored secrets again under the first key of MASTER_KEY, and
wraps PINs under the first key of PIN_PEPPER. Gateways keep running. A run that was interrupted is continued by the next.`,
  failure: 'The keys were not rotated',
  failureCode: 2,
} as const;

async function run(): Promise<number> {
  readArguments(COMMAND);
  const config = loadConfig(process.env);
  // The owner's login: the service's own may not change payment requests and files of cases.
  const target = await openTarget(config.databaseAdminUrl ?? config.databaseUrl, config.dataDir);
  const database = openDatabase({ url: target.url, poolSize: 5 });
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort()).once('SIGTERM', () => stopping.abort());
  try {
    const secrets = await existingKeys(config);
    await checkSecrets(database.queries, secrets);
    const { signal } = stopping;
    const { finished } = await rotateKeys({ database, clock: systemClock, secrets, report: print, stopping: signal });
    print(finished ? 'Done: nothing needs an old key.' : 'Old keys are still needed: npm run keys:status says where.');
    return finished ? 0 : 1;
  } finally {
    await database.close();
    await target.close();
  }
}

await runCommand(COMMAND, run);
