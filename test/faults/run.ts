// npm run test:faults: minutes of faults under load, then the proof. Options: --minutes 4, --seed 1234, --clients 16, --quiet.
import { parseArgs } from 'node:util';
import { type RunOptions, type Survived, survive } from './survive.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '4' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '16' },
    quiet: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const clients = Number(values.clients);
if (![minutes, seed, clients].every((number) => Number.isFinite(number) && number > 0)) {
  say('--minutes, --seed and --clients are numbers above zero.');
  process.exit(2);
}

say(
  `Seed ${seed}: npm run test:faults -- --minutes ${minutes} --clients ${clients} --seed ${seed} repeats the schedule.`,
);
const common = { seed, clients, pauseMs: 0, say: (line: string) => void (values.quiet || say(line)) };
const first = await world('On a disk that fsync reaches', { ...common, seconds: minutes * 40, smallDiskMb: null });
const second = await world('On a small disk', { ...common, seed: seed + 1, seconds: minutes * 20, smallDiskMb: 1_024 });
process.exitCode = first && second ? 0 : 1;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function world(title: string, options: RunOptions): Promise<boolean> {
  say(`\n${title}, ${Math.round(options.seconds)} seconds:`);
  try {
    const survived = await survive(options);
    report(survived);
    return survived.findings.length === 0;
  } catch (error) {
    say(`It did not survive (seed ${seed}): ${error instanceof Error ? error.stack : String(error)}`);
    return false;
  }
}

function report({ faults, routes, load, findings, logs, ...counts }: Survived): void {
  if (counts.isDiskSkipped) say('A small disk could not be mounted here: "disk full" was skipped.');
  const kinds = [...faults].sort().map(([name, count]) => `  ${name.padEnd(30)}${String(count).padStart(8)}`);
  const ways = [...routes].sort().map(([name, count]) => `  ${name.padEnd(30)}${String(count).padStart(8)}`);
  const total = [...faults.values()].reduce((sum, count) => sum + count, 0);
  say([`Faults survived: ${total}`, ...kinds].join('\n'));
  say([`Movements acknowledged, each there exactly once: ${counts.acknowledged}`, ...ways].join('\n'));
  say(
    `Refused: ${counts.refused}. Attempts: ${counts.attempts}; without an answer: ${load.unanswered}; answered 5xx: ${load.failed}.`,
  );
  say(
    `Sent twice at once: ${load.doubles}; asked again and answered the same: ${load.replays}; webhooks received: ${counts.events}.`,
  );
  say(`The slowest answer took ${(load.slowestMs / 1_000).toFixed(1)} s.`);
  if (findings.length === 0) say('Everything is there, once, and the books are in order.');
  else say([`FOUND ${findings.length} (seed ${seed}), logs in ${logs}:`, ...findings.slice(0, 30)].join('\n'));
}
