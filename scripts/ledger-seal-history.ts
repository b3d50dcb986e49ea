// npm run ledger:seal-history: seals the rows that versions before 0.3 wrote, once after the upgrade.
// It also stores the first state of each record, and counts in the roll-ups what versions before 0.4 posted. Run it when no
// gateway of such a version runs.
// Exit codes: 0 done, 1 everything was sealed before, 2 could not run.
import { sql } from 'kysely';
import { checkMasterKey, existingMasterKey } from '../src/app/secrets.ts';
import { SEALED } from '../src/app/verification.ts';
import { adoptRecords } from '../src/audit/adoption.ts';
import { type Database, openConnection, openDatabase } from '../src/db/database.ts';
import { DAY_MS, systemClock } from '../src/kernel/clock.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { sealKey } from '../src/ledger/seals/format.ts';
import { sealHistory } from '../src/ledger/seals/history.ts';
import { rollUpHistory } from '../src/ledger/seals/rollup-history.ts';
import { readArguments } from './arguments.ts';
import { openTarget } from './target-database.ts';

const COMMAND = {
  usage: `npm run ledger:seal-history
Seals the rows that versions before 0.3 wrote, once after the upgrade, when no gateway of such a version runs.
Stores the first state of each record, and counts in the roll-ups what versions before 0.4 posted.`,
  failure: 'The history could not be sealed',
  failureCode: 2,
};
const ADOPTION_TIMEOUT_MS = DAY_MS;

async function run(): Promise<number> {
  readArguments(COMMAND);
  const config = loadConfig(process.env);
  // The owner's login: the service's own may not change movements.
  const target = await openTarget(config.databaseAdminUrl ?? config.databaseUrl, config.dataDir);
  try {
    const masterKey = await existingMasterKey(
      config,
      'and rows cannot be sealed without it. Set it to the key of the service.',
    );
    const counted = await prepare(target.url, masterKey);
    return await seal(target.url, masterKey, counted);
  } finally {
    await target.close();
  }
}

async function seal(url: string, masterKey: string, counted: boolean): Promise<number> {
  const name = 'kissi ledger:seal-history';
  const [reader, writer] = [await openConnection(url, name), await openConnection(url, name)];
  try {
    const tables = SEALED.tables.filter((table) => !SEALED.partly.includes(table));
    const sealed = await sealHistory(reader, writer, { key: sealKey(masterKey), now: Date.now(), tables });
    if (sealed === null && counted) return 0;
    if (sealed === null) {
      process.stderr.write(
        'Everything is already sealed. Rows without a seal are faults: run npm run ledger:verify.\n',
      );
      return 1;
    }
    process.stdout.write(
      `Sealed ${sealed.toLocaleString('en')} movements. From now on, a row without a seal is a fault.\n`,
    );
    return 0;
  } finally {
    reader.discard();
    writer.discard();
  }
}

/** Stores the first states of records and counts the roll-ups; true if there was something to count. */
async function prepare(url: string, masterKey: string): Promise<boolean> {
  const database = openDatabase({ url, poolSize: 3, timeouts: { queryMs: ADOPTION_TIMEOUT_MS } });
  try {
    await checkRights(database);
    await checkMasterKey(database.queries, masterKey);
    const adopted = await adoptRecords(database, { masterKey, clock: systemClock });
    if (adopted !== null) process.stdout.write(`Stored the first states of ${adopted.toLocaleString('en')} records.\n`);
    const counted = await database.transact(rollUpHistory);
    if (counted) process.stdout.write('Counted the movements of earlier versions in the roll-ups.\n');
    return counted;
  } finally {
    await database.close();
  }
}

/** Before anything is stored: the first states are stored once, and the seals must follow. */
async function checkRights({ queries }: Database): Promise<void> {
  const found = sql<{ user: string; granted: boolean }>`
    select current_user as user, has_table_privilege('movements', 'update') as granted`;
  const [login] = (await found.execute(queries)).rows;
  if (login?.granted) return;
  throw new Error(
    `the user "${login?.user}" may not update movements. Set DATABASE_ADMIN_URL to the login that owns the tables. ` +
      'Nothing was changed.',
  );
}

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${COMMAND.failure}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
