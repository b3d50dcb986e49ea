// Velocity rules compared with a count over the full history: mixed types, the largest sums, clocks that go back, changing
// rules, and more payments than an activity window stores individually.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountKind } from '../../src/ledger/account-kinds.ts';
import type { MovementType } from '../../src/ledger/movement-types.ts';
import { decide } from '../../src/ledger/posting/decide.ts';
import type { Account, Movement, Outcome } from '../../src/ledger/types.ts';
import type { ActivityWindow } from '../../src/ledger/velocity/activity-window.ts';
import { knownActivity, RECENT } from '../../src/ledger/velocity/batch-activity.ts';
import type { Kind, VelocityRule } from '../../src/ledger/velocity/rules.ts';
import { TEST_ACTOR } from '../support/ledger.ts';

const TYPES: readonly MovementType[] = ['transfer_p2p', 'wallet_withdraw', 'pos_payment'];
const WINDOWS_MS = [1_000, 7_000, 60_000, 600_000];

interface PostedPayment {
  type: MovementType;
  amount: number;
  at: number;
  seq: number;
}

/** A seeded generator of integers below a bound. */
function randomBelow(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const account = (id: string, kind: AccountKind): Account => ({
  ...{ id, kind, balance: 0, held: 0, floor: null, ceiling: null, dailyLimit: null, dailyUsed: 0, dailyOn: 0 },
  ...{
    frozen: false,
    disabledTypes: [],
    blockedCards: [],
    lastSeq: 0,
    recent: '',
    received: '',
    reducedUntil: null,
    reducedFloor: null,
  },
});

function ruleOf(pick: (below: number) => number, id: number, huge: boolean): VelocityRule {
  const kind: Kind = pick(2) === 0 ? 'velocity_count' : 'velocity_amount';
  const maxThreshold = huge ? Number.MAX_SAFE_INTEGER : 60_000;
  const threshold =
    kind === 'velocity_count' ? 1 + pick(80) : 1 + Math.floor((pick(1_000) / 1_000) * (maxThreshold - 1));
  const types = TYPES.filter(() => pick(2) === 0);
  const windowMs = WINDOWS_MS[pick(WINDOWS_MS.length)] as number;
  const named = { id: `rule_${id}`, version: 1, name: 'r', severity: 'LOW' as const, outcome: 'block' as const };
  return { ...named, kind, side: 'payer', types: types.length > 0 ? types : TYPES, threshold, windowMs };
}

function isExceeded(rule: VelocityRule, posted: PostedPayment[], amount: number, now: number): boolean {
  const within = posted.filter(({ type, at }) => rule.types.includes(type) && at > now - rule.windowMs);
  if (rule.kind === 'velocity_count') return within.length + 1 > rule.threshold;
  return within.reduce((sum, each) => sum + BigInt(each.amount), BigInt(amount)) > BigInt(rule.threshold);
}

/** A wallet and its full payment history. */
class Simulation {
  readonly posted: PostedPayment[] = [];
  private readonly pick: (below: number) => number;
  private readonly huge: boolean;
  private accounts = [account('sub_a', 'wallet'), account('sys_x', 'treasury')];
  private rules: VelocityRule[];
  private now = 1_800_000_000_000;

  constructor(seed: number) {
    this.pick = randomBelow(seed);
    this.huge = seed % 3 === 0;
    this.rules = [ruleOf(this.pick, 0, this.huge)];
  }

  step(n: number): void {
    const { pick } = this;
    this.now += pick(10) === 0 ? -pick(90_000) : pick(pick(4) === 0 ? 40_000 : 900);
    if (pick(25) === 0) this.rules = Array.from({ length: pick(4) }, (_, id) => ruleOf(pick, id, this.huge));
    const batch = Array.from({ length: 1 + pick(pick(5) === 0 ? 40 : 2) }, (_, index) =>
      this.movement(`${n}_${index}`),
    );
    const accounts = new Map(this.accounts.map((each) => [each.id, { ...each, balance: 0 }]));
    const { now, posted } = this;
    const { windows, undecided, after } = knownActivity(RECENT, accounts, batch, now);
    if (undecided.length > 0) windows.set('sub_a', windowFromHistory(posted, after));
    const { outcomes, changed } = decide(
      { accounts, allowances: new Map(), known: new Map(), activity: windows, now },
      batch,
    );
    for (const [index, outcome] of outcomes.entries()) this.compare(batch[index] as Movement, outcome);
    this.accounts = this.accounts.map((each) => changed.find(({ id }) => id === each.id) ?? each);
  }

  private movement(id: string): Movement {
    const { pick, rules } = this;
    const type = TYPES[pick(3)] as MovementType;
    const amount = this.huge && pick(3) === 0 ? Number.MAX_SAFE_INTEGER - pick(5) : 1 + pick(2_000);
    const keepMs = Math.max(0, ...rules.map(({ windowMs }) => windowMs));
    return movementOf(id, type, amount, { rules: rules.filter((rule) => rule.types.includes(type)), keepMs });
  }

  private compare({ id, type, amount, velocityCheck }: Movement, outcome: Outcome): void {
    if (outcome.outcome === 'refused' && outcome.reason !== 'compliance') return;
    const expected = velocityCheck?.rules
      .filter((rule) => isExceeded(rule, this.posted, amount, this.now))
      .map((rule) => rule.id);
    const triggered = 'triggered' in outcome ? outcome.triggered : [];
    assert.deepEqual(triggered?.map(({ rule }) => rule.id) ?? [], expected, `payment ${id}`);
    if (outcome.outcome !== 'posted') return;
    this.posted.push({ type, amount, at: this.now, seq: outcome.postings[0]?.seq ?? 0 });
  }
}

for (let seed = 1; seed <= 60; seed++) {
  test(`seed ${seed}: each payment triggers exactly the rules that the full history exceeds`, () => {
    const simulation = new Simulation(seed);
    for (let n = 0; n < 250; n++) simulation.step(n);
    assert.ok(simulation.posted.length > 30, `${simulation.posted.length} were posted`);
  });
}

function movementOf(
  id: string,
  type: MovementType,
  amount: number,
  check: NonNullable<Movement['velocityCheck']>,
): Movement {
  const legs = [
    { accountId: 'sub_a', amount: -amount },
    { accountId: 'sys_x', amount },
  ];
  const empty = { request: null, reference: null, narration: null, metadata: null, relatedId: null, details: {} };
  return {
    id,
    type,
    fromAccount: 'sub_a',
    toAccount: 'sys_x',
    amount,
    fee: 0,
    legs,
    ...empty,
    actor: TEST_ACTOR,
    velocityCheck: check,
  };
}

function windowFromHistory(posted: PostedPayment[], after: number): ActivityWindow {
  const runs = posted.filter(({ seq }) => seq > after * 1_000);
  return {
    since: after,
    runs: runs.map(({ type, at, amount }) => ({ type, first: at, last: at, count: 1, sum: amount })),
  };
}
