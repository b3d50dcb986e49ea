// Starts the service in order (secrets, database, schema, gateway, first administrator) and stops it in reverse order.

import { startEmbeddedServer } from '@kissi/embedded-postgres';
import { type Database, openDatabase } from '../db/database.ts';
import { APP_ROLE, appUrl, migrate } from '../db/schema/migrate.ts';
import { isConsoleBuilt } from '../http/console-page.ts';
import { createLoggers, type Logger } from '../http/log.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config/config.ts';
import { type BackgroundTask, startBackgroundTasks } from './background-tasks.ts';
import { compose } from './compose.ts';
import { prepareDatabase } from './prepare-database.ts';
import { checkSecrets, completeSecrets } from './secrets.ts';
import { VERSION } from './version.ts';

export interface RunningService {
  /** The URL the gateway listens on. */
  address: string;
  servesDocs: boolean;
  servesConsole: boolean;
  database: string;
  firstAdmin: { email: string; password: string; generated: boolean } | null;
  /** Runs a periodic task at once. */
  runTask(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Resources opened so far. They are closed in reverse order when a later step fails or the service stops. */
class Opened {
  private readonly closers: (() => Promise<void>)[] = [];

  add(closer: () => Promise<void>): void {
    this.closers.push(closer);
  }

  /** Closes all of them even if one fails, so that the embedded PostgreSQL does not keep running. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const closer of this.closers.splice(0).reverse()) {
      await closer().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

// Listen backlog. Connections beyond it are retried by the client's TCP stack after 1 s, then 3 s.
const BACKLOG = 4_096;

/** For the demo, which makes its history in the past. */
export interface StartOptions {
  /** By default the system clock. */
  clock?: Clock;
  /** Names of periodic tasks that run only by `runTask`. */
  manualTasks?: readonly string[];
}

export async function start(config: Config, options: StartOptions = {}): Promise<RunningService> {
  const opened = new Opened();
  try {
    return await startInto(config, options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function startInto(
  config: Config,
  { clock = systemClock, manualTasks = [] }: StartOptions,
  opened: Opened,
): Promise<RunningService> {
  const loggers = createLoggers({ level: config.logLevel });
  const { logger } = loggers;
  opened.add(async () => void logger.flush());
  const secrets = await completeSecrets(config);
  const { url, name } = await findDatabase(config, logger, opened);
  const database = connect(url, config, logger);
  opened.add(() => database.close());
  await checkSecrets(database.queries, secrets);
  const gateway = await compose({ config, secrets, database, clock, loggers, version: VERSION });
  opened.add(() => gateway.close());
  await gateway.services.audit.begin();
  await gateway.services.lab?.prepare();
  const timed = gateway.backgroundTasks.filter(({ name }) => !manualTasks.includes(name));
  const tasks = startBackgroundTasks(timed, logger);
  opened.add(() => tasks.stop());
  const address = await gateway.app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  // Last, because a generated password is shown only once: no step that can fail may follow.
  const firstAdmin = await gateway.services.users.ensureFirstAdmin(config.bootstrapAdmin);
  const runTask = (task: string) => runNamed(gateway.backgroundTasks, task);
  const serves = { servesDocs: config.docs, servesConsole: config.console && isConsoleBuilt() };
  return { address, ...serves, database: name, firstAdmin, runTask, stop: () => opened.close() };
}

async function runNamed(tasks: BackgroundTask[], name: string): Promise<void> {
  const task = tasks.find((each) => each.name === name);
  if (!task) throw new Error(`there is no task to ${name}`);
  await task.run();
}

/** Migrates the database and returns the URL with which the service logs in. */
async function findDatabase(config: Config, logger: Logger, opened: Opened): Promise<{ url: string; name: string }> {
  const { databaseUrl, databaseAdminUrl } = config;
  const report = { applied: (applied: string[]) => reportMigrations(applied, logger), warn: warningTo(logger) };
  if (databaseUrl) {
    await prepareDatabase({ databaseUrl, databaseAdminUrl, appEnv: config.appEnv }, report);
    return { url: databaseUrl, name: 'the PostgreSQL of DATABASE_URL' };
  }
  const server = await startEmbeddedServer({
    dataDir: config.dataDir,
    report: ({ level, message }) => logger[level](message),
  });
  opened.add(() => server.stop());
  report.applied(await migrate(server.url));
  return { url: await appUrl(server.url), name: `embedded PostgreSQL in ${server.pgdata}` };
}

function reportMigrations(applied: string[], logger: Logger): void {
  if (applied.length > 0) logger.info({ applied }, 'the database schema was brought up to date');
}

function warningTo(logger: Logger): (message: string) => void {
  return (message) => logger.warn(message);
}

function connect(url: string, config: Config, logger: Logger): Database {
  return openDatabase({
    url,
    poolSize: config.databasePoolSize,
    role: APP_ROLE,
    onIdleError: (error) => logger.warn({ reason: error.message }, 'a database connection was lost'),
  });
}
