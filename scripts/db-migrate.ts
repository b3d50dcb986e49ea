// npm run db:migrate: migrates the database as the owner of DATABASE_ADMIN_URL, and grants kissi_app to the user of DATABASE_URL.
// Exit codes: 0 done, 1 could not run.
import { grantLogin } from '../src/db/schema/login.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { print, readArguments, runCommand } from './arguments.ts';

const COMMAND = {
  usage: `npm run db:migrate
Migrates the database of DATABASE_ADMIN_URL, and grants the login of DATABASE_URL its rights.`,
  failure: 'The database was not migrated',
  failureCode: 1,
};
const { DATABASE_URL, DATABASE_ADMIN_URL } = process.env;

async function run(): Promise<void> {
  readArguments(COMMAND);
  // Only these two: a migration job needs no other secret of the service.
  const { databaseUrl, databaseAdminUrl } = loadConfig({ DATABASE_URL, DATABASE_ADMIN_URL });
  if (!databaseAdminUrl) throw new Error('DATABASE_ADMIN_URL is not set: it must be the login that owns the tables.');
  const applied = await migrate(databaseAdminUrl);
  print(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is current.');
  if (!databaseUrl) return print('DATABASE_URL is not set: no login was granted kissi_app.');
  const done = await grantLogin(databaseAdminUrl, databaseUrl);
  print(done === 'created' ? 'Created the login of DATABASE_URL.' : 'The login of DATABASE_URL may use the tables.');
}

await runCommand(COMMAND, run);
