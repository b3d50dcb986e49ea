// What the door costs a request: let in and out, in nanoseconds; and sent away at once.
import { AdmissionControl } from '../src/http/overload/admission-control.ts';

const TIMES = 2_000_000;
const ROUNDS = 5;

/** The best of some rounds: the others were disturbed. */
function nanoseconds(work: () => void): string {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    for (let n = 0; n < TIMES; n++) work();
    best = Math.min(best, ((performance.now() - begun) * 1e6) / TIMES);
  }
  return `${best.toFixed(0).padStart(6)} ns`;
}

const [FULL, CROWD] = [128, 1_024];
const say = (line: string) => process.stdout.write(`${line}\n`);
const door = new AdmissionControl({ limit: FULL });
const through = nanoseconds(() => {
  door.enter();
  door.leave(door.now());
});
say(`in and out                       ${through}`);

const full = new AdmissionControl({ limit: FULL });
for (let n = 0; n < FULL + CROWD; n++) void full.enter();
say(`sent away, nobody else may wait  ${nanoseconds(() => void full.enter())}`);
