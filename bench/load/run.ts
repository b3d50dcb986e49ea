// npm run load: its own service and database under load, held against bars; writes docs/load.md, exits 1 when one breaks.
// Options: --minutes <n> (70 % for so long; 1), --quick (a few seconds each, to try the proof itself; writes nothing).
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { startBench } from '../setup.ts';
import type { OpenLoopMeasured, Quantiles } from './open-loop.ts';
import { type Findings, runPhases, SHARE } from './phases.ts';
import { type Bar, barsOf } from './thresholds.ts';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, quick: { type: 'boolean', default: false } },
});
const plan = options.quick
  ? { seconds: 8, overloadSeconds: 8, subscribers: 5_000 }
  : { seconds: Number(options.minutes) * 60, overloadSeconds: 120, subscribers: 20_000 };

const bench = await startBench();
try {
  const findings = await runPhases(bench, plan, (text) => void process.stderr.write(`${text}\n`));
  const bars = barsOf(findings);
  const text = report(findings, bars);
  process.stdout.write(text);
  if (!options.quick) await writeFile(new URL('../../docs/load.md', import.meta.url), text);
  process.exitCode = bars.every(({ holds }) => holds) ? 0 : 1;
} finally {
  await bench.stop();
}

function report({ maximum, steady, overload, recovery }: Findings, bars: Bar[]): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB`;
  const maxima = [...steady.rates.map((rate) => Math.round(rate / SHARE)), maximum];
  const barRows = bars.map(
    ({ name, found, bar, holds }) => `| ${name} | ${found} | ${bar} | ${holds ? 'yes' : 'NO'} |`,
  );
  return `# Under load

${new Date().toISOString().slice(0, 10)}, ${machine}, Node ${process.versions.node}; load generator, service and PostgreSQL on the same
machine, so only the ratios mean anything elsewhere. Made by \`npm run load\` (\`-- --minutes 30\` for the long form). Why the service
sends requests away, and how: [decisions/overload.md](decisions/overload.md).

Of ten payments five are P2P by card, two transfers, two POS payments with encrypted PINs and one a refund. The maximum is what 128 clients get who
wait for each answer, found anew before each piece of at most a minute: a machine that is shared does not give the same from one to the next (from ${Math.min(...maxima)} to ${Math.max(...maxima)} payments/s, ${maximum} at last).
Otherwise requests are due by a schedule, whatever the answers, and what one takes is counted from when it was due. Of several pieces the times are the middle ones, and the worst of all.

| load | seconds | due | answered 200 | sent away | p50 ms | p95 ms | p99 ms | worst ms |
|---|---|---|---|---|---|---|---|---|
${row(`70 %: ${Math.min(...steady.rates)} to ${Math.max(...steady.rates)}/s`, steady.seconds, steady.measured)}
${row(`300 %: ${overload.rate}/s`, overload.seconds, overload.measured)}

Those sent away at 300 % were answered after ${times(overload.measured.shedTook)}. The generator itself was late by ${times(steady.measured.lateness)}
at 70 % and ${times(overload.measured.lateness)} at 300 %. A client alone: p50 ${recovery.before.toFixed(1)} ms before, ${recovery.after.toFixed(1)} ms after.

| what must hold | found | bar | holds |
|---|---|---|---|
${barRows.join('\n')}
`;
}

function row(name: string, seconds: number, { due, accepted, shed, took }: OpenLoopMeasured): string {
  const figures = [took.p50, took.p95, took.p99].map((ms) => ms.toFixed(1));
  return `| ${name} | ${seconds} | ${due} | ${accepted} | ${shed} | ${figures.join(' | ')} | ${took.worst.toFixed(0)} |`;
}

function times({ p50, p99 }: Quantiles): string {
  return `${p50.toFixed(1)} ms (p99 ${p99.toFixed(1)})`;
}
