// npm run doctor: checks whether the service with these environment variables is ready for production, and says what to do.
// Exit codes: 0 no errors (there may be warnings), 1 errors, 2 could not run.
import { checkStored } from '../src/app/keys/secret-checks.ts';
import { openDatabase, type Queries } from '../src/db/database.ts';
import { APP_ROLE } from '../src/db/schema/migrate.ts';
import { createDoctor, type Line } from '../src/features/doctor/service.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { type Config, ConfigFaults, loadConfig } from '../src/kernel/config/config.ts';
import { plural } from '../src/kernel/plural.ts';
import { print, readArguments, runCommand } from './arguments.ts';
import { openTarget } from './target-database.ts';

const COMMAND = {
  usage: `npm run doctor [-- --json]
Checks whether the service with these environment variables, and its database, are ready for production. Each line is ok,
warning or error, with what to do. --json prints what GET /health/production returns. Changes nothing.`,
  failure: 'The checks could not run',
  failureCode: 2,
  flags: ['json'],
} as const;

const MARKS = { ok: 'ok      ', warning: 'warning ', error: 'ERROR   ' };

async function run(): Promise<number> {
  const { flags } = readArguments(COMMAND);
  const config = readConfig();
  if (config === null) return 1;
  const target = await openTarget(config.databaseUrl, config.dataDir);
  const database = openDatabase({ url: target.url, poolSize: 5, role: APP_ROLE });
  try {
    await checkKeys(database.queries, config);
    const { status, checks } = await createDoctor({ config, database, clock: systemClock }).examine();
    print(flags.has('json') ? JSON.stringify({ status, checks }, null, 2) : reportOf(checks));
    return status === 'error' ? 1 : 0;
  } finally {
    await database.close();
    await target.close();
  }
}

/** Null: the service would not start with it, and every fault was printed. */
function readConfig(): Config | null {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error;
    for (const fault of error.faults) print(`${MARKS.error}${fault}`);
    print('The service does not start with this configuration: docs/configuration.md describes each variable.');
    return null;
  }
}

/** With other keys than the service's the checks would be about another service. */
async function checkKeys(queries: Queries, { secrets }: Config): Promise<void> {
  for (const name of ['MASTER_KEY', 'PIN_PEPPER'] as const) {
    const value = secrets[name];
    if (value !== undefined) await checkStored(queries, name, value);
  }
}

function reportOf(lines: readonly Line[]): string {
  const count = (level: Line['level']) => lines.filter((line) => line.level === level).length;
  return [
    ...lines.map(({ level, name, message, action }) =>
      [`${MARKS[level]}${name}: ${message}`, ...(action === null ? [] : [`        → ${action}`])].join('\n'),
    ),
    `${plural(count('error'), 'error')}, ${plural(count('warning'), 'warning')}, ${count('ok')} ok.`,
  ].join('\n');
}

await runCommand(COMMAND, run);
