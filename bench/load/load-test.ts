// The npm run load scenario: loads the service to 70 % and 300 % of its capacity, and compares the results with thresholds.
// Exits with 1 if a threshold is violated.
import { log, origin, type Scenario, table } from '../runner.ts';
import type { Bench } from '../setup.ts';
import type { OpenLoopResult, Quantiles } from './open-loop.ts';
import { type LoadResults, runPhases, STEADY_SHARE } from './phases.ts';
import { checkThresholds, type ThresholdResult } from './thresholds.ts';

export const scenario: Scenario<'minutes', 'quick'> = {
  usage: `npm run load [-- --minutes N | --quick]
Loads the service to 70 % of its capacity for N minutes (default 1), then to 300 %, and writes docs/load.md.
--quick takes a few seconds for each and writes nothing.`,
  values: { minutes: 'a number' },
  flags: ['quick'],
  report: 'docs/load.md',
  async measure([bench], { values, flags }) {
    const plan = flags.has('quick')
      ? { seconds: 8, overloadSeconds: 8, subscribers: 5_000 }
      : { seconds: Number(values.minutes ?? 1) * 60, overloadSeconds: 120, subscribers: 20_000 };
    const results = await runPhases(bench, plan, log);
    const thresholds = checkThresholds(results);
    if (!thresholds.every(({ passed }) => passed)) process.exitCode = 1;
    return report(bench, results, thresholds);
  },
};

function report(
  bench: Bench,
  { maximum, steady, overload, recovery }: LoadResults,
  thresholds: ThresholdResult[],
): string {
  const maxima = [...steady.rates.map((rate) => Math.round(rate / STEADY_SHARE)), maximum];
  const checks = thresholds.map(({ name, measured, threshold, passed }) => {
    return [name, measured, threshold, passed ? 'yes' : 'NO'];
  });
  return `# Load test

${origin('npm run load', bench)} (\`-- --minutes 30\` for the long version).

The load generator, the service and PostgreSQL share one machine, so only the ratios are meaningful on other machines. How the service rejects
requests under overload, and why: [decisions/overload.md](decisions/overload.md).

Of every ten payments, five are P2P by card, two are transfers, two are POS payments with encrypted PINs and one is a refund. The maximum is the throughput of
128 clients that each wait for their reply. It is measured again before each segment of at most a minute, because the speed of a shared machine varies:
here from ${Math.min(...maxima)} to ${Math.max(...maxima)} payments/s, ${maximum} in the last measurement. All other requests are sent on a fixed schedule, regardless of the replies, and latency
is measured from the scheduled time. Latencies are the medians of the segments; max is the maximum over all of them.

| load | seconds | scheduled | accepted (200) | rejected | p50 ms | p95 ms | p99 ms | max ms |
|---|---|---|---|---|---|---|---|---|
${row(`70 %: ${Math.min(...steady.rates)} to ${Math.max(...steady.rates)}/s`, steady.seconds, steady.result)}
${row(`300 %: ${overload.rate}/s`, overload.seconds, overload.result)}

At 300 %, rejections were sent after ${times(overload.result.rejectionLatency)}. The generator's own delay was ${times(steady.result.schedulingDelay)} at 70 %
and ${times(overload.result.schedulingDelay)} at 300 %. A single client's p50: ${recovery.beforeMs.toFixed(1)} ms before, ${recovery.afterMs.toFixed(1)} ms after.

${table(['check', 'measured', 'threshold', 'passed'], checks)}`;
}

function row(name: string, seconds: number, { scheduled, accepted, rejected, latency }: OpenLoopResult): string {
  const quantiles = [latency.p50, latency.p95, latency.p99].map((ms) => ms.toFixed(1));
  const counts = `${scheduled} | ${accepted} | ${rejected}`;
  return `| ${name} | ${seconds} | ${counts} | ${quantiles.join(' | ')} | ${latency.max.toFixed(0)} |`;
}

function times({ p50, p99 }: Quantiles): string {
  return `${p50.toFixed(1)} ms (p99 ${p99.toFixed(1)})`;
}
