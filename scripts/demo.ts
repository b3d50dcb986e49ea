// npm run demo: the service with a small living country in a data folder of its own (DATA_DIR, default ./data-demo).
// Options: --fresh starts over, --seed, --subscribers, --days, --rate (live payments per second).
import { ConfigFaults } from '../src/kernel/config/config.ts';
import { readArguments } from './arguments.ts';
import { type DemoOptions, type RunningDemo, runDemo } from './demo/run.ts';
import { Progress, printAccess, printCountry, printHeader, printTally, say, showLive } from './demo/runtime/print.ts';
import { DemoError } from './demo/runtime/state.ts';

const COMMAND = {
  usage: `npm run demo [-- --fresh] [--seed WORD] [--subscribers 2400] [--days 60] [--rate 3]
Runs the service with a small country and live payments, in a data folder of its own (DATA_DIR, default ./data-demo).
--fresh deletes the folder first, --days is the length of the history, --rate are live payments per second of an average hour.`,
  failure: 'The demo was not started',
  failureCode: 1,
  values: { seed: 'a word', subscribers: 'a number', days: 'a number', rate: 'a number' },
  flags: ['fresh'],
} as const;
const STOP_TIMEOUT_MS = 20_000;
const SAME_SIGNAL_MS = 2_000;

function readOptions(env: NodeJS.ProcessEnv, signal: AbortSignal): DemoOptions {
  const { values, flags } = readArguments(COMMAND);
  const { seed = env.DEMO_SEED || 'salone', subscribers = '2400', days = '60', rate = '3' } = values;
  return {
    seed,
    subscribers: wholeNumber('--subscribers', subscribers, 100, 20_000),
    days: wholeNumber('--days', days, 3, 365),
    rate: wholeNumber('--rate', rate, 0, 100),
    fresh: flags.has('fresh'),
    ...(env.DEMO_PASSWORD ? { password: env.DEMO_PASSWORD } : {}),
    env,
    signal,
  };
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new DemoError(`${name} must be a whole number from ${min} to ${max}.`);
}

function announce(demo: RunningDemo, seconds: number): void {
  printCountry(demo.country);
  if (demo.isNew) printTally(demo.history);
  printAccess(demo);
  printHeader(
    `Ready after ${Math.round(seconds)} s. Live traffic is running; Ctrl-C stops it, the next start continues.`,
  );
}

function stopOnSignal(starting: Promise<RunningDemo | null>, beforeStop: () => void): void {
  let stoppingSince = 0;
  const stop = async () => {
    // One Ctrl-C arrives twice: from the terminal, and forwarded by npm.
    if (stoppingSince > 0 && performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
    if (stoppingSince > 0) return;
    stoppingSince = performance.now();
    beforeStop();
    stopping.abort();
    say('Stopping …');
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await (await starting)?.stop();
    process.exit();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
}

async function startDemo(): Promise<RunningDemo | null> {
  try {
    const options = readOptions(process.env, stopping.signal);
    const progress = new Progress();
    printHeader(`Kissi demo (seed ${options.seed})`);
    if (process.env.DATABASE_URL)
      say('DATABASE_URL is not used: the demo has its own PostgreSQL server in its data folder.');
    const demo = await runDemo(options, progress);
    announce(demo, progress.seconds);
    return demo;
  } catch (error) {
    if (stopping.signal.aborted) return null;
    const isExpected = error instanceof DemoError || error instanceof ConfigFaults;
    process.stderr.write(`\n${isExpected ? error.message : error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 1;
    return null;
  }
}

const stopping = new AbortController();
const starting = startDemo();
let status: { stop(): void } | null = null;
stopOnSignal(starting, () => status?.stop());
const running = await starting;
if (running) status = showLive(running.live);
