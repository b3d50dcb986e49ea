// npm run bench and its variants: scripts/node bench/run.ts [SCENARIO] [options].
import { type AnyScenario, runScenario } from './runner.ts';

const SCENARIOS: Record<string, () => Promise<{ scenario: unknown }>> = {
  payments: () => import('./payments.ts'),
  compare: () => import('./compare.ts'),
  release: () => import('./release.ts'),
  profile: () => import('./profile.ts'),
  gateways: () => import('./gateways.ts'),
  lookup: () => import('./lookup.ts'),
  years: () => import('./years.ts'),
  webhooks: () => import('./webhooks.ts'),
  asking: () => import('./asking.ts'),
  telling: () => import('./telling.ts'),
  bulk: () => import('./bulk.ts'),
  ussd: () => import('./ussd.ts'),
  console: () => import('./console.ts'),
  load: () => import('./load/load-test.ts'),
};

const [first = '', ...rest] = process.argv.slice(2);
const named = SCENARIOS[first];
const { scenario } = await (named ?? (() => import('./payments.ts')))();
await runScenario(scenario as AnyScenario, named ? rest : process.argv.slice(2));
