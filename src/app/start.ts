// Starts the service in order (secrets, database, schema, gateway, first administrator) and stops it in reverse order.
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import { readShards } from '../db/citus/shards.ts';
import { unreachableWorkers } from '../db/citus/workers.ts';
import { type Database, type DatabaseOptions, type DatabaseTimeouts, openDatabase } from '../db/database.ts';
import { APP_ROLE, appUrl, migrate } from '../db/schema/migrate.ts';
import type { MetricsService } from '../features/metrics/service.ts';
import { createLoggers, type Logger } from '../http/log.ts';
import { servedPages, type WebPageName } from '../http/web-pages.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config/config.ts';
import { leaseStripe, RENEW_EVERY_MS } from '../ledger/stripe-lease.ts';
import type { OpenTracing } from '../tracing/open.ts';
import { type BackgroundTask, startBackgroundTasks } from './background-tasks.ts';
import { compose } from './compose.ts';
import { BACKLOG } from './gateways/connections.ts';
import { isMine, type Siblings } from './gateways/siblings.ts';
import { ANNOUNCE_EVERY_MS, announceKeys, type KeyChange } from './keys/announcement.ts';
import { checkSecrets } from './keys/secret-checks.ts';
import { prepareDatabase } from './prepare-database.ts';
import { completeSecrets } from './secrets.ts';
import { VERSION } from './version.ts';

/** What an operator reads once the service runs. */
export interface Announced {
  /** The URL the gateway listens on. */
  address: string;
  servesDocs: boolean;
  webPages: WebPageName[];
  /** Gateway processes. */
  gateways: number;
  database: string;
  firstAdmin: { email: string; password: string; generated: boolean } | null;
  stop(): Promise<void>;
}

export interface RunningService extends Announced {
  /** Runs a periodic task at once. */
  runTask(name: string): Promise<void>;
  /** This process's metrics. */
  metrics: Pick<MetricsService, 'snapshot' | 'counts'>;
  /** Under a supervisor, which accepts the connections. */
  serve(socket: Socket): void;
  /** Ends each open connection with its next reply. `stop` follows. */
  drain(limitMs: number): Promise<void>;
}

/** Resources opened so far. They are closed in reverse order when a later step fails or the service stops. */
export class Opened {
  private readonly closers: (() => Promise<void>)[] = [];
  private closing: Promise<void> | null = null;

  add(closer: () => Promise<void>): void {
    this.closers.push(closer);
  }

  /** A second call waits for the first: requests may still be in flight. */
  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  /** Closes all of them even if one fails, so that the embedded PostgreSQL does not keep running. */
  private async closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const closer of this.closers.splice(0).reverse()) {
      await closer().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Stops the whole service. */
export async function closeLogged(opened: Opened, logger: Logger): Promise<void> {
  logger.info('the service is stopping');
  await opened.close();
  logger.info('the service has stopped');
  logger.flush();
}

/** For the demo, which makes its history in the past, and for gateways under a supervisor. */
export interface StartOptions {
  /** By default the system clock. */
  clock?: Clock;
  /** Names of periodic tasks that run only by `runTask`. */
  manualTasks?: readonly string[];
  databaseTimeouts?: Partial<DatabaseTimeouts>;
  /** The other gateways of this machine, and the database that their supervisor has prepared. */
  supervised?: { siblings: Siblings; database: PreparedDatabase; createsFirstAdmin: boolean };
}

export interface PreparedDatabase {
  /** With the service's login. */
  url: string;
  /** For the operator. */
  name: string;
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
  { clock = systemClock, manualTasks = [], databaseTimeouts = {}, supervised }: StartOptions,
  opened: Opened,
): Promise<RunningService> {
  const siblings = supervised?.siblings;
  const isTraced = config.tracing !== undefined;
  const loggers = createLoggers({ level: config.logLevel, isTraced, ...(siblings ? { gateway: siblings.index } : {}) });
  const { logger } = loggers;
  opened.add(async () => void logger.flush());
  const tracing = await startTracing(config, logger);
  if (tracing) opened.add(() => tracing.close());
  const secrets = await completeSecrets(config);
  const { url, name } = supervised?.database ?? (await findDatabase(config, logger, opened));
  const database = connect(url, config, logger, {
    ...{ isTraced, shards: await readShards(url), timeouts: databaseTimeouts },
  });
  opened.add(() => database.close());
  if (database.shards) await reportUnreachable(database, logger);
  await checkSecrets(database.queries, secrets);
  const holder = randomUUID();
  const announcement = await announceKeys({
    database,
    secrets,
    holder,
    onChange: (change) => reportKey(change, logger),
  });
  opened.add(() => announcement.withdraw());
  const lease = await leaseStripe(database.queries, holder);
  opened.add(() => lease.release());
  const { stripe } = lease;
  const gateway = await compose({
    ...{ config, secrets, database, clock, loggers, stripe, siblings, tracing, version: VERSION },
  });
  opened.add(() => gateway.close());
  await gateway.services.audit.begin();
  await gateway.services.approvals.policies.enableRecommended();
  await gateway.services.processors.assignMerchantNumbers();
  await gateway.services.lab?.prepare();
  const timed = tasksOf(gateway.backgroundTasks, siblings).filter(({ name }) => !manualTasks.includes(name));
  const renewal = { name: 'renew the lease of a stripe', everyMs: RENEW_EVERY_MS, run: lease.renew };
  const announcing = { name: 'announce the keys', everyMs: ANNOUNCE_EVERY_MS, run: () => announcement.renew() };
  const tasks = startBackgroundTasks([...timed, renewal, announcing], logger);
  opened.add(() => tasks.stop());
  const address = supervised
    ? ''
    : await gateway.app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  // Last, because a generated password is shown only once: no step that can fail may follow.
  const createsFirstAdmin = supervised?.createsFirstAdmin ?? true;
  const firstAdmin = createsFirstAdmin ? await gateway.services.users.ensureFirstAdmin(config.bootstrapAdmin) : null;
  const runTask = (task: string) => runNamed(gateway.backgroundTasks, task);
  const serves = { servesDocs: config.docs, webPages: servedPages(config) };
  const { metrics } = gateway.services;
  return {
    ...{ address, ...serves, gateways: 1, database: name, firstAdmin, runTask, metrics },
    serve: (socket) => gateway.app.serve(socket),
    drain: (limitMs) => gateway.app.drain(limitMs),
    stop: () => (supervised ? opened.close() : closeLogged(opened, logger)),
  };
}

function reportKey({ name, key, waitsFor }: KeyChange, logger: Logger): void {
  if (waitsFor === null) logger.info({ name, key }, 'new values are written under this key');
  else
    logger.warn({ name, key, waitsFor }, 'not every gateway has the first key: new values are written under another');
}

/** Null: it is off, and OpenTelemetry is not loaded. */
export async function startTracing(config: Config, logger: Logger): Promise<OpenTracing | null> {
  if (!config.tracing) return null;
  const { openTracing } = await import('../tracing/open.ts');
  return openTracing({
    config: config.tracing,
    version: VERSION,
    environment: config.appEnv,
    maxBatch: config.maxBatch,
    onChange(reason) {
      if (reason === null) logger.info('spans are exported again');
      else logger.warn({ reason }, 'spans cannot be exported');
    },
  });
}

/** Each gateway runs its share of the machine's tasks. */
function tasksOf(tasks: BackgroundTask[], siblings: Siblings | undefined): BackgroundTask[] {
  if (!siblings) return tasks;
  return tasks.filter(({ ofProcess }, place) => ofProcess || isMine(siblings, place));
}

async function runNamed(tasks: BackgroundTask[], name: string): Promise<void> {
  const task = tasks.find((each) => each.name === name);
  if (!task) throw new Error(`there is no task to ${name}`);
  await task.run();
}

/** Migrates the database and returns the URL with which the service logs in. */
export async function findDatabase(config: Config, logger: Logger, opened: Opened): Promise<PreparedDatabase> {
  const { databaseUrl, databaseAdminUrl } = config;
  const report = { applied: (applied: string[]) => reportMigrations(applied, logger), warn: warningTo(logger) };
  if (databaseUrl) {
    await prepareDatabase({ databaseUrl, databaseAdminUrl, appEnv: config.appEnv }, report);
    return { url: databaseUrl, name: 'the PostgreSQL of DATABASE_URL' };
  }
  const server = await startEmbeddedServer({
    dataDir: config.dataDir,
    settings: { max_connections: String(connectionsOf(config)) },
    report: ({ level, message }) => logger[level](message),
  });
  opened.add(() => server.stop());
  report.applied(await migrate(server.url));
  return { url: await appUrl(server.url), name: `embedded PostgreSQL in ${server.pgdata}` };
}

const MIN_CONNECTIONS = 100;
/** For operators, migrations and `npm run` scripts. */
const SPARE_CONNECTIONS = 20;

/** During a rolling restart one gateway more than usual is connected. */
function connectionsOf({ gateways, databasePoolSize }: Config): number {
  return Math.max(MIN_CONNECTIONS, (gateways + 1) * databasePoolSize + SPARE_CONNECTIONS);
}

function reportMigrations(applied: string[], logger: Logger): void {
  if (applied.length > 0) logger.info({ applied }, 'the database schema was brought up to date');
}

function warningTo(logger: Logger): (message: string) => void {
  return (message) => logger.warn(message);
}

/** The gateway starts anyway: accounts on other workers can pay. */
async function reportUnreachable({ queries }: Database, logger: Logger): Promise<void> {
  for (const failed of await unreachableWorkers(queries)) {
    logger.error(failed, 'a worker of the cluster cannot be reached: payments of its accounts fail');
  }
}

function connect(
  url: string,
  config: Config,
  logger: Logger,
  options: Pick<DatabaseOptions, 'shards' | 'timeouts' | 'isTraced'>,
): Database {
  return openDatabase({
    ...options,
    url,
    poolSize: config.databasePoolSize,
    role: APP_ROLE,
    replicas: config.replicas,
    onIdleError: (error, server) => logger.warn({ server, reason: error.message }, 'a database connection was lost'),
    onReplicaChange({ server, outcome, reason }) {
      if (outcome === 'replica') logger.info({ server }, 'a replica is read from again');
      else logger.warn({ server, outcome, reason }, 'a replica is not read from');
    },
  });
}
