// npm run test:faults: minutes of faults under load, then the final checks. Options: --minutes 4, --seed 1234, --clients 16, --quiet,
// --citus (on a Citus cluster).
import { inspect, parseArgs } from 'node:util';
import { runGuarded } from '@kissi/testkit/guard';
import { type FaultRunResult, type RunOptions, runFaults } from './fault-run.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '4' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '16' },
    quiet: { type: 'boolean', default: false },
    citus: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const clients = Number(values.clients);
if (![minutes, seed, clients].every((number) => Number.isFinite(number) && number > 0)) {
  log('--minutes, --seed and --clients must be numbers above zero.');
  process.exit(2);
}

log(
  `Seed ${seed}: npm run test:faults -- --minutes ${minutes} --clients ${clients} --seed ${seed}${values.citus ? ' --citus' : ''} repeats the schedule.`,
);
const common = { seed, clients, pauseMs: 0, log: (line: string) => void (values.quiet || log(line)) };
const passed = await runGuarded(values.citus ? runOnCluster : runOnDisks);
process.exitCode = passed ? 0 : 1;

function runOnCluster(): Promise<boolean> {
  return run('On a Citus cluster', { ...common, seconds: minutes * 60, smallDiskMb: null, isCluster: true });
}

async function runOnDisks(): Promise<boolean> {
  const durable = await run('On a durable disk', { ...common, seconds: minutes * 40, smallDiskMb: null });
  const small = { ...common, seed: seed + 1, seconds: minutes * 20, smallDiskMb: 1_024 };
  return (await run('On a small disk', small)) && durable;
}

function log(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function run(title: string, options: RunOptions): Promise<boolean> {
  log(`\n${title}, ${Math.round(options.seconds)} seconds:`);
  try {
    const result = await runFaults(options);
    report(result);
    return result.findings.length === 0;
  } catch (error) {
    log(`The run failed (seed ${seed}): ${inspect(error)}`);
    return false;
  }
}

function report({ faults, routes, load, findings, logs, ...counts }: FaultRunResult): void {
  if (counts.isDiskSkipped) log('There is no small disk here: "disk full" was skipped.');
  const kinds = [...faults].sort().map(([name, count]) => `  ${name.padEnd(30)}${String(count).padStart(8)}`);
  const routeLines = [...routes].sort().map(([name, count]) => `  ${name.padEnd(30)}${String(count).padStart(8)}`);
  const total = [...faults.values()].reduce((sum, count) => sum + count, 0);
  log([`Faults injected: ${total}`, ...kinds].join('\n'));
  log([`Movements acknowledged: ${counts.acknowledged}`, ...routeLines].join('\n'));
  log(
    `Refused: ${counts.refused}. Attempts: ${counts.attempts}; without an answer: ${load.unanswered}; answered 5xx: ${load.failed}.`,
  );
  log(
    `Sent concurrently: ${load.duplicates}; resent and replayed: ${load.replays}; webhooks received: ${counts.events}.`,
  );
  log(`Slowest answer: ${(load.slowestMs / 1_000).toFixed(1)} s.`);
  if (findings.length === 0) log('Every acknowledged movement exists exactly once, and the ledger verifies.');
  else log([`${findings.length} FINDINGS (seed ${seed}), logs in ${logs}:`, ...findings.slice(0, 30)].join('\n'));
}
