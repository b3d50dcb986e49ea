// npm run ledger:archive -- --to DIR: exports quarters that are older than HISTORY_MONTHS into sealed, compressed files, and deletes
// them from the database. Gateways keep running. `-- --before YYYY-MM-DD` archives less. A run that was interrupted is continued.
// Exit codes: 0 done, 2 could not run.
import { access, constants, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { archiveBooks } from '../src/app/archive.ts';
import { existingMasterKey } from '../src/app/secrets.ts';
import { openDatabase } from '../src/db/database.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { openTarget } from './target-database.ts';

const WITHOUT_KEY = 'and archives cannot be sealed without it. Set it to the key of the service.';

async function run(args: readonly string[]): Promise<void> {
  const argument = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const [directory, before] = [argument('--to'), argument('--before')];
  const unknown = args.find((arg) => !['--to', '--before', directory, before].includes(arg));
  if (unknown !== undefined) throw new Error(`there is no option ${unknown}`);
  if (!directory || directory.startsWith('--')) throw new Error('--to needs the name of a directory');
  if (args.includes('--before') && !/^\d{4}-\d\d-\d\d$/.test(before ?? '')) {
    throw new Error('--before needs a date, YYYY-MM-DD');
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
      const written = await archiveBooks({
        ...{ url: target.url, database, clock: systemClock, masterKey, historyMonths: config.historyMonths },
        directory: resolve(directory),
        before: before === undefined ? null : Date.parse(`${before}T00:00:00Z`),
        report: (line) => void process.stdout.write(`${line}\n`),
      });
      if (written === 0) process.stdout.write('There is nothing to archive.\n');
    } finally {
      await database.close();
    }
  } finally {
    await target.close();
  }
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`The ledger could not be archived: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
