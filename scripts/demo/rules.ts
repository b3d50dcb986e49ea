// The compliance rules of the operator: created with it, and tightened by the officer in the course of the history.
import { HOUR_MS } from '../../src/kernel/clock.ts';
import type { Demo } from './country.ts';
import type { HistoryDay } from './incidents.ts';
import { SLE } from './money.ts';
import type { Planned } from './payments.ts';
import { type Json, must } from './runtime/client.ts';

const RULES = [
  {
    name: 'Transfers above 80,000 SLE need a branch visit',
    kind: 'amount',
    transaction_types: ['transfer_p2p'],
    threshold: 80_000 * SLE,
    outcome: 'block',
  },
  {
    name: 'Many cash withdrawals within a day',
    kind: 'velocity_count',
    transaction_types: ['wallet_withdraw'],
    threshold: 6,
    window_seconds: 86_400,
    outcome: 'flag',
    severity: 'MEDIUM',
  },
  {
    name: 'Card payments above 12,000 SLE',
    kind: 'amount',
    transaction_types: ['pos_payment'],
    threshold: 12_000 * SLE,
    outcome: 'flag',
    severity: 'LOW',
  },
];

/** After which part of the history, which rule, and its new values. */
const CHANGES: readonly [part: number, name: string, values: object][] = [
  [1 / 3, 'Many cash withdrawals within a day', { threshold: 5 }],
  [2 / 3, 'Card payments above 12,000 SLE', { name: 'Card payments above 10,000 SLE', threshold: 10_000 * SLE }],
];

const officer = (demo: Demo) => demo.session('compliance@kissi.example');

export async function createRules(demo: Demo): Promise<void> {
  for (const rule of RULES) await must(officer(demo).call('POST', '/compliance/rules', rule), `rule ${rule.name}`);
}

export function ruleChangesOf(demo: Demo, { start, day, days }: HistoryDay): Planned[] {
  const today = CHANGES.filter(([part]) => day === Math.floor(days * part));
  return today.map(([, name, values]) => ({ at: start + 9.5 * HOUR_MS, run: () => changeRule(demo, name, values) }));
}

async function changeRule(demo: Demo, name: string, values: object): Promise<void> {
  const { rules } = await must(officer(demo).call('GET', '/compliance/rules?limit=100'), 'rules');
  const { id } = rules.find((rule: Json) => rule.name === name);
  await must(officer(demo).call('PUT', `/compliance/rules/${id}`, values), `change of the rule ${name}`);
}
