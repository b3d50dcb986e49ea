// Starts the service, says where it is, and stops it cleanly when told to.
import { WrongSecret } from './app/secrets.ts';
import { type RunningService, start } from './app/start.ts';
import { EmbeddedServerError } from './db/embedded/errors.ts';
import { FirstAdminError } from './features/admin/users/first-admin.ts';
import { ConfigFaults, loadConfig } from './kernel/config.ts';

/** Errors that an operator can mend, in words made for operators. */
const MENDABLE = [ConfigFaults, EmbeddedServerError, FirstAdminError, WrongSecret];

// In-flight requests and PostgreSQL get this long; a second signal does not wait.
const STOP_TIMEOUT_MS = 20_000;

try {
  const service = await start(loadConfig(process.env));
  announce(service);
  stopOnSignal(service);
} catch (error) {
  say(explain(error));
  process.exitCode = 1;
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

function stopOnSignal(service: RunningService): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await service.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
}

/** What an operator can mend is one sentence; anything else is a defect and shows where it is. */
function explain(error: unknown): string {
  if (MENDABLE.some((kind) => error instanceof kind)) return (error as Error).message;
  const code = (error as { code?: string }).code;
  if (code === 'EADDRINUSE') return 'The port is taken by another program: set PORT to a free one.';
  if (code === 'ECONNREFUSED') return 'PostgreSQL does not answer at DATABASE_URL.';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
