// scripts/node bench/simulator.ts [movements] [seed]: a long run of the ledger's model-based test.
import { simulate, type Tally } from '../test/ledger/simulator.ts';

/** Split into runs with their own seed: this bounds the model's memory and keeps the steps to reproduce a failure short. */
const RUN_LENGTH = 50_000;
const movements = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));

const total: Tally = {};
const startedAt = performance.now();
let done = 0;
for (let run = 0; done < movements; run++) {
  const size = Math.min(RUN_LENGTH, movements - done);
  const tally = await simulate({ seed: seed + run, movements: size });
  for (const [outcome, count] of Object.entries(tally)) total[outcome] = (total[outcome] ?? 0) + count;
  done += size;
}
const seconds = (performance.now() - startedAt) / 1_000;

process.stdout.write(`${done.toLocaleString('en')} movements from seed ${seed}, all consistent with the model:\n`);
for (const [outcome, count] of Object.entries(total).sort(([, a], [, b]) => b - a)) {
  process.stdout.write(`  ${outcome.padEnd(26)}${count.toLocaleString('en').padStart(12)}\n`);
}
process.stdout.write(`${seconds.toFixed(1)} s, ${Math.round(done / seconds).toLocaleString('en')} movements/s\n`);
