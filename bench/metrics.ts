// scripts/node bench/metrics.ts: the overhead of a request in nanoseconds: our own counters and histograms next to prom-client's,
// and admission control.
import { Counter, Histogram, Registry } from 'prom-client';
import { createMetrics } from '../src/app/metrics.ts';
import { countOutcome } from '../src/auth/pins/metrics.ts';
import { prometheusText, readSnapshot } from '../src/features/metrics/prometheus.ts';
import type { RouteGroup } from '../src/http/endpoint.ts';
import { requestCounter } from '../src/http/log.ts';
import { AdmissionControl } from '../src/http/overload/admission-control.ts';
import { Histogram as OwnHistogram } from '../src/kernel/metrics.ts';
import { print } from './runner.ts';

const ITERATIONS = 2_000_000;
const ROUNDS = 5;
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Typical payment durations, so that finding the bucket takes as long as in production. */
const durationsMs = Float64Array.from({ length: 1_024 }, (_, n) => 2 + ((n * 7_919) % 40));
const durationAt = (n: number) => durationsMs[n & 1_023] as number;

/** The fastest round, because other work on the machine only ever slows a round down. */
function nanoseconds(work: (n: number) => void): string {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    for (let n = 0; n < ITERATIONS; n++) work(n);
    best = Math.min(best, ((performance.now() - startedAt) * 1e6) / ITERATIONS);
  }
  return `${best.toFixed(0).padStart(6)} ns`;
}

const registers = [new Registry()];
const counter = new Counter({ name: 'c', help: 'c', labelNames: ['route', 'method', 'status'], registers });
const histogram = new Histogram({
  ...{ name: 'h', help: 'h', labelNames: ['route', 'method'], buckets: SECONDS, registers },
});
const labels = { route: '/api/v1/wallet/transfer-p2p', method: 'POST' };
const [counterChild, histogramChild] = [counter.labels({ ...labels, status: '2xx' }), histogram.labels(labels)];
print(`prom-client, labels per call    inc      ${nanoseconds(() => counter.inc({ ...labels, status: '2xx' }))}`);
print(
  `prom-client, labels per call    observe  ${nanoseconds((n) => histogram.observe(labels, durationAt(n) / 1_000))}`,
);
print(`prom-client, cached child       inc      ${nanoseconds(() => counterChild.inc())}`);
print(`prom-client, cached child       observe  ${nanoseconds((n) => histogramChild.observe(durationAt(n) / 1_000))}`);

const ourHistogram = new OwnHistogram(SECONDS);
print(`our histogram                   observe  ${nanoseconds((n) => ourHistogram.observe(durationAt(n) / 1_000))}`);

const paths = Array.from({ length: 90 }, (_, n) => ({ method: 'POST', path: `/route-${n}/:id` }));
const routeGroups = [{ prefix: '/api/v1', endpoints: paths }] as unknown as RouteGroup[];
const metrics = createMetrics();
const count = requestCounter(metrics.all, routeGroups);
const [url, correctPin] = ['/api/v1/route-77/:id', { outcome: 'right', version: 1 } as const];
const onePayment = (n: number) => {
  count(url, 'POST', 200, durationAt(n));
  countOutcome(metrics.pins, correctPin);
  metrics.ledger.movements.posted.value += 1;
};
print(`one payment: request, PIN, movement      ${nanoseconds(onePayment)}`);

const oneBatch = (n: number) => {
  metrics.ledger.size.observe(n & 255);
  for (const phase of [metrics.ledger.phases.lock, metrics.ledger.phases.decide, metrics.ledger.phases.write]) {
    const startedAt = performance.now();
    phase.observe((performance.now() - startedAt) / 1_000 + durationAt(n) / 1_000);
  }
};
print(`one batch of up to 256 payments          ${nanoseconds(oneBatch)}`);

for (const { path } of paths) count(`/api/v1${path}`, 'POST', 200, 5);
const scrape = async () => prometheusText(await readSnapshot(metrics.all.families(), metrics.ledger.failed));
await scrape();
const startedAt = performance.now();
const text = await scrape();
const [ms, lines] = [(performance.now() - startedAt).toFixed(1), text.split('\n').length];
print(`one scrape with 90 routes in use: ${ms} ms, ${lines} lines, ${Math.round(text.length / 1_024)} KiB`);

const [LIMIT, QUEUED] = [128, 1_024];
const idle = new AdmissionControl({ limit: LIMIT });
const admitted = nanoseconds(() => {
  idle.enter();
  idle.leave(idle.now());
});
print(`admission control, admitted and released ${admitted}`);
const full = new AdmissionControl({ limit: LIMIT });
for (let n = 0; n < LIMIT + QUEUED; n++) void full.enter();
print(`admission control, rejected, queue full  ${nanoseconds(() => void full.enter())}`);
