// Starts the service, says where it is, and stops it cleanly when told to.

import { EmbeddedServerError } from '@kissi/embedded-postgres';
import { WrongSecret } from './app/secrets.ts';
import { type RunningService, start } from './app/start.ts';
import { SchemaError } from './db/schema/migrate.ts';
import { FirstAdminError } from './features/admin/users/first-admin.ts';
import { ConfigFaults, loadConfig } from './kernel/config/config.ts';

/** Errors that an operator can mend, in words made for operators. */
const MENDABLE = [ConfigFaults, EmbeddedServerError, FirstAdminError, SchemaError, WrongSecret];

const KNOWN_TROUBLE: Record<string, string> = {
  EADDRINUSE: 'The port is taken by another program: set PORT to a free one.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  ENOTFOUND: 'The host of DATABASE_URL or HOST is not known.',
  ECONNREFUSED: 'PostgreSQL does not answer at DATABASE_URL.',
  NO_LEADER:
    'None of the hosts of DATABASE_URL takes writes: a new leader is perhaps being chosen; start again in a moment.',
  '28P01': 'PostgreSQL refuses the user or password of DATABASE_URL.',
  '28000': 'PostgreSQL refuses the user of DATABASE_URL.',
  '3D000': 'The database that DATABASE_URL names does not exist.',
  '42501': 'The user of DATABASE_URL may not create tables, the role kissi_app or the extension pg_trgm.',
};

// In-flight requests and PostgreSQL get this long; a second signal does not wait.
const STOP_TIMEOUT_MS = 20_000;
const SAME_SIGNAL_MS = 2_000;

const starting = begin();
stopOnSignal();

async function begin(): Promise<RunningService | null> {
  try {
    const service = await start(loadConfig(process.env));
    announce(service);
    return service;
  } catch (error) {
    say(explain(error));
    process.exitCode = 1;
    return null;
  }
}

function announce({ address, database, firstAdmin }: RunningService): void {
  const lines = [
    'Kissi is ready.',
    `  API            ${address}/api/v1`,
    `  Documentation  ${address}/docs`,
    `  Health         ${address}/health`,
    `  Database       ${database}`,
  ];
  if (firstAdmin?.generated) {
    lines.push('', 'The first administrator, shown this once:');
    lines.push(`  email     ${firstAdmin.email}`, `  password  ${firstAdmin.password}`);
  }
  say(lines.join('\n'));
}

/** From the first moment on: a start that is interrupted is first finished, then undone. */
function stopOnSignal(): void {
  let stoppingSince = 0;
  const stop = async () => {
    // One Ctrl-C in a terminal arrives twice: from the terminal, and passed on by npm.
    if (stoppingSince > 0 && performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
    if (stoppingSince > 0) return;
    stoppingSince = performance.now();
    say('Stopping …');
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await (await starting)?.stop();
    process.exit();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
}

/** What an operator can mend is one sentence; anything else is a defect and shows where it is. */
function explain(error: unknown): string {
  if (MENDABLE.some((kind) => error instanceof kind)) return (error as Error).message;
  const known = KNOWN_TROUBLE[(error as { code?: string }).code ?? ''];
  if (known) return known;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
