// Compliance inside the decision: what each kind of rule counts, in which order it refuses, and what is kept for the next.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AccountKind } from '../account-kinds.ts';
import { decide } from '../posting/decide.ts';
import type { Account, BatchState, Leg, Movement, Outcome } from '../types.ts';
import {
  type ActivityWindow,
  decodeActivityWindow,
  encodeActivityWindow,
  MAX_RUNS,
  type Run,
  singleRun,
} from './activity-window.ts';
import { knownActivity } from './batch-activity.ts';
import type { VelocityCheck, VelocityRule } from './rules.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;

function account(id: string, terms: Partial<Account> = {}): Account {
  const bounds = { floor: 0, ceiling: null, dailyLimit: null, dailyUsed: 0, dailyOn: 0 };
  const stops = { frozen: false, disabledTypes: [], blockedCards: [] };
  return { id, kind: 'wallet', balance: 100_000, ...bounds, ...stops, lastSeq: 0, recent: '', ...terms };
}

function ruleOf(terms: Partial<VelocityRule> = {}): VelocityRule {
  const figures = { kind: 'amount', threshold: 1_000, windowMs: 0 } as const;
  const named = { id: 'rule_1', version: 3, name: 'A rule', types: ['transfer_p2p'] as const };
  return { ...named, ...figures, outcome: 'block', severity: 'HIGH', ...terms };
}

const watching = (...rules: VelocityRule[]): VelocityCheck => ({
  rules,
  keepMs: Math.max(0, ...rules.map((r) => r.windowMs)),
});
const fiveAnHour = (terms: Partial<VelocityRule> = {}) =>
  ruleOf({ kind: 'velocity_count', threshold: 5, windowMs: HOUR, ...terms });

let made = 0;

function pay(
  amount: number,
  watched: VelocityCheck | undefined,
  terms: Partial<Movement> = {},
  leg: Partial<Leg> = {},
): Movement {
  made += 1;
  const [fromAccount, toAccount] = [terms.fromAccount ?? 'sub_a', terms.toAccount ?? 'sub_b'];
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
    details: {},
  };
  const base = {
    id: `txn_${made}`,
    type: 'transfer_p2p' as const,
    amount,
    legs,
    ...empty,
    ...(watched ? { velocityCheck: watched } : {}),
  };
  return { ...base, ...terms, fromAccount, toAccount };
}

function stateOf(accounts: Account[] = [account('sub_a'), account('sub_b')], now = NOON): BatchState {
  return { accounts: new Map(accounts.map((each) => [each.id, each])), known: new Map(), allowances: new Map(), now };
}

const short = (outcome: Outcome | undefined) => (outcome?.outcome === 'refused' ? outcome.reason : outcome?.outcome);
const ends = (accounts: Account[], ...batch: Movement[]) => decide(stateOf(accounts), batch).outcomes.map(short);
const triggeredBy = (outcome: Outcome | undefined) =>
  (
    ('triggered' in (outcome ?? {}) &&
      (outcome as { triggered?: { rule: VelocityRule; found: number }[] }).triggered) ||
    []
  ).map(({ rule, found }) => [rule.id, found]);
const recentWith = (runs: Run[], since = 0) => encodeActivityWindow({ since, runs });

describe('each kind of rule', () => {
  test('amount: what is at the threshold passes, one more does not', () => {
    const watch = watching(ruleOf());
    assert.deepEqual(ends([account('sub_a'), account('sub_b')], pay(1_000, watch), pay(1_001, watch)), [
      'posted',
      'compliance',
    ]);
  });

  test('velocity_count: exactly as many as the threshold pass, the payment itself counted', () => {
    const watch = watching(fiveAnHour());
    const batch = Array.from({ length: 7 }, () => pay(1, watch));
    const { outcomes, changed } = decide(stateOf(), batch);
    assert.deepEqual(outcomes.map(short), [...Array(5).fill('posted'), 'compliance', 'compliance']);
    assert.deepEqual(triggeredBy(outcomes[5]), [['rule_1', 6]]);
    assert.deepEqual(triggeredBy(outcomes[6]), [['rule_1', 6]], 'what was blocked does not count');
    assert.equal(decodeActivityWindow(changed[0] as Account).runs.length, 5);
  });

  test('velocity_amount: the sum may reach the threshold and not exceed it', () => {
    const watch = watching(ruleOf({ kind: 'velocity_amount', threshold: 1_000, windowMs: HOUR }));
    const batch = [pay(600, watch), pay(401, watch), pay(400, watch), pay(1, watch)];
    const { outcomes } = decide(stateOf(), batch);
    assert.deepEqual(outcomes.map(short), ['posted', 'compliance', 'posted', 'compliance']);
    assert.deepEqual(triggeredBy(outcomes[1]), [['rule_1', 1_001]]);
  });

  test('a window slides: what is exactly as old as it is long is outside, a millisecond younger is inside', () => {
    const watch = watching(fiveAnHour({ threshold: 1 }));
    const before = (at: number) => account('sub_a', { recent: recentWith([singleRun('transfer_p2p', at, 5)]) });
    assert.deepEqual(ends([before(NOON - HOUR), account('sub_b')], pay(1, watch)), ['posted']);
    assert.deepEqual(ends([before(NOON - HOUR + 1), account('sub_b')], pay(1, watch)), ['compliance']);
  });

  test('only types that the rule names count', () => {
    const watch = watching(fiveAnHour({ threshold: 1, types: ['transfer_p2p', 'wallet_withdraw'] }));
    const after = (type: string) => account('sub_a', { recent: recentWith([singleRun(type, NOON - 1, 5)]) });
    assert.deepEqual(ends([after('pos_payment'), account('sub_b')], pay(1, watch)), ['posted']);
    assert.deepEqual(ends([after('wallet_withdraw'), account('sub_b')], pay(1, watch)), ['compliance']);
  });
});

describe('the account that a payment counts for', () => {
  const watch = watching(fiveAnHour({ threshold: 1 }));
  const countedFor = (payer: AccountKind, payee: AccountKind) => {
    const accounts = [account('payer', { kind: payer }), account('payee', { kind: payee })];
    const { changed } = decide(stateOf(accounts), [pay(1, watch, { fromAccount: 'payer', toAccount: 'payee' })]);
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
  test('a flag lets it pass and is told, all triggered rules in their order', () => {
    const rules = [
      ruleOf({ id: 'r1', outcome: 'flag' }),
      ruleOf({ id: 'r2', threshold: 9_999 }),
      fiveAnHour({ id: 'r3', threshold: 1, outcome: 'flag' }),
    ];
    const { outcomes } = decide(stateOf(), [pay(1, watching(...rules)), pay(2_000, watching(...rules))]);
    assert.deepEqual(outcomes.map(short), ['posted', 'posted']);
    assert.deepEqual(outcomes.map(triggeredBy), [
      [],
      [
        ['r1', 2_000],
        ['r3', 2],
      ],
    ]);
  });

  test('one rule that blocks is enough, and names who it was about, the amount, and the flags beside it', () => {
    const watch = watching(ruleOf({ id: 'r1', outcome: 'flag' }), ruleOf({ id: 'r2' }));
    const { outcomes, changed } = decide(stateOf(), [pay(2_000, watch)]);
    const [outcome] = outcomes;
    assert.ok(outcome?.outcome === 'refused');
    assert.deepEqual([outcome.reason, outcome.subject, outcome.required], ['compliance', 'sub_a', 2_000]);
    assert.deepEqual(triggeredBy(outcome), [
      ['r1', 2_000],
      ['r2', 2_000],
    ]);
    assert.deepEqual(changed, []);
  });

  test('what is refused for the balance is not flagged', () => {
    const { outcomes } = decide(stateOf(), [pay(100_001, watching(ruleOf({ outcome: 'flag' })))]);
    assert.deepEqual([short(outcomes[0]), triggeredBy(outcomes[0])], ['floor', []]);
  });

  test('comes after the status of the accounts and before limits and balance', () => {
    const flaws: [string, Partial<Account>][] = [
      ['account_frozen', { frozen: true }],
      ['type_disabled', { disabledTypes: ['transfer_p2p'] }],
      ['card_blocked', { blockedCards: ['CARD'] }],
      ['compliance', {}],
      ['daily_limit', { dailyLimit: 1 }],
      ['floor', { balance: 1 }],
    ];
    for (const [index, [reason]] of flaws.entries()) {
      const terms = Object.assign({}, ...flaws.slice(index).map(([, each]) => each));
      const watch = index <= 3 ? watching(ruleOf()) : undefined;
      const movement = pay(2_000, watch, {}, { dailyUse: 2_000, card: 'CARD' });
      assert.deepEqual(ends([account('sub_a', terms), account('sub_b')], movement), [reason]);
    }
    const missing = pay(2_000, watching(ruleOf()), { toAccount: 'sub_nobody' });
    assert.deepEqual(ends([account('sub_a')], missing), ['account_missing']);
  });

  test('comes before an allowance and a ceiling', () => {
    const allowances = [{ id: 'x', amount: 2_000, limit: 1 }];
    const full = account('sub_b', { ceiling: 1 });
    const movement = pay(2_000, watching(ruleOf()), { allowances });
    assert.deepEqual(ends([account('sub_a'), full], movement), ['compliance']);
  });

  test('a request that was answered is answered again, whatever the rules say by now', () => {
    const request = { scope: 'key_1', id: 'r', hash: '00' };
    const known = new Map([['key_1\nr', { hash: '00', movementId: 'txn_0', reply: '{}' }]]);
    const { outcomes } = decide({ ...stateOf(), known }, [pay(2_000, watching(ruleOf()), { request })]);
    assert.deepEqual(outcomes.map(short), ['replayed']);
  });
});

describe('what is kept of an account', () => {
  const watch = watching(fiveAnHour({ threshold: 1_000_000 }));
  const recentAfter = (before: Partial<Account>, batch: Movement[], now = NOON): string => {
    const { changed } = decide(stateOf([account('sub_a', before), account('sub_b')], now), batch);
    return changed.find(({ id }) => id === 'sub_a')?.recent ?? '';
  };

  test('reads back as it was written', () => {
    const several = {
      type: 'pos_payment',
      first: NOON - 9_000,
      last: NOON - 2,
      count: 40,
      sum: Number.MAX_SAFE_INTEGER,
    };
    // The clock went back in between.
    const runs = [several, singleRun('pos_payment', NOON, 1), singleRun('transfer_p2p', NOON - 50, 36)];
    const recent: ActivityWindow = { since: NOON - HOUR, runs };
    const { since, runs: read, total } = decodeActivityWindow({ recent: encodeActivityWindow(recent), lastSeq: 0 });
    assert.deepEqual({ since, runs: read }, recent);
    assert.equal(total?.count, 42);
  });

  test('nothing is known of an account before its last posting, and all of one that has none', () => {
    assert.equal(decodeActivityWindow({ recent: '', lastSeq: NOON * 1_000 + 7 }).since, NOON);
    assert.equal(decodeActivityWindow({ recent: '', lastSeq: 0 }).since, 0);
  });

  test('every type is kept while any rule looks back, whether a rule names it or not', () => {
    const kept = recentAfter({}, [pay(7, { rules: [], keepMs: HOUR }, { type: 'pos_refund' })]);
    assert.deepEqual(decodeActivityWindow({ recent: kept, lastSeq: 1 }).runs, [singleRun('pos_refund', NOON, 7)]);
  });

  test('when none looks back nothing is, and what was kept is no longer claimed to be all', () => {
    assert.equal(
      recentAfter({ recent: recentWith([singleRun('transfer_p2p', NOON - 1, 5)]) }, [pay(1, undefined)]),
      '',
    );
  });

  test('who is only paid keeps what it has, and an account that is paid for the first time knows that it did nothing', () => {
    const kept = recentWith([singleRun('transfer_p2p', NOON - 1, 5)]);
    const state = stateOf([account('sub_a'), account('sub_b', { recent: kept }), account('sub_c')]);
    const { changed } = decide(state, [pay(1, watch), pay(1, watch, { toAccount: 'sub_c' })]);
    const recentOf = (id: string) => changed.find((each) => each.id === id)?.recent;
    assert.deepEqual([recentOf('sub_b'), recentOf('sub_c')], [kept, '0']);
  });

  test('what no window reaches any more is dropped, and it is said until when', () => {
    const runs = [singleRun('transfer_p2p', NOON - HOUR, 5), singleRun('transfer_p2p', NOON - HOUR + 1, 6)];
    const kept = decodeActivityWindow({
      recent: recentAfter({ recent: recentWith(runs) }, [pay(1, watch)]),
      lastSeq: 1,
    });
    assert.deepEqual([kept.since, kept.runs.map(({ sum }) => sum)], [NOON - HOUR, [6, 1]]);
  });

  test('many are put together, so that it stays short and still counts all of them', () => {
    const batch = Array.from({ length: 500 }, (_, n) => pay(n + 1, watch));
    const kept = decodeActivityWindow({ recent: recentAfter({ balance: 1_000_000 }, batch), lastSeq: 1 });
    assert.ok(kept.runs.length <= MAX_RUNS && kept.runs.length >= 20, `${kept.runs.length} runs`);
    assert.equal(
      kept.runs.reduce((sum, run) => sum + run.count, 0),
      500,
    );
    assert.equal(
      kept.runs.reduce((sum, run) => sum + run.sum, 0),
      125_250,
    );
    assert.ok(
      kept.runs.every(({ count }) => count <= 32),
      'none is much larger than others',
    );
  });
});

describe('when what is kept does not decide', () => {
  const unsure = (terms: Partial<Account>, ...batch: Movement[]) =>
    knownActivity(stateOf([account('sub_a', terms), account('sub_b')]).accounts, batch, NOON).undecided.map(
      ({ id }) => id,
    );
  const one = (rule: VelocityRule, amount = 1) => pay(amount, watching(rule));
  const partly = { type: 'transfer_p2p', first: NOON - 2 * HOUR, last: NOON - 1, count: 4, sum: 400 };

  test('an account that was posted on before anything was kept is looked up, once it could matter', () => {
    const lastSeq = (NOON - HOUR + 1) * 1_000;
    assert.deepEqual(unsure({ lastSeq }, one(fiveAnHour())), ['sub_a']);
    assert.deepEqual(unsure({ lastSeq: (NOON - HOUR) * 1_000 }, one(fiveAnHour())), [], 'it is too long ago');
    assert.deepEqual(unsure({ lastSeq }, one(ruleOf())), [], 'an amount needs no past');
    assert.deepEqual(unsure({ lastSeq }, pay(1, undefined)), []);
  });

  test('a run that partly lies in the window is looked up only where its bounds fall on both sides', () => {
    const terms = { recent: recentWith([partly]) };
    assert.deepEqual(unsure(terms, one(fiveAnHour())), [], 'at most five');
    assert.deepEqual(unsure(terms, one(fiveAnHour({ threshold: 4 }))), ['sub_a']);
    assert.deepEqual(unsure(terms, one(fiveAnHour({ threshold: 1 }))), [], 'two at least');
    assert.deepEqual(unsure(terms, one(fiveAnHour()), one(fiveAnHour())), ['sub_a'], 'the second may be the sixth');
    const sum = (threshold: number) => ruleOf({ kind: 'velocity_amount', threshold, windowMs: HOUR });
    assert.deepEqual(unsure(terms, one(sum(401))), []);
    assert.deepEqual(unsure(terms, one(sum(400))), ['sub_a']);
    assert.deepEqual(unsure(terms, one(sum(400), 401)), [], 'the payment alone is more');
  });

  test('deciding without looking it up is a defect, and nothing moves', () => {
    const accounts = [account('sub_a', { recent: recentWith([partly]) }), account('sub_b')];
    assert.throws(() => decide(stateOf(accounts), [one(fiveAnHour({ threshold: 4 }))]), /cannot be decided/);
  });
});
