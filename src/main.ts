// Entry point: starts the service, prints its addresses, and stops it cleanly on SIGINT or SIGTERM.
import cluster from 'node:cluster';
import { explain } from './app/explain.ts';
import { supervise } from './app/gateways/supervisor.ts';
import { runGatewayProcess } from './app/gateways/worker.ts';
import { type Announced, start } from './app/start.ts';
import { loadConfig } from './kernel/config/config.ts';

// Maximum time to finish in-flight requests and stop PostgreSQL. A second signal exits at once.
const STOP_TIMEOUT_MS = 20_000;
const SAME_SIGNAL_MS = 2_000;
/** For an operator who starts with existing data and looks for the login. */
const LOST_LOGIN = `The first start printed the administrator's login. If it is lost, create another administrator:
  npm run admin:create -- --email ADDRESS`;

const PAGE_TITLES = { console: 'Console', wallet: 'Wallet' };

if (cluster.isWorker) runGatewayProcess(process.env);
else if (process.argv.length > 2) explainUsage(process.argv.slice(2));
else stopOnSignal(startService());

/** The service has no options. */
function explainUsage(args: readonly string[]): void {
  const usage =
    'usage: npm start\nStarts the service. Environment variables configure it: docs/configuration.md and .env.example list them.';
  if (args.includes('--help') || args.includes('-h')) {
    print(usage);
    return;
  }
  process.stderr.write(`The service was not started: there is no option ${args[0]}\n${usage}\n`);
  process.exitCode = 1;
}

async function startService(): Promise<Announced | null> {
  try {
    const config = loadConfig(process.env);
    const service = await (config.gateways > 1 ? supervise(config) : start(config));
    announce(service);
    return service;
  } catch (error) {
    print(explain(error));
    process.exitCode = 1;
    return null;
  }
}

function announce({ address, servesDocs, webPages, gateways, database, firstAdmin }: Announced): void {
  const lines = [
    'Kissi is ready.',
    `  API            ${address}/api/v1`,
    ...webPages.map((name) => `  ${PAGE_TITLES[name].padEnd(13)}  ${address}/${name}`),
    ...(servesDocs ? [`  Documentation  ${address}/docs`] : []),
    `  Health         ${address}/health`,
    `  Database       ${database}`,
    ...(gateways > 1 ? [`  Gateways       ${gateways}`] : []),
  ];
  if (firstAdmin?.generated) {
    lines.push('', 'The first administrator (shown only once):');
    lines.push(`  email     ${firstAdmin.email}`, `  password  ${firstAdmin.password}`);
  }
  if (!firstAdmin) lines.push('', LOST_LOGIN);
  print(lines.join('\n'));
}

/** Also handles signals during startup: the start is completed, then the service is stopped. */
function stopOnSignal(starting: Promise<Announced | null>): void {
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

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
