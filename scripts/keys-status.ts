// npm run keys:status: which keys the gateways have, and how many stored values need each key. Changes nothing.
// Exit codes: 0 nothing needs an old key, 1 something does, 2 could not run.
import { statusOf, statusText } from '../src/app/keys/status.ts';
import { existingKeys } from '../src/app/secrets.ts';
import { openDatabase } from '../src/db/database.ts';
import { APP_ROLE } from '../src/db/schema/migrate.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { print, readArguments, runCommand } from './arguments.ts';
import { openTarget } from './target-database.ts';

const COMMAND = {
  usage: `npm run keys:status [-- --json]
Prints the keys of MASTER_KEY and PIN_PEPPER, which gateways have them, and how many stored values need each. Changes nothing.`,
  failure: 'The status of the keys could not be read',
  failureCode: 2,
  flags: ['json'],
} as const;

async function run(): Promise<number> {
  const { flags } = readArguments(COMMAND);
  const config = loadConfig(process.env);
  const target = await openTarget(config.databaseUrl, config.dataDir);
  const database = openDatabase({ url: target.url, poolSize: 2, role: APP_ROLE });
  try {
    const status = await statusOf({ database, clock: systemClock, secrets: await existingKeys(config) });
    print(flags.has('json') ? JSON.stringify(status, null, 2) : statusText(status));
    return status.some(({ keys }) => keys.some(({ state, uses }) => state !== 'first' && uses.length > 0)) ? 1 : 0;
  } finally {
    await database.close();
    await target.close();
  }
}

await runCommand(COMMAND, run);
