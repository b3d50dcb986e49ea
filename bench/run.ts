// npm run bench: starts its own service and database, measures against references of the same run, writes results.md.
// Options: --long (a million transfers, for memory), --quick (a few seconds each, to try the bench itself).
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { measureAll, type Results } from './scenarios.ts';
import { startBench } from './setup.ts';

const options = new Set(process.argv.slice(2));
const bench = await startBench();
try {
  const results = await measureAll(bench, { quick: options.has('--quick'), long: options.has('--long') });
  const text = report(results);
  process.stdout.write(text);
  if (!options.has('--quick')) await writeFile(new URL('./results.md', import.meta.url), text);
} finally {
  await bench.stop();
}

function report({ loads, bars }: Results): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB`;
  const loadRows = loads.map(
    ({ name, perSecond, p50, p95, p99, errors }) =>
      `| ${name} | ${perSecond} | ${fixed(p50)} | ${fixed(p95)} | ${fixed(p99)} | ${errors} |`,
  );
  const barRows = bars.map(({ name, value, bar, holds }) => `| ${name} | ${value} | ${bar} | ${verdict(holds)} |`);
  return `# Results

${new Date().toISOString().slice(0, 10)}, ${machine}, Node ${process.versions.node}; load generator, service and PostgreSQL on the same
machine. Only the ratios mean anything elsewhere. Made by \`npm run bench\`: what is compared takes turns, a few seconds each; the figures are the
middle of those turns, a ratio the middle of those in the same round. A reference stands before what was measured beside it.

| measured | per second | p50 ms | p95 ms | p99 ms | errors |
|---|---|---|---|---|---|
${loadRows.join('\n')}

| ratio | measured | bar | holds |
|---|---|---|---|
${barRows.join('\n')}
`;
}

function fixed(ms = Number.NaN): string {
  return Number.isNaN(ms) ? '' : ms.toFixed(2);
}

function verdict(holds: boolean | null): string {
  if (holds === null) return '';
  return holds ? 'yes' : 'NO';
}
