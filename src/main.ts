// Entry point: starts the service, prints its addresses, and stops it cleanly on SIGINT or SIGTERM.

import { EmbeddedServerError } from '@kissi/embedded-postgres';
import { WrongSecret } from './app/secrets.ts';
import { type RunningService, start } from './app/start.ts';
import { LoginError } from './db/schema/login.ts';
import { SchemaError } from './db/schema/migrate.ts';
import { FirstAdminError } from './features/admin/users/first-admin.ts';
import { ConfigFaults, loadConfig } from './kernel/config/config.ts';

/** Errors that an operator can fix. Their messages are written for operators. */
const OPERATOR_ERRORS = [ConfigFaults, EmbeddedServerError, FirstAdminError, LoginError, SchemaError, WrongSecret];

/** By error code of Node.js or SQLSTATE of PostgreSQL. */
const KNOWN_ERRORS: Record<string, string> = {
  EADDRINUSE: 'The port is taken by another program: set PORT to a free one.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  ENOTFOUND: 'The host name in DATABASE_URL or HOST cannot be resolved.',
  ECONNREFUSED: 'PostgreSQL does not answer at DATABASE_URL.',
  NO_LEADER: 'No host in DATABASE_URL accepts writes. A failover may be in progress: try again in a moment.',
  '28P01': 'PostgreSQL rejects the user or password in DATABASE_URL.',
  '28000': 'PostgreSQL rejects the user in DATABASE_URL.',
  '3D000': 'The database in DATABASE_URL does not exist.',
  '42501':
    'The user in DATABASE_ADMIN_URL lacks the right to create tables, the role kissi_app or the extension pg_trgm.',
};

// Maximum time to finish in-flight requests and stop PostgreSQL. A second signal exits at once.
const STOP_TIMEOUT_MS = 20_000;
const SAME_SIGNAL_MS = 2_000;

const starting = startService();
stopOnSignal();

async function startService(): Promise<RunningService | null> {
  try {
    const service = await start(loadConfig(process.env));
    announce(service);
    return service;
  } catch (error) {
    print(explain(error));
    process.exitCode = 1;
    return null;
  }
}

function announce({ address, servesDocs, servesConsole, database, firstAdmin }: RunningService): void {
  const lines = [
    'Kissi is ready.',
    `  API            ${address}/api/v1`,
    ...(servesConsole ? [`  Console        ${address}/console`] : []),
    ...(servesDocs ? [`  Documentation  ${address}/docs`] : []),
    `  Health         ${address}/health`,
    `  Database       ${database}`,
  ];
  if (firstAdmin?.generated) {
    lines.push('', 'The first administrator (shown only once):');
    lines.push(`  email     ${firstAdmin.email}`, `  password  ${firstAdmin.password}`);
  }
  print(lines.join('\n'));
}

/** Also handles signals during startup: the start is completed, then the service is stopped. */
function stopOnSignal(): void {
  let stoppingSince = 0;
  const stop = async () => {
    // One Ctrl-C arrives twice: from the terminal, and forwarded by npm.
    if (stoppingSince > 0 && performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
    if (stoppingSince > 0) return;
    stoppingSince = performance.now();
    print('Stopping …');
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await (await starting)?.stop();
    process.exit();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
}

/** One sentence for errors an operator can fix; a stack trace for defects. */
function explain(error: unknown): string {
  if (OPERATOR_ERRORS.some((kind) => error instanceof kind)) return (error as Error).message;
  const known = KNOWN_ERRORS[(error as { code?: string }).code ?? ''];
  if (known) return known;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
