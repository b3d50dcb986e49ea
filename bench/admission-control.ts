// scripts/node bench/admission-control.ts: measures the overhead of admission control per request, admitted and rejected.
import { AdmissionControl } from '../src/http/overload/admission-control.ts';

const ITERATIONS = 2_000_000;
const ROUNDS = 5;

/** The fastest round, because other work on the machine only ever slows a round down. */
function nanoseconds(work: () => void): string {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    for (let n = 0; n < ITERATIONS; n++) work();
    best = Math.min(best, ((performance.now() - startedAt) * 1e6) / ITERATIONS);
  }
  return `${best.toFixed(0).padStart(6)} ns`;
}

const [LIMIT, QUEUED] = [128, 1_024];
const print = (line: string) => process.stdout.write(`${line}\n`);
const idle = new AdmissionControl({ limit: LIMIT });
const admitted = nanoseconds(() => {
  idle.enter();
  idle.leave(idle.now());
});
print(`admitted and released  ${admitted}`);

const full = new AdmissionControl({ limit: LIMIT });
for (let n = 0; n < LIMIT + QUEUED; n++) void full.enter();
print(`rejected, queue full   ${nanoseconds(() => void full.enter())}`);
