// Velocity rules in decide: what each kind counts, the precedence of refusals, and the stored activity window.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AccountKind } from '../account-kinds.ts';
import type { BatchState } from '../batch-state.ts';
import { decide } from '../posting/decide.ts';
import type { Account, Leg, Movement, Outcome } from '../types.ts';
import {
  type ActivityWindow,
  decodeActivityWindow,
  encodeActivityWindow,
  MAX_RUNS,
  type Run,
  singleRun,
} from './activity-window.ts';
import { knownActivity, RECENT } from './batch-activity.ts';
import type { VelocityCheck, VelocityRule } from './rules.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;

function account(id: string, overrides: Partial<Account> = {}): Account {
  const bounds = { floor: 0, ceiling: null, dailyLimit: null, dailyUsed: 0, dailyOn: 0 };
  const restrictions = { frozen: false, disabledTypes: [], blockedCards: [] };
  return {
    id,
    kind: 'wallet',
    balance: 100_000,
    held: 0,
    ...bounds,
    ...restrictions,
    lastSeq: 0,
    recent: '',
    received: '',
    reducedUntil: null,
    reducedFloor: null,
    ...overrides,
  };
}

function ruleOf(overrides: Partial<VelocityRule> = {}): VelocityRule {
  const threshold = { kind: 'amount', threshold: 1_000, windowMs: 0 } as const;
  const named = { id: 'rule_1', version: 3, name: 'A rule', side: 'payer', types: ['transfer_p2p'] } as const;
  return { ...named, ...threshold, outcome: 'block', severity: 'HIGH', ...overrides };
}

const checkOf = (...rules: VelocityRule[]): VelocityCheck => ({
  rules,
  keepMs: Math.max(0, ...rules.map((r) => r.windowMs)),
});
const fiveAnHour = (overrides: Partial<VelocityRule> = {}) =>
  ruleOf({ kind: 'velocity_count', threshold: 5, windowMs: HOUR, ...overrides });

let movementCount = 0;

function pay(
  amount: number,
  check: VelocityCheck | undefined,
  overrides: Partial<Movement> = {},
  leg: Partial<Leg> = {},
): Movement {
  movementCount += 1;
  const [fromAccount, toAccount] = [overrides.fromAccount ?? 'sub_a', overrides.toAccount ?? 'sub_b'];
  const legs = [
    { accountId: fromAccount, amount: -amount, ...leg },
    { accountId: toAccount, amount },
  ];
  const empty = {
    fee: 0,
    request: null,
    reference: null,
    narration: null,
    metadata: null,
    relatedId: null,
    actor: { type: 'system', id: 'test' } as const,
    details: {},
  };
  const base = {
    id: `txn_${movementCount}`,
    type: 'transfer_p2p' as const,
    amount,
    legs,
    ...empty,
    ...(check ? { velocityCheck: check } : {}),
  };
  return { ...base, ...overrides, fromAccount, toAccount };
}

function stateOf(accounts: Account[] = [account('sub_a'), account('sub_b')], now = NOON): BatchState {
  return { accounts: new Map(accounts.map((each) => [each.id, each])), known: new Map(), allowances: new Map(), now };
}

const short = (outcome: Outcome | undefined) => (outcome?.outcome === 'refused' ? outcome.reason : outcome?.outcome);
const outcomesOf = (accounts: Account[], ...batch: Movement[]) => decide(stateOf(accounts), batch).outcomes.map(short);
const triggeredBy = (outcome: Outcome | undefined) =>
  (
    ('triggered' in (outcome ?? {}) &&
      (outcome as { triggered?: { rule: VelocityRule; found: number }[] }).triggered) ||
    []
  ).map(({ rule, found }) => [rule.id, found]);
const recentWith = (runs: Run[], since = 0) => encodeActivityWindow({ since, runs });

describe('each kind of rule', () => {
  test('amount: an amount at the threshold passes, one above it does not', () => {
    const check = checkOf(ruleOf());
    assert.deepEqual(outcomesOf([account('sub_a'), account('sub_b')], pay(1_000, check), pay(1_001, check)), [
      'posted',
      'compliance',
    ]);
  });

  test('velocity_count: as many payments as the threshold pass, including the current one', () => {
    const check = checkOf(fiveAnHour());
    const batch = Array.from({ length: 7 }, () => pay(1, check));
    const { outcomes, changed } = decide(stateOf(), batch);
    assert.deepEqual(outcomes.map(short), [...Array(5).fill('posted'), 'compliance', 'compliance']);
    assert.deepEqual(triggeredBy(outcomes[5]), [['rule_1', 6]]);
    assert.deepEqual(triggeredBy(outcomes[6]), [['rule_1', 6]], 'a blocked payment does not count');
    assert.equal(decodeActivityWindow(changed[0] as Account).runs.length, 5);
  });

  test('velocity_amount: the sum may reach the threshold but not exceed it', () => {
    const check = checkOf(ruleOf({ kind: 'velocity_amount', threshold: 1_000, windowMs: HOUR }));
    const batch = [pay(600, check), pay(401, check), pay(400, check), pay(1, check)];
    const { outcomes } = decide(stateOf(), batch);
    assert.deepEqual(outcomes.map(short), ['posted', 'compliance', 'posted', 'compliance']);
    assert.deepEqual(triggeredBy(outcomes[1]), [['rule_1', 1_001]]);
  });

  test('a payment exactly as old as the window is outside, one a millisecond younger is inside', () => {
    const check = checkOf(fiveAnHour({ threshold: 1 }));
    const before = (at: number) => account('sub_a', { recent: recentWith([singleRun('transfer_p2p', at, 5)]) });
    assert.deepEqual(outcomesOf([before(NOON - HOUR), account('sub_b')], pay(1, check)), ['posted']);
    assert.deepEqual(outcomesOf([before(NOON - HOUR + 1), account('sub_b')], pay(1, check)), ['compliance']);
  });

  test('only the types of the rule count', () => {
    const check = checkOf(fiveAnHour({ threshold: 1, types: ['transfer_p2p', 'wallet_withdraw'] }));
    const after = (type: string) => account('sub_a', { recent: recentWith([singleRun(type, NOON - 1, 5)]) });
    assert.deepEqual(outcomesOf([after('pos_payment'), account('sub_b')], pay(1, check)), ['posted']);
    assert.deepEqual(outcomesOf([after('wallet_withdraw'), account('sub_b')], pay(1, check)), ['compliance']);
  });
});

describe('the account that a payment counts for', () => {
  const check = checkOf(fiveAnHour({ threshold: 1 }));
  const countedFor = (payer: AccountKind, payee: AccountKind) => {
    const accounts = [account('payer', { kind: payer }), account('payee', { kind: payee })];
    const { changed } = decide(stateOf(accounts), [pay(1, check, { fromAccount: 'payer', toAccount: 'payee' })]);
    return changed.filter((each) => decodeActivityWindow(each).runs.length > 0).map(({ id }) => id);
  };
  const cases: [AccountKind, AccountKind, string][] = [
    ['wallet', 'wallet', 'payer'],
    ['wallet', 'processor', 'payer'],
    ['agent_float', 'wallet', 'payee'],
    ['partner_clearing', 'wallet', 'payee'],
    ['processor', 'wallet', 'payee'],
    ['agent_float', 'agent_float', 'payer'],
    ['agent_float', 'treasury', 'payer'],
    ['processor', 'processor', 'payer'],
    ['treasury', 'agent_float', 'payee'],
    ['treasury', 'partner_clearing', 'payee'],
  ];
  for (const [payer, payee, subject] of cases) {
    test(`from ${payer} to ${payee}: the ${subject}`, () => assert.deepEqual(countedFor(payer, payee), [subject]));
  }
});

describe('the outcome', () => {
  test('a flag lets the payment pass and reports all triggered rules in order', () => {
    const rules = [
      ruleOf({ id: 'r1', outcome: 'flag' }),
      ruleOf({ id: 'r2', threshold: 9_999 }),
      fiveAnHour({ id: 'r3', threshold: 1, outcome: 'flag' }),
    ];
    const { outcomes } = decide(stateOf(), [pay(1, checkOf(...rules)), pay(2_000, checkOf(...rules))]);
    assert.deepEqual(outcomes.map(short), ['posted', 'posted']);
    assert.deepEqual(outcomes.map(triggeredBy), [
      [],
      [
        ['r1', 2_000],
        ['r3', 2],
      ],
    ]);
  });

  test('one blocking rule is enough, and the refusal has the subject, the amount and the other triggered rules', () => {
    const check = checkOf(ruleOf({ id: 'r1', outcome: 'flag' }), ruleOf({ id: 'r2' }));
    const { outcomes, changed } = decide(stateOf(), [pay(2_000, check)]);
    const [outcome] = outcomes;
    assert.ok(outcome?.outcome === 'refused');
    assert.deepEqual([outcome.reason, outcome.subject, outcome.required], ['compliance', 'sub_a', 2_000]);
    assert.deepEqual(triggeredBy(outcome), [
      ['r1', 2_000],
      ['r2', 2_000],
    ]);
    assert.deepEqual(changed, []);
  });

  test('a payment refused for its balance is not flagged', () => {
    const { outcomes } = decide(stateOf(), [pay(100_001, checkOf(ruleOf({ outcome: 'flag' })))]);
    assert.deepEqual([short(outcomes[0]), triggeredBy(outcomes[0])], ['floor', []]);
  });

  test('is decided after the status of the accounts and before limits and balance', () => {
    const causes: [string, Partial<Account>][] = [
      ['account_frozen', { frozen: true }],
      ['type_disabled', { disabledTypes: ['transfer_p2p'] }],
      ['card_blocked', { blockedCards: ['CARD'] }],
      ['compliance', {}],
      ['daily_limit', { dailyLimit: 1 }],
      ['floor', { balance: 1 }],
    ];
    for (const [index, [reason]] of causes.entries()) {
      const terms = Object.assign({}, ...causes.slice(index).map(([, each]) => each));
      const check = index <= 3 ? checkOf(ruleOf()) : undefined;
      const movement = pay(2_000, check, {}, { dailyUse: 2_000, card: 'CARD' });
      assert.deepEqual(outcomesOf([account('sub_a', terms), account('sub_b')], movement), [reason]);
    }
    const missing = pay(2_000, checkOf(ruleOf()), { toAccount: 'sub_missing' });
    assert.deepEqual(outcomesOf([account('sub_a')], missing), ['account_missing']);
  });

  test('is decided before an allowance and a ceiling', () => {
    const allowances = [{ id: 'x', amount: 2_000, limit: 1 }];
    const full = account('sub_b', { ceiling: 1 });
    const movement = pay(2_000, checkOf(ruleOf()), { allowances });
    assert.deepEqual(outcomesOf([account('sub_a'), full], movement), ['compliance']);
  });

  test('an answered request is replayed whatever the current rules are', () => {
    const request = { scope: 'key_1', id: 'r', hash: '00' };
    const known = new Map([['key_1\nr', { hash: '00', movementId: 'txn_0', reply: '{}' }]]);
    const { outcomes } = decide({ ...stateOf(), known }, [pay(2_000, checkOf(ruleOf()), { request })]);
    assert.deepEqual(outcomes.map(short), ['replayed']);
  });
});

describe('the activity window of an account', () => {
  const check = checkOf(fiveAnHour({ threshold: 1_000_000 }));
  const recentAfter = (before: Partial<Account>, batch: Movement[], now = NOON): string => {
    const { changed } = decide(stateOf([account('sub_a', before), account('sub_b')], now), batch);
    return changed.find(({ id }) => id === 'sub_a')?.recent ?? '';
  };

  test('is decoded to the encoded value', () => {
    const several = {
      type: 'pos_payment',
      first: NOON - 9_000,
      last: NOON - 2,
      count: 40,
      sum: Number.MAX_SAFE_INTEGER,
    };
    // The clock went back between the runs.
    const runs = [several, singleRun('pos_payment', NOON, 1), singleRun('transfer_p2p', NOON - 50, 36)];
    const recent: ActivityWindow = { since: NOON - HOUR, runs };
    const { since, runs: read, total } = decodeActivityWindow({ recent: encodeActivityWindow(recent), lastSeq: 0 });
    assert.deepEqual({ since, runs: read }, recent);
    assert.equal(total?.count, 42);
  });

  test('starts at the last posting of an account without a window, and at zero without postings', () => {
    assert.equal(decodeActivityWindow({ recent: '', lastSeq: NOON * 1_000 + 7 }).since, NOON);
    assert.equal(decodeActivityWindow({ recent: '', lastSeq: 0 }).since, 0);
  });

  test('contains every type while any rule has a window, whether a rule names the type or not', () => {
    const stored = recentAfter({}, [pay(7, { rules: [], keepMs: HOUR }, { type: 'pos_refund' })]);
    assert.deepEqual(decodeActivityWindow({ recent: stored, lastSeq: 1 }).runs, [singleRun('pos_refund', NOON, 7)]);
  });

  test('is cleared when no rule has a window, because it is no longer complete', () => {
    assert.equal(
      recentAfter({ recent: recentWith([singleRun('transfer_p2p', NOON - 1, 5)]) }, [pay(1, undefined)]),
      '',
    );
  });

  test('stays unchanged for a payee, and is empty and complete for a first-time payee', () => {
    const stored = recentWith([singleRun('transfer_p2p', NOON - 1, 5)]);
    const state = stateOf([account('sub_a'), account('sub_b', { recent: stored }), account('sub_c')]);
    const { changed } = decide(state, [pay(1, check), pay(1, check, { toAccount: 'sub_c' })]);
    const recentOf = (id: string) => changed.find((each) => each.id === id)?.recent;
    assert.deepEqual([recentOf('sub_b'), recentOf('sub_c')], [stored, '0']);
  });

  test('drops runs outside every window and moves its start', () => {
    const runs = [singleRun('transfer_p2p', NOON - HOUR, 5), singleRun('transfer_p2p', NOON - HOUR + 1, 6)];
    const stored = decodeActivityWindow({
      recent: recentAfter({ recent: recentWith(runs) }, [pay(1, check)]),
      lastSeq: 1,
    });
    assert.deepEqual([stored.since, stored.runs.map(({ sum }) => sum)], [NOON - HOUR, [6, 1]]);
  });

  test('merges runs, so that it stays short and still counts every payment', () => {
    const batch = Array.from({ length: 500 }, (_, n) => pay(n + 1, check));
    const stored = decodeActivityWindow({ recent: recentAfter({ balance: 1_000_000 }, batch), lastSeq: 1 });
    assert.ok(stored.runs.length <= MAX_RUNS && stored.runs.length >= 20, `${stored.runs.length} runs`);
    assert.equal(
      stored.runs.reduce((sum, run) => sum + run.count, 0),
      500,
    );
    assert.equal(
      stored.runs.reduce((sum, run) => sum + run.sum, 0),
      125_250,
    );
    assert.ok(
      stored.runs.every(({ count }) => count <= 32),
      'no run is much larger than others',
    );
  });
});

describe('an activity window that does not decide', () => {
  const unsure = (terms: Partial<Account>, ...batch: Movement[]) =>
    knownActivity(RECENT, stateOf([account('sub_a', terms), account('sub_b')]).accounts, batch, NOON).undecided.map(
      ({ id }) => id,
    );
  const one = (rule: VelocityRule, amount = 1) => pay(amount, checkOf(rule));
  const partly = { type: 'transfer_p2p', first: NOON - 2 * HOUR, last: NOON - 1, count: 4, sum: 400 };

  test('is looked up for an account with earlier postings if they may be inside of the rule window', () => {
    const lastSeq = (NOON - HOUR + 1) * 1_000;
    assert.deepEqual(unsure({ lastSeq }, one(fiveAnHour())), ['sub_a']);
    assert.deepEqual(
      unsure({ lastSeq: (NOON - HOUR) * 1_000 }, one(fiveAnHour())),
      [],
      'the postings are outside of the window',
    );
    assert.deepEqual(unsure({ lastSeq }, one(ruleOf())), [], 'an amount rule needs no history');
    assert.deepEqual(unsure({ lastSeq }, pay(1, undefined)), []);
  });

  test('is looked up for a run partly inside the window only if its bounds lie on both sides of the threshold', () => {
    const terms = { recent: recentWith([partly]) };
    assert.deepEqual(unsure(terms, one(fiveAnHour())), [], 'five at most');
    assert.deepEqual(unsure(terms, one(fiveAnHour({ threshold: 4 }))), ['sub_a']);
    assert.deepEqual(unsure(terms, one(fiveAnHour({ threshold: 1 }))), [], 'two at least');
    assert.deepEqual(unsure(terms, one(fiveAnHour()), one(fiveAnHour())), ['sub_a'], 'the second may be the sixth');
    const sum = (threshold: number) => ruleOf({ kind: 'velocity_amount', threshold, windowMs: HOUR });
    assert.deepEqual(unsure(terms, one(sum(401))), []);
    assert.deepEqual(unsure(terms, one(sum(400))), ['sub_a']);
    assert.deepEqual(unsure(terms, one(sum(400), 401)), [], 'the payment alone exceeds the threshold');
  });

  test('makes decide throw if it was not looked up', () => {
    const accounts = [account('sub_a', { recent: recentWith([partly]) }), account('sub_b')];
    assert.throws(() => decide(stateOf(accounts), [one(fiveAnHour({ threshold: 4 }))]), /cannot be decided/);
  });
});
