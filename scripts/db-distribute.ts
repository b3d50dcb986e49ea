// npm run db:distribute: distributes the ledger in DATABASE_ADMIN_URL (or DATABASE_URL) over the workers of its Citus cluster, while
// no gateway runs. `-- --dry-run` only prints the plan. Exit codes: 0 done, or nothing to do; 1 could not run.
import {
  distribute,
  localCopies,
  planDistribution,
  prepareRole,
  truncateLocalCopies,
} from '../src/db/citus/distribute.ts';
import { openDatabase, type Queries } from '../src/db/database.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { print, readArguments, runCommand } from './arguments.ts';

const COMMAND = {
  usage: `npm run db:distribute [-- --dry-run]
Distributes the ledger in DATABASE_ADMIN_URL (or DATABASE_URL) over the workers of its Citus cluster, while no gateway runs.
--dry-run only prints the plan.`,
  failure: 'The ledger was not distributed',
  failureCode: 1,
  flags: ['dry-run'],
} as const;
const { DATABASE_URL, DATABASE_ADMIN_URL } = process.env;
const INSUFFICIENT_PRIVILEGE = '42501';
const OWNER_HINT = '. Set DATABASE_ADMIN_URL to the login that owns the tables.';
// Copying a large table to the workers takes a long time.
const TIMEOUT_MS = 24 * 3_600_000;

async function run(): Promise<void> {
  const isDryRun = readArguments(COMMAND).flags.has('dry-run');
  const { databaseUrl, databaseAdminUrl } = loadConfig({ DATABASE_URL, DATABASE_ADMIN_URL });
  const url = databaseAdminUrl ?? databaseUrl;
  if (!url) throw new Error('DATABASE_ADMIN_URL is not set: it must be the login that owns the tables.');
  const database = openDatabase({ url, poolSize: 1, timeouts: { queryMs: TIMEOUT_MS } });
  try {
    const steps = await planDistribution(database.queries);
    if (steps.length === 0) return await finish(database.queries, isDryRun);
    for (const { what, statement } of steps) print(`${what}:\n  ${statement};`);
    if (isDryRun) return print('Nothing was changed.');
    await prepareRole(database.queries, steps);
    await database.transact((trx) => distribute(trx, steps));
    await truncateLocalCopies(database.queries, await localCopies(database.queries));
    print('The ledger is distributed. Gateways can start.');
  } finally {
    await database.close();
  }
}

/** An earlier run may have ended before it deleted the rows that the coordinator had. */
async function finish(queries: Queries, isDryRun: boolean): Promise<void> {
  const tables = await localCopies(queries);
  if (tables.length === 0) return print('The ledger is distributed. There is nothing to do.');
  print(`Delete the coordinator's rows of ${tables.join(', ')}.`);
  if (isDryRun) return print('Nothing was changed.');
  await truncateLocalCopies(queries, tables);
  print('The ledger is distributed.');
}

await runCommand(COMMAND, run, (error) =>
  (error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE ? OWNER_HINT : '',
);
