// npm run demo: the service with a small living country in a data folder of its own (DATA_DIR, default ./data-demo).
// Options: --fresh starts over, --seed, --subscribers, --days, --rate (live payments per second).
import { parseArgs } from 'node:util';
import { ConfigFaults } from '../src/kernel/config/config.ts';
import { type DemoOptions, type RunningDemo, runDemo } from './demo/run.ts';
import { Progress, printAccess, printCountry, printHeader, printTally, say, showLive } from './demo/runtime/print.ts';
import { DemoError } from './demo/runtime/state.ts';

const STOP_TIMEOUT_MS = 20_000;
const SAME_SIGNAL_MS = 2_000;

function readOptions(args: string[], env: NodeJS.ProcessEnv, signal: AbortSignal): DemoOptions {
  const { values } = parseArgs({
    args,
    options: {
      fresh: { type: 'boolean', default: false },
      seed: { type: 'string', default: env.DEMO_SEED || 'salone' },
      subscribers: { type: 'string', default: '2400' },
      days: { type: 'string', default: '60' },
      rate: { type: 'string', default: '3' },
    },
  });
  return {
    seed: values.seed,
    subscribers: wholeNumber('--subscribers', values.subscribers, 100, 20_000),
    days: wholeNumber('--days', values.days, 3, 365),
    rate: wholeNumber('--rate', values.rate, 0, 100),
    fresh: values.fresh,
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
    const options = readOptions(process.argv.slice(2), process.env, stopping.signal);
    const progress = new Progress();
    printHeader(`Kissi demo (seed ${options.seed})`);
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
