// The long form of the ledger's random walk: a million movements over many seeds; node bench/simulator.ts [movements] [seed].
import { simulate, type Tally } from '../test/ledger/simulator.ts';

/** A walk of its own seed each: what is remembered stays small, and a failing prefix short. */
const WALK = 50_000;
const movements = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));

const total: Tally = {};
const begin = performance.now();
let done = 0;
for (let walk = 0; done < movements; walk++) {
  const size = Math.min(WALK, movements - done);
  const tally = await simulate({ seed: seed + walk, movements: size });
  for (const [what, count] of Object.entries(tally)) total[what] = (total[what] ?? 0) + count;
  done += size;
}
const seconds = (performance.now() - begin) / 1_000;

process.stdout.write(`${done.toLocaleString('en')} movements from seed ${seed}, all as the model says:\n`);
for (const [what, count] of Object.entries(total).sort(([, a], [, b]) => b - a)) {
  process.stdout.write(`  ${what.padEnd(26)}${count.toLocaleString('en').padStart(12)}\n`);
}
process.stdout.write(`${seconds.toFixed(1)} s, ${Math.round(done / seconds).toLocaleString('en')} movements/s\n`);
