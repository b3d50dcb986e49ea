// npm run ledger:archive -- --to DIR: exports quarters that are older than HISTORY_MONTHS into sealed, compressed files, and deletes
// them from the database. Gateways keep running. `-- --before YYYY-MM-DD` archives less. A run that was interrupted is continued.
// Exit codes: 0 done, 2 could not run.
import { access, constants, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { archiveBooks, latestCut } from '../src/app/archive.ts';
import { checkMasterKey } from '../src/app/keys/secret-checks.ts';
import { existingMasterKey } from '../src/app/secrets.ts';
import { openDatabase } from '../src/db/database.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { readArguments, runCommand } from './arguments.ts';
import { openTarget } from './target-database.ts';

const COMMAND = {
  usage: `npm run ledger:archive -- --to DIR [--before YYYY-MM-DD]
Moves the quarters that are older than HISTORY_MONTHS into sealed files in DIR, and deletes them from the database.
Gateways keep running. --before archives less. A run that was interrupted is continued.`,
  failure: 'The ledger could not be archived',
  failureCode: 2,
  values: { to: 'the name of a directory', before: 'a date, YYYY-MM-DD' },
} as const;
const WITHOUT_KEY = "and archives cannot be sealed without it. Set it to the service's key.";

async function run(): Promise<void> {
  const { to: directory, before } = readArguments(COMMAND).values;
  if (directory === undefined) throw new Error(`--to needs ${COMMAND.values.to}`);
  if (before !== undefined && !/^\d{4}-\d\d-\d\d$/.test(before)) {
    throw new Error(`--before needs ${COMMAND.values.before}`);
  }
  const config = loadConfig(process.env);
  // The owner's login: the service's own may not delete movements.
  const target = await openTarget(config.databaseAdminUrl ?? config.databaseUrl, config.dataDir);
  try {
    const masterKey = await existingMasterKey(config, WITHOUT_KEY);
    await mkdir(directory, { recursive: true });
    await access(directory, constants.W_OK);
    const database = openDatabase({ url: target.url, poolSize: 5 });
    try {
      await checkMasterKey(database.queries, masterKey);
      const written = await archiveBooks({
        ...{ url: target.url, database, clock: systemClock, masterKey, historyMonths: config.historyMonths },
        directory: resolve(directory),
        before: before === undefined ? null : Date.parse(`${before}T00:00:00Z`),
        report: (line) => void process.stdout.write(`${line}\n`),
      });
      if (written === 0) process.stdout.write(nothingToArchive(before, config.historyMonths));
    } finally {
      await database.close();
    }
  } finally {
    await target.close();
  }
}

function nothingToArchive(before: string | undefined, historyMonths: number): string {
  const latest = new Date(latestCut(systemClock.now(), historyMonths)).toISOString().slice(0, 10);
  return `There is nothing to archive: no movement before ${before ?? `${latest}, HISTORY_MONTHS=${historyMonths}`}.\n`;
}

await runCommand(COMMAND, run);
