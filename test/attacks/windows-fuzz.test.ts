// Rules with windows against a plain count over all that was ever posted: any mixture of types, sums up to the largest there
// are, clocks that go back and forth, rules that come and go, and more payments than an account keeps one by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/ledger/decide.ts';
import type { Recent } from '../../src/ledger/recent.ts';
import { knownRecents } from '../../src/ledger/recent-book.ts';
import type { Account, Movement } from '../../src/ledger/types.ts';
import type { Kind, WatchRule } from '../../src/ledger/watch.ts';

const TYPES = ['transfer_p2p', 'wallet_withdraw', 'pos_payment'];
const WINDOWS_MS = [1_000, 7_000, 60_000, 600_000];

interface Done {
  type: string;
  amount: number;
  at: number;
  seq: number;
}

/** The same numbers for the same seed. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const account = (id: string): Account => ({
  ...{ id, balance: 0, floor: null, ceiling: null, dailyLimit: null, dailyUsed: 0, dailyOn: 0 },
  ...{ frozen: false, disabledTypes: [], barred: [], lastSeq: 0, recent: '' },
});

function ruleOf(pick: (below: number) => number, id: number, huge: boolean): WatchRule {
  const kind: Kind = pick(2) === 0 ? 'velocity_count' : 'velocity_amount';
  const most = huge ? Number.MAX_SAFE_INTEGER : 60_000;
  const threshold = kind === 'velocity_count' ? 1 + pick(80) : 1 + Math.floor((pick(1_000) / 1_000) * (most - 1));
  const types = TYPES.filter(() => pick(2) === 0);
  const windowMs = WINDOWS_MS[pick(WINDOWS_MS.length)] as number;
  const named = { id: `rule_${id}`, version: 1, name: 'r', severity: 'LOW' as const, outcome: 'block' as const };
  return { ...named, kind, types: types.length > 0 ? types : TYPES, threshold, windowMs };
}

function isOver(rule: WatchRule, done: Done[], amount: number, now: number): boolean {
  const within = done.filter(({ type, at }) => rule.types.includes(type) && at > now - rule.windowMs);
  if (rule.kind === 'velocity_count') return within.length + 1 > rule.threshold;
  return within.reduce((sum, each) => sum + BigInt(each.amount), BigInt(amount)) > BigInt(rule.threshold);
}

for (let seed = 1; seed <= 60; seed++) {
  test(`seed ${seed}: each payment is stopped by the rules that a plain count stops it by`, () => {
    const pick = chance(seed);
    const huge = seed % 3 === 0;
    let wallet = account('sub_a');
    const house = { ...account('sys_x') };
    const done: Done[] = [];
    let rules = [ruleOf(pick, 0, huge)];
    let now = 1_800_000_000_000;
    for (let n = 0; n < 250; n++) {
      now += pick(10) === 0 ? -pick(90_000) : pick(4) === 0 ? pick(40_000) : pick(900);
      if (pick(25) === 0) rules = Array.from({ length: pick(4) }, (_, id) => ruleOf(pick, id, huge));
      const keepMs = Math.max(0, ...rules.map(({ windowMs }) => windowMs));
      const batch = Array.from({ length: 1 + pick(pick(5) === 0 ? 40 : 2) }, (_, index) => {
        const type = TYPES[pick(3)] as string;
        const amount = huge && pick(3) === 0 ? Number.MAX_SAFE_INTEGER - pick(5) : 1 + pick(2_000);
        const watched = { rules: rules.filter((rule) => rule.types.includes(type)), keepMs };
        return movementOf(`txn_${n}_${index}`, type, amount, watched);
      });
      const accounts = new Map([wallet, house].map((each) => [each.id, { ...each, balance: 0 }]));
      const { recents, unsure, after } = knownRecents(accounts, batch, now);
      if (unsure.length > 0) recents.set('sub_a', asInTheBooks(done, after));
      const { outcomes, changed } = decide({ accounts, allowances: new Map(), known: new Map(), recents, now }, batch);
      for (const [index, outcome] of outcomes.entries()) {
        const { type, amount, watched } = batch[index] as Movement;
        const stops = (watched?.rules ?? []).filter((rule) => isOver(rule, done, amount, now)).map(({ id }) => id);
        const found = 'triggered' in outcome ? outcome.triggered?.map(({ rule }) => rule.id) : [];
        if (outcome.outcome === 'refused' && outcome.reason !== 'compliance') continue;
        assert.deepEqual(found ?? [], stops, `batch ${n}, payment ${index}`);
        if (outcome.outcome === 'posted') done.push({ type, amount, at: now, seq: outcome.postings[0]?.seq ?? 0 });
      }
      wallet = changed.find(({ id }) => id === 'sub_a') ?? wallet;
      house.lastSeq = changed.find(({ id }) => id === 'sys_x')?.lastSeq ?? house.lastSeq;
    }
    assert.ok(done.length > 30, `${done.length} were posted`);
  });
}

function movementOf(id: string, type: string, amount: number, watched: NonNullable<Movement['watched']>): Movement {
  const legs = [
    { accountId: 'sub_a', amount: -amount },
    { accountId: 'sys_x', amount },
  ];
  const nothing = { request: null, reference: null, narration: null, metadata: null, relatedId: null, details: {} };
  return { id, type, fromAccount: 'sub_a', toAccount: 'sys_x', amount, fee: 0, legs, ...nothing, watched };
}

function asInTheBooks(done: Done[], after: number): Recent {
  const runs = done.filter(({ seq }) => seq > after * 1_000);
  return {
    since: after,
    runs: runs.map(({ type, at, amount }) => ({ type, first: at, last: at, count: 1, sum: amount })),
  };
}
