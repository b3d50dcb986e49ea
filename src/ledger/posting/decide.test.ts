// Outcomes of movements: every refusal and its precedence, replays, limits, bounds, the order of postings, and purity.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../kernel/clock.ts';
import type { BatchState } from '../batch-state.ts';
import type { Account, KnownRequest, Leg, Movement, Outcome, RefusalReason } from '../types.ts';
import { assertBalanced, decide, isWritten, requestMapKey } from './decide.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const TODAY = Math.floor(NOON / DAY_MS);
const MAX = Number.MAX_SAFE_INTEGER;

function account(id: string, overrides: Partial<Account> = {}): Account {
  return {
    id,
    kind: 'wallet',
    balance: 1_000,
    held: 0,
    floor: 0,
    ceiling: null,
    dailyLimit: null,
    dailyUsed: 0,
    dailyOn: 0,
    frozen: false,
    disabledTypes: [],
    blockedCards: [],
    lastSeq: 0,
    recent: '',
    received: '',
    reducedUntil: null,
    reducedFloor: null,
    ...overrides,
  };
}

interface StateOptions {
  accounts?: Account[];
  known?: [string, KnownRequest][];
  allowances?: [string, number][];
  now?: number;
}

function stateOf(options: StateOptions = {}): BatchState {
  const { accounts = [account('a'), account('b')], known = [], allowances = [], now = NOON } = options;
  const byId = new Map(accounts.map((each) => [each.id, each]));
  return { accounts: byId, known: new Map(known), allowances: new Map(allowances), now };
}

let movementCount = 0;

function movement(legs: Leg[], overrides: Partial<Movement> = {}): Movement {
  movementCount += 1;
  return {
    id: `txn_${movementCount}`,
    type: 'transfer_p2p',
    fromAccount: legs[0]?.accountId ?? '',
    toAccount: legs[1]?.accountId ?? '',
    amount: 100,
    fee: 0,
    legs,
    request: null,
    reference: null,
    narration: null,
    metadata: null,
    relatedId: null,
    details: {},
    actor: { type: 'system', id: 'test' },
    ...overrides,
  };
}

/** A transfer from a to b; `leg` changes the leg of a. */
function transfer(amount: number, leg: Partial<Leg> = {}, overrides: Partial<Movement> = {}): Movement {
  return movement(
    [
      { accountId: 'a', amount: -amount, ...leg },
      { accountId: 'b', amount },
    ],
    { amount, ...overrides },
  );
}

const withRequest = (id: string, hash = '00', scope = 'key_1') => ({ request: { scope, id, hash } });
const decideOne = (state: BatchState, one: Movement): Outcome => decide(state, [one]).outcomes[0] as Outcome;
const reasonOrOutcome = (outcome: Outcome) => (outcome.outcome === 'refused' ? outcome.reason : outcome.outcome);

/** The outcome of one movement on these accounts: the reason of a refusal, or the kind of outcome. */
const outcomeOf = (accounts: Account[], one: Movement, now = NOON) =>
  reasonOrOutcome(decideOne(stateOf({ accounts, now }), one));

describe('refusals', () => {
  interface RefusalCase {
    reason: RefusalReason;
    leg: Leg;
    /** The state of the account that causes the refusal; null if the account is missing. */
    cause: Partial<Account> | null;
    amounts: { available: number; required: number };
  }
  const noAmounts = { available: 0, required: 0 };
  /** In order of precedence; the legs sum to zero. */
  const REFUSALS: RefusalCase[] = [
    { reason: 'account_missing', leg: { accountId: 'w1', amount: -10 }, cause: null, amounts: noAmounts },
    { reason: 'account_frozen', leg: { accountId: 'w2', amount: 10 }, cause: { frozen: true }, amounts: noAmounts },
    {
      reason: 'type_disabled',
      leg: { accountId: 'w3', amount: -10 },
      cause: { disabledTypes: ['pos_payment', 'transfer_p2p'] },
      amounts: noAmounts,
    },
    {
      reason: 'daily_limit',
      leg: { accountId: 'w4', amount: -10, dailyUse: 10 },
      cause: { dailyLimit: 50, dailyUsed: 43, dailyOn: TODAY },
      amounts: { available: 7, required: 10 },
    },
    {
      reason: 'ceiling',
      leg: { accountId: 'w5', amount: 30 },
      cause: { ceiling: 1_029 },
      amounts: { available: 29, required: 30 },
    },
    {
      reason: 'floor',
      leg: { accountId: 'w6', amount: -10 },
      cause: { balance: 9 },
      amounts: { available: 9, required: 10 },
    },
  ];

  function accountsWith(has: (refusal: RefusalCase) => boolean): Account[] {
    return REFUSALS.flatMap((refusal) => {
      if (!has(refusal)) return [account(refusal.leg.accountId)];
      return refusal.cause ? [account(refusal.leg.accountId, refusal.cause)] : [];
    });
  }

  const legs = REFUSALS.map(({ leg }) => leg);

  test('posts a movement without a reason to refuse', () => {
    assert.equal(
      outcomeOf(
        accountsWith(() => false),
        movement(legs),
      ),
      'posted',
    );
  });

  for (const refusal of REFUSALS) {
    test(`${refusal.reason} names the account and the amounts, and changes nothing`, () => {
      const state = stateOf({ accounts: accountsWith((each) => each === refusal) });
      const { outcomes, changed } = decide(state, [movement(legs)]);
      const { reason, leg, amounts } = refusal;
      assert.deepEqual(outcomes, [{ outcome: 'refused', reason, subject: leg.accountId, ...amounts }]);
      assert.deepEqual(changed, []);
    });
  }

  test('returns the first reason in order of precedence for any set of reasons and any order of legs', () => {
    for (let set = 1; set < 2 ** REFUSALS.length; set++) {
      const has = (refusal: RefusalCase) => (set & (1 << REFUSALS.indexOf(refusal))) !== 0;
      const first = REFUSALS.find(has);
      for (const order of [legs, legs.toReversed()]) {
        const outcome = decideOne(stateOf({ accounts: accountsWith(has) }), movement(order));
        assert.equal(reasonOrOutcome(outcome), first?.reason, `of ${REFUSALS.filter(has).map(({ reason }) => reason)}`);
        assert.equal((outcome as { subject?: string }).subject, first?.leg.accountId);
      }
    }
  });

  test('keeps the precedence when one account has every reason', () => {
    const causes: [RefusalReason, Partial<Account>][] = [
      ['account_frozen', { frozen: true }],
      ['type_disabled', { disabledTypes: ['transfer_p2p'] }],
      ['daily_limit', { dailyLimit: 99 }],
      ['floor', { balance: 99 }],
    ];
    for (const [index, [reason]] of causes.entries()) {
      const overrides = Object.assign({}, ...causes.slice(index).map(([, each]) => each));
      assert.equal(outcomeOf([account('a', overrides), account('b')], transfer(100, { dailyUse: 100 })), reason);
    }
  });

  test('a refused movement does not affect the others of its batch', () => {
    const batch = [transfer(600), transfer(600), transfer(400), transfer(1)];
    const { outcomes, changed } = decide(stateOf(), batch);
    assert.deepEqual(outcomes.map(reasonOrOutcome), ['posted', 'floor', 'posted', 'floor']);
    assert.deepEqual(
      changed.map(({ id, balance }) => [id, balance]),
      [
        ['a', 0],
        ['b', 2_000],
      ],
    );
  });

  test('money received earlier in a batch can be spent later in it', () => {
    const accounts = [account('a', { balance: 100 }), account('b', { balance: 0 })];
    const back = movement([
      { accountId: 'b', amount: -100 },
      { accountId: 'a', amount: 100 },
    ]);
    const { outcomes } = decide(stateOf({ accounts }), [back, transfer(100), back]);
    assert.deepEqual(outcomes.map(reasonOrOutcome), ['floor', 'posted', 'posted']);
  });
});

describe('bounds', () => {
  const cases: [string, Partial<Account>, Partial<Account>, Movement, string][] = [
    ['the whole balance', { balance: 100 }, {}, transfer(100), 'posted'],
    ['one more than the balance', { balance: 99 }, {}, transfer(100), 'floor'],
    ['down to a floor', { balance: 150, floor: 50 }, {}, transfer(100), 'posted'],
    ['one below a floor', { balance: 149, floor: 50 }, {}, transfer(100), 'floor'],
    ['down to an overdraft', { balance: 0, floor: -100 }, {}, transfer(100), 'posted'],
    ['beyond an overdraft', { balance: 0, floor: -99 }, {}, transfer(100), 'floor'],
    ['without a floor', { balance: 0, floor: null }, {}, transfer(100), 'posted'],
    ['below a floor with ignoresFloor', { balance: 0 }, {}, transfer(100, { ignoresFloor: true }), 'posted'],
    ['up to a ceiling', {}, { balance: 900, ceiling: 1_000 }, transfer(100), 'posted'],
    ['one above a ceiling', {}, { balance: 901, ceiling: 1_000 }, transfer(100), 'ceiling'],
    ['out of an account above its lowered ceiling', { balance: 500, ceiling: 100 }, {}, transfer(100), 'posted'],
    ['into an account below its floor', {}, { balance: -500 }, transfer(100), 'posted'],
  ];
  for (const [name, a, b, one, expected] of cases) {
    test(`${name}: ${expected}`, () => assert.equal(outcomeOf([account('a', a), account('b', b)], one), expected));
  }

  test('a leg with ignoresCeiling may exceed the ceiling', () => {
    const full = [account('a'), account('b', { ceiling: 1_000 })];
    const [from, to] = transfer(100).legs as [Leg, Leg];
    assert.equal(outcomeOf(full, movement([from, to])), 'ceiling');
    assert.equal(outcomeOf(full, movement([from, { ...to, ignoresCeiling: true }])), 'posted');
  });

  test('an exemption applies only to its own leg and bound', () => {
    const poor = [account('a', { balance: 0 }), account('b')];
    const [from, to] = transfer(100).legs as [Leg, Leg];
    assert.equal(outcomeOf(poor, movement([from, { ...to, ignoresFloor: true }])), 'floor');
    assert.equal(outcomeOf(poor, movement([{ ...from, ignoresCeiling: true, ignoresFrozen: true }, to])), 'floor');
  });

  test('the available amount is never negative', () => {
    const outcome = decideOne(stateOf({ accounts: [account('a', { balance: -50 }), account('b')] }), transfer(100));
    assert.deepEqual(outcome, { outcome: 'refused', reason: 'floor', subject: 'a', available: 0, required: 100 });
    const lowered = account('a', { dailyLimit: 10, dailyUsed: 60, dailyOn: TODAY });
    const limited = decideOne(stateOf({ accounts: [lowered, account('b')] }), transfer(100, { dailyUse: 100 }));
    assert.deepEqual([reasonOrOutcome(limited), (limited as { available?: number }).available], ['daily_limit', 0]);
  });

  test('a leg of zero is not checked against bounds', () => {
    const accounts = [account('a'), account('b', { balance: 2_000, ceiling: 1_000 }), account('fees')];
    const feeOnly = movement([
      { accountId: 'a', amount: -100 },
      { accountId: 'b', amount: 0, fee: 100 },
      { accountId: 'fees', amount: 100 },
    ]);
    const outcome = decideOne(stateOf({ accounts }), feeOnly);
    assert.equal(outcome.outcome === 'posted' && outcome.postings[1]?.balanceAfter, 2_000);
  });

  test('balances without bounds stay within the safe integers', () => {
    const noFloor = { floor: null };
    const top = [account('a', noFloor), account('b', { balance: MAX - 100 })];
    assert.equal(outcomeOf(top, transfer(100)), 'posted');
    assert.equal(outcomeOf(top, transfer(101)), 'ceiling');
    const bottom = [account('a', { ...noFloor, balance: -MAX + 100 }), account('b')];
    assert.equal(outcomeOf(bottom, transfer(100)), 'posted');
    assert.equal(outcomeOf(bottom, transfer(101)), 'floor');
    assert.equal(outcomeOf(bottom, transfer(101, { ignoresFloor: true })), 'floor');
    assert.equal(outcomeOf([account('a', { balance: MAX }), account('b', { balance: 0 })], transfer(MAX)), 'posted');
    assert.equal(outcomeOf([account('a', noFloor), account('b', { balance: -MAX })], transfer(MAX)), 'posted');
  });

  test('daily use stays within the safe integers, even without a limit', () => {
    const accounts = [account('a', { floor: null, dailyUsed: MAX - 100, dailyOn: TODAY }), account('b')];
    assert.equal(outcomeOf(accounts, transfer(100, { dailyUse: 100 })), 'posted');
    assert.equal(outcomeOf(accounts, transfer(101, { dailyUse: 101 })), 'daily_limit');
  });
});

describe('frozen accounts, account kinds and disabled types', () => {
  test('a frozen account neither sends nor receives', () => {
    assert.equal(outcomeOf([account('a', { frozen: true }), account('b')], transfer(1)), 'account_frozen');
    assert.equal(outcomeOf([account('a'), account('b', { frozen: true })], transfer(1)), 'account_frozen');
  });

  test('an account whose kind differs from its leg counts as missing', () => {
    const accounts = [account('a', { kind: 'agent_float' }), account('b')];
    assert.equal(outcomeOf(accounts, transfer(1, { kind: 'wallet' })), 'account_missing');
    assert.equal(outcomeOf(accounts, transfer(1, { kind: 'agent_float' })), 'posted');
    assert.equal(outcomeOf(accounts, transfer(1)), 'posted');
  });

  test('a disabled type is refused on either side, other types are not', () => {
    const disabled: Partial<Account> = { disabledTypes: ['transfer_p2p'] };
    assert.equal(outcomeOf([account('a', disabled), account('b')], transfer(1)), 'type_disabled');
    assert.equal(outcomeOf([account('a'), account('b', disabled)], transfer(1)), 'type_disabled');
    assert.equal(outcomeOf([account('a', disabled), account('b')], transfer(1, {}, { type: 'pos_payment' })), 'posted');
  });

  test('a leg with ignoresFrozen skips both checks, and the other leg does not', () => {
    const frozenAndDisabled: Partial<Account> = { frozen: true, disabledTypes: ['transfer_p2p'] };
    assert.equal(
      outcomeOf([account('a', frozenAndDisabled), account('b')], transfer(1, { ignoresFrozen: true })),
      'posted',
    );
    assert.equal(
      outcomeOf([account('a'), account('b', frozenAndDisabled)], transfer(1, { ignoresFrozen: true })),
      'account_frozen',
    );
  });
});

describe('the daily limit', () => {
  const limited = (overrides: Partial<Account>) => [account('a', { dailyLimit: 500, ...overrides }), account('b')];
  const use = (amount: number) => transfer(amount, { dailyUse: amount });
  const YESTERDAY = TODAY - 1;
  const cases: [string, Partial<Account>, Movement, string][] = [
    ['the whole limit', {}, use(500), 'posted'],
    ['one above the limit', {}, use(501), 'daily_limit'],
    ['the remainder of the limit', { dailyUsed: 400, dailyOn: TODAY }, use(100), 'posted'],
    ['one above the remainder', { dailyUsed: 401, dailyOn: TODAY }, use(100), 'daily_limit'],
    ['the whole limit on the next day', { dailyUsed: 500, dailyOn: YESTERDAY }, use(500), 'posted'],
    [
      'no new limit when the clock goes back over midnight',
      { dailyUsed: 500, dailyOn: TODAY + 1 },
      use(1),
      'daily_limit',
    ],
    ['a leg without daily use', { dailyUsed: 500, dailyOn: TODAY }, transfer(100), 'posted'],
    ['a daily use of zero', { dailyUsed: 500, dailyOn: TODAY }, transfer(100, { dailyUse: 0 }), 'posted'],
    ['without a limit', { dailyLimit: null, dailyUsed: 900, dailyOn: TODAY }, use(1_000), 'posted'],
  ];
  for (const [name, overrides, one, expected] of cases) {
    test(`${name}: ${expected}`, () => assert.equal(outcomeOf(limited(overrides), one), expected));
  }

  describe('after a PIN reset', () => {
    const reduced = { reducedUntil: NOON + 1 };
    const float = { ...reduced, dailyLimit: null, kind: 'agent_float', balance: 1_000, reducedFloor: 900 } as const;
    const reducedCases: [string, Partial<Account>, Movement, string][] = [
      ['a tenth of the limit', reduced, use(50), 'posted'],
      ['one above a tenth', reduced, use(51), 'daily_limit'],
      ['what was used before counts', { ...reduced, dailyUsed: 1, dailyOn: TODAY }, use(50), 'daily_limit'],
      ['the whole limit once the time is over', { reducedUntil: NOON }, use(500), 'posted'],
      ['a tenth, rounded down', { ...reduced, dailyLimit: 509 }, use(51), 'daily_limit'],
      ['incoming money', reduced, transfer(-400), 'posted'],
      ['a tenth of a float', float, transfer(100), 'posted'],
      ['one above a tenth of a float', float, transfer(101), 'daily_limit'],
      ['a float that the operator takes back', float, transfer(1_000, { ignoresFrozen: true }), 'posted'],
      ['a whole float once the time is over', { ...float, reducedUntil: NOON }, transfer(1_000), 'posted'],
    ];
    for (const [name, overrides, one, expected] of reducedCases) {
      test(`${name}: ${expected}`, () => assert.equal(outcomeOf(limited(overrides), one), expected));
    }
  });

  test('only posted movements use it, and only for the sender', () => {
    const { outcomes, changed } = decide(stateOf({ accounts: limited({}) }), [use(300), use(300), use(200), use(1)]);
    assert.deepEqual(outcomes.map(reasonOrOutcome), ['posted', 'daily_limit', 'posted', 'daily_limit']);
    assert.deepEqual(
      changed.map(({ id, dailyUsed, dailyOn }) => [id, dailyUsed, dailyOn]),
      [
        ['a', 500, TODAY],
        ['b', 0, TODAY],
      ],
    );
  });

  test('resets at the first millisecond of a UTC day', () => {
    const midnight = (TODAY + 1) * DAY_MS;
    const spent = limited({ dailyUsed: 500, dailyOn: TODAY });
    assert.equal(outcomeOf(spent, use(1), midnight - 1), 'daily_limit');
    assert.equal(outcomeOf(spent, use(1), midnight), 'posted');
  });

  test('keeps a day that is later than the clock', () => {
    const accounts = limited({ dailyUsed: 100, dailyOn: TODAY + 1 });
    const [a] = decide(stateOf({ accounts }), [use(100)]).changed;
    assert.deepEqual([a?.dailyUsed, a?.dailyOn], [200, TODAY + 1]);
  });
});

describe('requests', () => {
  const earlier: KnownRequest = { hash: 'aa', movementId: 'txn_before', reply: '{"n":1}' };
  const known: [string, KnownRequest][] = [[requestMapKey({ scope: 'key_1', id: 'r1' }), earlier]];

  test('a known request is replayed or a conflict before any other check', () => {
    const state = stateOf({ accounts: [], known });
    const replayed = { outcome: 'replayed', movementId: 'txn_before', reply: '{"n":1}' };
    assert.deepEqual(decideOne(state, transfer(1, {}, withRequest('r1', 'aa'))), replayed);
    assert.deepEqual(decideOne(state, transfer(1, {}, withRequest('r1', 'ab'))), { outcome: 'conflict' });
  });

  test('the same request id of another credential is a separate request', () => {
    assert.equal(
      reasonOrOutcome(decideOne(stateOf({ known }), transfer(1, {}, withRequest('r1', 'ab', 'key_2')))),
      'posted',
    );
  });

  test('a repeated request in one batch is a replay or a conflict, without a second effect', () => {
    const batch = ['aa', 'aa', 'bb', 'aa'].map((hash) => transfer(400, {}, withRequest('r2', hash)));
    const { outcomes, changed } = decide(stateOf(), batch);
    assert.deepEqual(outcomes.map(reasonOrOutcome), ['posted', 'replayed', 'conflict', 'replayed']);
    assert.deepEqual(outcomes[1], { outcome: 'replayed', movementId: batch[0]?.id, reply: null });
    assert.equal(changed[0]?.balance, 600);
  });

  test('a refusal is not stored by default: a later request of the batch is decided again, even with other details', () => {
    const batch = [transfer(2_000, {}, withRequest('r3', 'aa')), transfer(500, {}, withRequest('r3', 'bb'))];
    assert.deepEqual(decide(stateOf(), batch).outcomes.map(reasonOrOutcome), ['floor', 'posted']);
  });

  test('movements without a request are not deduplicated', () => {
    const one = transfer(400);
    assert.deepEqual(decide(stateOf(), [one, one, one]).outcomes.map(reasonOrOutcome), ['posted', 'posted', 'floor']);
  });

  test('the map key of a scope and an id is unambiguous', () => {
    const requests = [
      { scope: 'a', id: 'b c' },
      { scope: 'a b', id: 'c' },
      { scope: 'ab', id: 'c' },
      { scope: 'a', id: 'bc' },
    ];
    assert.equal(new Set(requests.map(requestMapKey)).size, requests.length);
  });
});

describe('the order of postings', () => {
  const stateAt = (now: number) =>
    stateOf({ now, accounts: [account('a', { lastSeq: NOON * 1_000 + 7 }), account('b')] });

  test('seq is the time in microseconds, increases within a millisecond, and never decreases', () => {
    const cases: [number, number[]][] = [
      [NOON + 1, [1_000, 1_001, 1_002]],
      [NOON, [8, 9, 10]],
      [NOON - 5_000, [8, 9, 10]],
    ];
    for (const [now, expected] of cases) {
      const { outcomes, changed } = decide(stateAt(now), [transfer(1), transfer(1), transfer(1)]);
      const seqs = outcomes.map((outcome) => outcome.outcome === 'posted' && outcome.postings[0]?.seq);
      assert.deepEqual(
        seqs,
        expected.map((step) => NOON * 1_000 + step),
      );
      assert.equal(changed[0]?.lastSeq, seqs.at(-1));
    }
  });

  test("postings contain the balance after them and their account's fee", () => {
    const accounts = [account('a'), account('b'), account('fees', { floor: null, balance: -5 })];
    const priced = movement([
      { accountId: 'a', amount: -102, fee: 2 },
      { accountId: 'b', amount: 97, fee: 3 },
      { accountId: 'fees', amount: 5 },
    ]);
    const at = NOON * 1_000;
    const outcome = decideOne(stateOf({ accounts }), priced);
    assert.deepEqual(outcome, {
      outcome: 'posted',
      at: NOON,
      postings: [
        { accountId: 'a', seq: at, amount: -102, fee: 2, balanceAfter: 898 },
        { accountId: 'b', seq: at, amount: 97, fee: 3, balanceAfter: 1_097 },
        { accountId: 'fees', seq: at, amount: 5, fee: 0, balanceAfter: 0 },
      ],
      used: [],
    });
  });
});

describe('purity', () => {
  function deepFreeze<T>(value: T): T {
    if (typeof value === 'object' && value !== null) {
      Object.freeze(value);
      for (const each of value instanceof Map ? value.values() : Object.values(value)) deepFreeze(each);
    }
    return value;
  }

  test('does not change its input and returns the same outcomes for the same input', () => {
    const accounts = [account('a', { dailyLimit: 900 }), account('b'), account('c', { frozen: true })];
    const known: [string, KnownRequest][] = [['key_1\nr0', { hash: '00', movementId: 'txn_0', reply: '' }]];
    const state = deepFreeze(stateOf({ accounts, known }));
    const batch = deepFreeze([
      transfer(100, { dailyUse: 100 }, withRequest('r0')),
      transfer(100, { dailyUse: 100 }, withRequest('r1')),
      transfer(100, { dailyUse: 100 }, withRequest('r1')),
      transfer(9_999),
      transfer(300),
    ]);
    const copy = structuredClone(state);
    const first = decide(state, batch);
    assert.deepEqual(state, copy);
    assert.deepEqual(decide(state, batch), first);
    assert.deepEqual(first.outcomes.map(reasonOrOutcome), ['replayed', 'posted', 'replayed', 'floor', 'posted']);
  });

  test('returns only the accounts with new postings as changed', () => {
    const accounts = [account('a'), account('b'), account('c')];
    assert.deepEqual(
      decide(stateOf({ accounts }), [transfer(1)]).changed.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.deepEqual(decide(stateOf(), []), { outcomes: [], movements: [], changed: [], used: new Map() });
  });
});

describe('assertBalanced', () => {
  const leg = (accountId: string, amount: number): Leg => ({ accountId, amount });
  const cases: [string, Leg[], RegExp][] = [
    ['throws for no legs', [], /sum to zero/],
    ['throws for a single leg of zero', [leg('a', 0)], /sum to zero/],
    ['throws for legs that do not sum to zero', [leg('a', -10), leg('b', 9)], /sum to zero/],
    ['throws for a fraction', [leg('a', -0.5), leg('b', 0.5)], /leg of -0.5/],
    ['throws for an unsafe integer', [leg('a', -MAX - 1), leg('b', MAX + 1)], /leg of/],
    ['throws for NaN', [leg('a', Number.NaN), leg('b', 1)], /leg of NaN/],
    ['throws for two legs on one account', [leg('a', -10), leg('a', 10)], /two legs/],
  ];
  for (const [name, legs, message] of cases) {
    test(name, () => assert.throws(() => assertBalanced(movement(legs)), message));
  }

  test('accepts a balanced movement', () => assertBalanced(transfer(1)));
});

describe('allowances', () => {
  const withAllowance = (amount: number, limit: number, id = 'refund:1') =>
    transfer(amount, {}, { allowances: [{ id, amount, limit }] });

  test('movements use a shared total up to its limit; others are refused with the remainder', () => {
    const { outcomes, used } = decide(stateOf({ allowances: [['refund:1', 50]] }), [
      withAllowance(40, 100),
      withAllowance(11, 100),
      withAllowance(10, 100),
    ]);
    assert.deepEqual(outcomes.map(reasonOrOutcome), ['posted', 'allowance', 'posted']);
    assert.deepEqual(outcomes[1], {
      outcome: 'refused',
      reason: 'allowance',
      subject: 'refund:1',
      available: 10,
      required: 11,
    });
    assert.deepEqual(used, new Map([['refund:1', 100]]));
    assert.deepEqual(
      outcomes.map((outcome) => outcome.outcome === 'posted' && outcome.used),
      [[90], false, [100]],
    );
  });

  test('a movement refused for another reason does not use the allowance', () => {
    const { outcomes, used } = decide(stateOf(), [withAllowance(1_001, 5_000), withAllowance(1, 5_000)]);
    assert.deepEqual(outcomes.map(reasonOrOutcome), ['floor', 'posted']);
    assert.deepEqual(used, new Map([['refund:1', 1]]));
  });

  test('the allowance is checked after the daily limit and before the bounds', () => {
    const over = withAllowance(2_000, 5);
    assert.equal(reasonOrOutcome(decide(stateOf(), [over]).outcomes[0] as Outcome), 'allowance');
    const daily = { ...over, legs: [{ accountId: 'a', amount: -2_000, dailyUse: 2_000 }, over.legs[1] as Leg] };
    const limited = stateOf({ accounts: [account('a', { dailyLimit: 10 }), account('b')] });
    assert.equal(reasonOrOutcome(decide(limited, [daily]).outcomes[0] as Outcome), 'daily_limit');
  });
});

describe('a stored refusal', () => {
  test('is replayed in the same batch even if the movement would succeed now', () => {
    const storing = { ...withRequest('r1'), storesRefusal: true };
    const { outcomes } = decide(stateOf(), [
      transfer(2_000, {}, storing),
      movement([
        { accountId: 'b', amount: -1_000 },
        { accountId: 'a', amount: 1_000 },
      ]),
      transfer(2_000, {}, storing),
      transfer(1_999, {}, { request: { scope: 'key_1', id: 'r1', hash: '11' } }),
    ]);
    assert.deepEqual(outcomes.map(reasonOrOutcome), ['floor', 'posted', 'replayed', 'conflict']);
  });

  test('contains the balances at the time of its decision', () => {
    const { outcomes } = decide(stateOf(), [
      transfer(400),
      transfer(2_000, {}, { ...withRequest('r1'), storesRefusal: true }),
      transfer(100),
    ]);
    assert.deepEqual(outcomes[1], {
      outcome: 'refused',
      reason: 'floor',
      subject: 'a',
      available: 600,
      required: 2_000,
      balances: [600, 1_400],
    });
  });

  test('is not stored for a frozen account whose leg has retryWhenFrozen, and is stored for the other account', () => {
    const storing = { ...withRequest('r1'), storesRefusal: true };
    const frozenBy = (id: string) =>
      stateOf({ accounts: [account('a', { frozen: id === 'a' }), account('b', { frozen: id === 'b' })] });
    const twice = (id: string) =>
      decide(frozenBy(id), [
        transfer(1, { retryWhenFrozen: true }, storing),
        transfer(1, { retryWhenFrozen: true }, storing),
      ]).outcomes;
    assert.deepEqual(twice('a').map(reasonOrOutcome), ['account_frozen', 'account_frozen']);
    assert.equal('balances' in (twice('a')[0] as Outcome), false);
    assert.deepEqual(twice('b').map(reasonOrOutcome), ['account_frozen', 'replayed']);
  });

  test('requires storesRefusal', () => {
    const { outcomes } = decide(stateOf(), [
      transfer(2_000, {}, withRequest('r1')),
      movement([
        { accountId: 'b', amount: -1_000 },
        { accountId: 'a', amount: 1_000 },
      ]),
      transfer(2_000, {}, withRequest('r1')),
    ]);
    assert.deepEqual(outcomes.map(reasonOrOutcome), ['floor', 'posted', 'posted']);
  });
});

describe('a record that moves no money', () => {
  const record = (amount: number, limit: number, overrides: Partial<Movement> = {}) =>
    movement([], { amount: 0, isRecord: true, allowances: [{ id: 'total', amount, limit }], ...overrides });

  test('uses a running total and posts nothing', () => {
    const { outcomes, used, changed } = decide(stateOf({ allowances: [['total', 1]] }), [record(2, 3), record(1, 3)]);
    assert.deepEqual(outcomes.map(reasonOrOutcome), ['posted', 'allowance']);
    assert.deepEqual([[...used], changed], [[['total', 3]], []]);
    assert.equal(isWritten(outcomes[0]), false);
  });

  test('is refused once its time is over, and answered again to the same request', () => {
    assert.equal(reasonOrOutcome(decideOne(stateOf(), record(1, 1, { validUntil: NOON }))), 'expired');
    const { outcomes } = decide(stateOf(), [record(1, 1, withRequest('r1')), record(1, 1, withRequest('r1'))]);
    assert.deepEqual(outcomes.map(reasonOrOutcome), ['posted', 'replayed']);
  });

  test('must say that it is one', () => {
    assert.throws(() => assertBalanced(movement([])), /do not sum to zero/);
    assertBalanced(record(1, 1));
  });
});

describe('draws from a hold', () => {
  const DRAWS = 'draws-of:hold';
  const held = { accounts: [account('a', { held: 900 }), account('b')] };

  function draw(amount: number, overrides: Partial<Movement> = {}): Movement {
    const allowances = [{ id: DRAWS, amount, limit: 900 }];
    return transfer(amount, {}, { drawsFrom: { holdId: 'hold', accountId: 'a' }, allowances, ...overrides });
  }

  function ending(): Movement {
    const endsHold = { id: 'hold', accountId: 'a', reserved: 900, draws: DRAWS, givenBack: 0, day: TODAY };
    return movement([{ accountId: 'a', amount: 0 }], { endsHold, allowances: [{ id: DRAWS, amount: 0, limit: MAX }] });
  }

  function after(state: BatchState, ...batch: Movement[]) {
    const { outcomes, changed, used } = decide(state, batch);
    const { balance, held } = changed.find(({ id }) => id === 'a') ?? account('a', { held: 900 });
    const reasons = outcomes.map((each) => (each.outcome === 'refused' ? each.reason : each.outcome));
    return { reasons, balance, held, drawn: used.get(DRAWS) };
  }

  test('a draw is paid from the hold, and lowers what is held by as much', () => {
    assert.deepEqual(after(stateOf(held), draw(300)), { reasons: ['posted'], balance: 700, held: 600, drawn: 300 });
  });

  test('a payment without the hold has only what is not held', () => {
    assert.deepEqual(after(stateOf(held), transfer(101)).reasons, ['floor']);
    assert.deepEqual(after(stateOf(held), draw(900), transfer(101)).reasons, ['posted', 'floor']);
    assert.deepEqual(after(stateOf(held), draw(900), transfer(100)).balance, 0);
  });

  test('draws never exceed the hold, whatever the balance', () => {
    const rich = { accounts: [account('a', { balance: 5_000, held: 900 }), account('b')] };
    assert.deepEqual(after(stateOf(rich), draw(600), draw(301), draw(300)).reasons, ['posted', 'allowance', 'posted']);
    const before = stateOf({ ...rich, allowances: [[DRAWS, 800]] });
    assert.deepEqual(after(before, draw(101)).reasons, ['allowance']);
  });

  test('the end releases what was not drawn, in any order with draws', () => {
    const end = after(stateOf(held), draw(300), ending(), draw(100));
    assert.deepEqual(end, { reasons: ['posted', 'posted', 'hold_ended'], balance: 700, held: 0, drawn: 300 });
    const half = stateOf({ accounts: [account('a', { held: 400 }), account('b')], allowances: [[DRAWS, 500]] });
    assert.equal(after(half, ending()).held, 0);
  });

  test('a draw from a hold that ended before is refused', () => {
    const state = { ...stateOf(held), endedHolds: new Set(['hold']) };
    assert.deepEqual(after(state, draw(100)).reasons, ['hold_ended']);
  });

  test('a refused draw leaves the hold as it was', () => {
    const frozen = { accounts: [account('a', { held: 900 }), account('b', { frozen: true })] };
    const { reasons, held: left, drawn } = after(stateOf(frozen), draw(100));
    assert.deepEqual([reasons, left, drawn], [['account_frozen'], 900, undefined]);
  });

  test('a draw can hold what it takes for somebody else', () => {
    const allowances = [{ id: DRAWS, amount: 250, limit: 900 }];
    const reserving = movement([{ accountId: 'a', amount: -250 }], {
      ...{ allowances, opensHold: { reserved: 250 }, drawsFrom: { holdId: 'hold', accountId: 'a' } },
    });
    assert.deepEqual(after(stateOf(held), reserving), { reasons: ['posted'], balance: 1_000, held: 900, drawn: 250 });
  });
});
