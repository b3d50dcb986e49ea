// npm run drill:NAME: loses something under payments in a temporary directory, recovers it, and prints the measured RPO and RTO.
// Exits 0 only if everything was proved.
import { readArguments } from '../arguments.ts';
import { type Drill, resultTable, unproved } from './drill.ts';
import { print, runDrill } from './sandbox.ts';

const DRILLS: Record<string, () => Promise<{ drill: Drill }>> = {
  gateway: () => import('./scenarios/gateway.ts'),
  primary: () => import('./scenarios/primary.ts'),
  patroni: () => import('./scenarios/patroni.ts'),
  site: () => import('./scenarios/site.ts'),
  delete: () => import('./scenarios/delete.ts'),
  keys: () => import('./scenarios/keys.ts'),
  backup: () => import('./scenarios/backup.ts'),
  citus: () => import('./scenarios/citus.ts'),
};

const [name = '', ...given] = process.argv.slice(2);
const load = DRILLS[name];
if (!load) throw new Error(`There is no drill ${name}: ${Object.keys(DRILLS).join(', ')}`);
const { drill } = await load();
const { values } = readArguments(
  {
    usage: `npm run drill:${name} [-- --seconds 5 --payers 6]
${drill.about}
--seconds: how long payments run before the failure. --payers: clients that pay at the same time.
Exits 0 only if everything was proved.`,
    failure: 'The drill was not started',
    failureCode: 1,
    values: { seconds: 'a number', payers: 'a number' },
  },
  given,
);
const options = { seconds: Number(values.seconds ?? 5), payers: Number(values.payers ?? 6) };
await runDrill(name, async (sandbox) => {
  const results = await drill.run(sandbox, options);
  print(resultTable(results));
  const problems = unproved(results);
  if (problems.length > 0) throw new Error(`not proved: ${problems.join('; ')}`);
});
