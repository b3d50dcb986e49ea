// What becomes of movements: every reason to refuse and which comes first, repeats, limits, bounds, order and purity.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Account, BatchState, KnownRequest, Leg, Movement, Outcome, RefusalReason } from '../types.ts';
import { assertBalanced, decide, requestMapKey } from './decide.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const TODAY = Math.floor(NOON / DAY_MS);
const MAX = Number.MAX_SAFE_INTEGER;

function account(id: string, terms: Partial<Account> = {}): Account {
  return {
    id,
    kind: 'wallet',
    balance: 1_000,
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
    ...terms,
  };
}

interface StateTerms {
  accounts?: Account[];
  known?: [string, KnownRequest][];
  allowances?: [string, number][];
  now?: number;
}

function stateOf(terms: StateTerms = {}): BatchState {
  const { accounts = [account('a'), account('b')], known = [], allowances = [], now = NOON } = terms;
  const byId = new Map(accounts.map((each) => [each.id, each]));
  return { accounts: byId, known: new Map(known), allowances: new Map(allowances), now };
}

let made = 0;

function movement(legs: Leg[], terms: Partial<Movement> = {}): Movement {
  made += 1;
  return {
    id: `txn_${made}`,
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
    ...terms,
  };
}

/** From a to b; `more` is said of the leg of a. */
function transfer(amount: number, more: Partial<Leg> = {}, terms: Partial<Movement> = {}): Movement {
  return movement(
    [
      { accountId: 'a', amount: -amount, ...more },
      { accountId: 'b', amount },
    ],
    { amount, ...terms },
  );
}

const asked = (id: string, hash = '00', scope = 'key_1') => ({ request: { scope, id, hash } });
const only = (state: BatchState, one: Movement): Outcome => decide(state, [one]).outcomes[0] as Outcome;
const short = (outcome: Outcome) => (outcome.outcome === 'refused' ? outcome.reason : outcome.outcome);

/** How one movement over these accounts ends, in a word. */
const ends = (accounts: Account[], one: Movement, now = NOON) => short(only(stateOf({ accounts, now }), one));

describe('reasons to refuse', () => {
  interface Flaw {
    reason: RefusalReason;
    leg: Leg;
    /** The account that has the flaw; none: it is missing. */
    flawed: Partial<Account> | null;
    figures: { available: number; required: number };
  }
  const nothing = { available: 0, required: 0 };
  /** In the order of precedence; all legs together are zero. */
  const FLAWS: Flaw[] = [
    { reason: 'account_missing', leg: { accountId: 'w1', amount: -10 }, flawed: null, figures: nothing },
    { reason: 'account_frozen', leg: { accountId: 'w2', amount: 10 }, flawed: { frozen: true }, figures: nothing },
    {
      reason: 'type_disabled',
      leg: { accountId: 'w3', amount: -10 },
      flawed: { disabledTypes: ['pos_payment', 'transfer_p2p'] },
      figures: nothing,
    },
    {
      reason: 'daily_limit',
      leg: { accountId: 'w4', amount: -10, dailyUse: 10 },
      flawed: { dailyLimit: 50, dailyUsed: 43, dailyOn: TODAY },
      figures: { available: 7, required: 10 },
    },
    {
      reason: 'ceiling',
      leg: { accountId: 'w5', amount: 30 },
      flawed: { ceiling: 1_029 },
      figures: { available: 29, required: 30 },
    },
    {
      reason: 'floor',
      leg: { accountId: 'w6', amount: -10 },
      flawed: { balance: 9 },
      figures: { available: 9, required: 10 },
    },
  ];

  function accountsWith(has: (flaw: Flaw) => boolean): Account[] {
    return FLAWS.flatMap((flaw) => {
      if (!has(flaw)) return [account(flaw.leg.accountId)];
      return flaw.flawed ? [account(flaw.leg.accountId, flaw.flawed)] : [];
    });
  }

  const legs = FLAWS.map(({ leg }) => leg);

  test('a movement without a flaw is posted', () => {
    assert.equal(
      ends(
        accountsWith(() => false),
        movement(legs),
      ),
      'posted',
    );
  });

  for (const flaw of FLAWS) {
    test(`${flaw.reason}: names the account and the figures, and changes nothing`, () => {
      const state = stateOf({ accounts: accountsWith((each) => each === flaw) });
      const { outcomes, changed } = decide(state, [movement(legs)]);
      const { reason, leg, figures } = flaw;
      assert.deepEqual(outcomes, [{ outcome: 'refused', reason, subject: leg.accountId, ...figures }]);
      assert.deepEqual(changed, []);
    });
  }

  test('of any set of reasons, the first in order is given, whichever legs have them', () => {
    for (let set = 1; set < 2 ** FLAWS.length; set++) {
      const has = (flaw: Flaw) => (set & (1 << FLAWS.indexOf(flaw))) !== 0;
      const first = FLAWS.find(has);
      for (const order of [legs, legs.toReversed()]) {
        const outcome = only(stateOf({ accounts: accountsWith(has) }), movement(order));
        assert.equal(short(outcome), first?.reason, `of ${FLAWS.filter(has).map(({ reason }) => reason)}`);
        assert.equal((outcome as { subject?: string }).subject, first?.leg.accountId);
      }
    }
  });

  test('one account with every flaw: the order is the same', () => {
    const flaws: [RefusalReason, Partial<Account>][] = [
      ['account_frozen', { frozen: true }],
      ['type_disabled', { disabledTypes: ['transfer_p2p'] }],
      ['daily_limit', { dailyLimit: 99 }],
      ['floor', { balance: 99 }],
    ];
    for (const [index, [reason]] of flaws.entries()) {
      const terms = Object.assign({}, ...flaws.slice(index).map(([, each]) => each));
      assert.equal(ends([account('a', terms), account('b')], transfer(100, { dailyUse: 100 })), reason);
    }
  });

  test('a refused movement leaves the others of its batch as they would have been', () => {
    const batch = [transfer(600), transfer(600), transfer(400), transfer(1)];
    const { outcomes, changed } = decide(stateOf(), batch);
    assert.deepEqual(outcomes.map(short), ['posted', 'floor', 'posted', 'floor']);
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
    assert.deepEqual(outcomes.map(short), ['floor', 'posted', 'posted']);
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
    ['past a floor by permission', { balance: 0 }, {}, transfer(100, { passFloor: true }), 'posted'],
    ['up to a ceiling', {}, { balance: 900, ceiling: 1_000 }, transfer(100), 'posted'],
    ['one above a ceiling', {}, { balance: 901, ceiling: 1_000 }, transfer(100), 'ceiling'],
    ['from above a lowered ceiling, outward', { balance: 500, ceiling: 100 }, {}, transfer(100), 'posted'],
    ['onto an account below its floor', {}, { balance: -500 }, transfer(100), 'posted'],
  ];
  for (const [name, a, b, one, expected] of cases) {
    test(`${name}: ${expected}`, () => assert.equal(ends([account('a', a), account('b', b)], one), expected));
  }

  test('a leg may pass the ceiling by permission', () => {
    const full = [account('a'), account('b', { ceiling: 1_000 })];
    const [from, to] = transfer(100).legs as [Leg, Leg];
    assert.equal(ends(full, movement([from, to])), 'ceiling');
    assert.equal(ends(full, movement([from, { ...to, passCeiling: true }])), 'posted');
  });

  test('the permission of one leg is not that of another, nor of another bound', () => {
    const poor = [account('a', { balance: 0 }), account('b')];
    const [from, to] = transfer(100).legs as [Leg, Leg];
    assert.equal(ends(poor, movement([from, { ...to, passFloor: true }])), 'floor');
    assert.equal(ends(poor, movement([{ ...from, passCeiling: true, passFrozen: true }, to])), 'floor');
  });

  test('a shortage never names a negative amount as available', () => {
    const outcome = only(stateOf({ accounts: [account('a', { balance: -50 }), account('b')] }), transfer(100));
    assert.deepEqual(outcome, { outcome: 'refused', reason: 'floor', subject: 'a', available: 0, required: 100 });
    const lowered = account('a', { dailyLimit: 10, dailyUsed: 60, dailyOn: TODAY });
    const limited = only(stateOf({ accounts: [lowered, account('b')] }), transfer(100, { dailyUse: 100 }));
    assert.deepEqual([short(limited), (limited as { available?: number }).available], ['daily_limit', 0]);
  });

  test('a leg of nothing is bound by nothing', () => {
    const accounts = [account('a'), account('b', { balance: 2_000, ceiling: 1_000 }), account('fees')];
    const swallowed = movement([
      { accountId: 'a', amount: -100 },
      { accountId: 'b', amount: 0, fee: 100 },
      { accountId: 'fees', amount: 100 },
    ]);
    const outcome = only(stateOf({ accounts }), swallowed);
    assert.equal(outcome.outcome === 'posted' && outcome.postings[1]?.balanceAfter, 2_000);
  });

  test('where there is no bound, what a double holds exactly is one', () => {
    const free = { floor: null };
    const top = [account('a', free), account('b', { balance: MAX - 100 })];
    assert.equal(ends(top, transfer(100)), 'posted');
    assert.equal(ends(top, transfer(101)), 'ceiling');
    const bottom = [account('a', { ...free, balance: -MAX + 100 }), account('b')];
    assert.equal(ends(bottom, transfer(100)), 'posted');
    assert.equal(ends(bottom, transfer(101)), 'floor');
    assert.equal(ends(bottom, transfer(101, { passFloor: true })), 'floor');
    assert.equal(ends([account('a', { balance: MAX }), account('b', { balance: 0 })], transfer(MAX)), 'posted');
    assert.equal(ends([account('a', free), account('b', { balance: -MAX })], transfer(MAX)), 'posted');
  });

  test('the use of a day stays exact without a limit too', () => {
    const accounts = [account('a', { floor: null, dailyUsed: MAX - 100, dailyOn: TODAY }), account('b')];
    assert.equal(ends(accounts, transfer(100, { dailyUse: 100 })), 'posted');
    assert.equal(ends(accounts, transfer(101, { dailyUse: 101 })), 'daily_limit');
  });
});

describe('freezing and disabled types', () => {
  test('a frozen account neither sends nor receives', () => {
    assert.equal(ends([account('a', { frozen: true }), account('b')], transfer(1)), 'account_frozen');
    assert.equal(ends([account('a'), account('b', { frozen: true })], transfer(1)), 'account_frozen');
  });

  test('an account of another kind than its leg names is as missing', () => {
    const accounts = [account('a', { kind: 'agent_float' }), account('b')];
    assert.equal(ends(accounts, transfer(1, { kind: 'wallet' })), 'account_missing');
    assert.equal(ends(accounts, transfer(1, { kind: 'agent_float' })), 'posted');
    assert.equal(ends(accounts, transfer(1)), 'posted');
  });

  test('a disabled type is refused on either side, other types are not', () => {
    const disabled: Partial<Account> = { disabledTypes: ['transfer_p2p'] };
    assert.equal(ends([account('a', disabled), account('b')], transfer(1)), 'type_disabled');
    assert.equal(ends([account('a'), account('b', disabled)], transfer(1)), 'type_disabled');
    assert.equal(ends([account('a', disabled), account('b')], transfer(1, {}, { type: 'pos_payment' })), 'posted');
  });

  test('what undoes a payment passes both on its own leg, not on the other', () => {
    const closed: Partial<Account> = { frozen: true, disabledTypes: ['transfer_p2p'] };
    assert.equal(ends([account('a', closed), account('b')], transfer(1, { passFrozen: true })), 'posted');
    assert.equal(ends([account('a'), account('b', closed)], transfer(1, { passFrozen: true })), 'account_frozen');
  });
});

describe('the limit of a day', () => {
  const limited = (terms: Partial<Account>) => [account('a', { dailyLimit: 500, ...terms }), account('b')];
  const use = (amount: number) => transfer(amount, { dailyUse: amount });
  const YESTERDAY = TODAY - 1;
  const cases: [string, Partial<Account>, Movement, string][] = [
    ['all of it', {}, use(500), 'posted'],
    ['one more', {}, use(501), 'daily_limit'],
    ['what is left of it', { dailyUsed: 400, dailyOn: TODAY }, use(100), 'posted'],
    ['one more than is left', { dailyUsed: 401, dailyOn: TODAY }, use(100), 'daily_limit'],
    ['anew on the next day', { dailyUsed: 500, dailyOn: YESTERDAY }, use(500), 'posted'],
    ['not anew when the clock went back over midnight', { dailyUsed: 500, dailyOn: TODAY + 1 }, use(1), 'daily_limit'],
    ['what does not count', { dailyUsed: 500, dailyOn: TODAY }, transfer(100), 'posted'],
    ['nothing', { dailyUsed: 500, dailyOn: TODAY }, transfer(100, { dailyUse: 0 }), 'posted'],
    ['without a limit', { dailyLimit: null, dailyUsed: 900, dailyOn: TODAY }, use(1_000), 'posted'],
  ];
  for (const [name, terms, one, expected] of cases) {
    test(`${name}: ${expected}`, () => assert.equal(ends(limited(terms), one), expected));
  }

  test('only what was posted uses it up, and the receiver uses nothing', () => {
    const { outcomes, changed } = decide(stateOf({ accounts: limited({}) }), [use(300), use(300), use(200), use(1)]);
    assert.deepEqual(outcomes.map(short), ['posted', 'daily_limit', 'posted', 'daily_limit']);
    assert.deepEqual(
      changed.map(({ id, dailyUsed, dailyOn }) => [id, dailyUsed, dailyOn]),
      [
        ['a', 500, TODAY],
        ['b', 0, TODAY],
      ],
    );
  });

  test('the first millisecond of a UTC day begins it', () => {
    const midnight = (TODAY + 1) * DAY_MS;
    const spent = limited({ dailyUsed: 500, dailyOn: TODAY });
    assert.equal(ends(spent, use(1), midnight - 1), 'daily_limit');
    assert.equal(ends(spent, use(1), midnight), 'posted');
  });

  test('a day that is later than the clock is kept', () => {
    const accounts = limited({ dailyUsed: 100, dailyOn: TODAY + 1 });
    const [a] = decide(stateOf({ accounts }), [use(100)]).changed;
    assert.deepEqual([a?.dailyUsed, a?.dailyOn], [200, TODAY + 1]);
  });
});

describe('requests', () => {
  const before: KnownRequest = { hash: 'aa', movementId: 'txn_before', reply: '{"n":1}' };
  const known: [string, KnownRequest][] = [[requestMapKey({ scope: 'key_1', id: 'r1' }), before]];

  test('a known request is answered as it was, before anything is looked at', () => {
    const state = stateOf({ accounts: [], known });
    const replayed = { outcome: 'replayed', movementId: 'txn_before', reply: '{"n":1}' };
    assert.deepEqual(only(state, transfer(1, {}, asked('r1', 'aa'))), replayed);
    assert.deepEqual(only(state, transfer(1, {}, asked('r1', 'ab'))), { outcome: 'conflict' });
  });

  test("another credential's request id is another request", () => {
    assert.equal(short(only(stateOf({ known }), transfer(1, {}, asked('r1', 'ab', 'key_2')))), 'posted');
  });

  test('within one batch the second is a replay or a conflict, without a second effect', () => {
    const batch = ['aa', 'aa', 'bb', 'aa'].map((hash) => transfer(400, {}, asked('r2', hash)));
    const { outcomes, changed } = decide(stateOf(), batch);
    assert.deepEqual(outcomes.map(short), ['posted', 'replayed', 'conflict', 'replayed']);
    assert.deepEqual(outcomes[1], { outcome: 'replayed', movementId: batch[0]?.id, reply: null });
    assert.equal(changed[0]?.balance, 600);
  });

  test('a refusal is not remembered: the next one of the batch is decided anew, with other details too', () => {
    const batch = [transfer(2_000, {}, asked('r3', 'aa')), transfer(500, {}, asked('r3', 'bb'))];
    assert.deepEqual(decide(stateOf(), batch).outcomes.map(short), ['floor', 'posted']);
  });

  test('without a request nothing is deduplicated', () => {
    const one = transfer(400);
    assert.deepEqual(decide(stateOf(), [one, one, one]).outcomes.map(short), ['posted', 'posted', 'floor']);
  });

  test('a scope and an id cannot be cut in two ways', () => {
    const parts = [
      { scope: 'a', id: 'b c' },
      { scope: 'a b', id: 'c' },
      { scope: 'ab', id: 'c' },
      { scope: 'a', id: 'bc' },
    ];
    assert.equal(new Set(parts.map(requestMapKey)).size, parts.length);
  });
});

describe('the order of postings', () => {
  const back = (now: number) => stateOf({ now, accounts: [account('a', { lastSeq: NOON * 1_000 + 7 }), account('b')] });

  test('seq is the instant in microseconds, one more for each within it, and never goes back', () => {
    const cases: [number, number[]][] = [
      [NOON + 1, [1_000, 1_001, 1_002]],
      [NOON, [8, 9, 10]],
      [NOON - 5_000, [8, 9, 10]],
    ];
    for (const [now, expected] of cases) {
      const { outcomes, changed } = decide(back(now), [transfer(1), transfer(1), transfer(1)]);
      const seqs = outcomes.map((outcome) => outcome.outcome === 'posted' && outcome.postings[0]?.seq);
      assert.deepEqual(
        seqs,
        expected.map((step) => NOON * 1_000 + step),
      );
      assert.equal(changed[0]?.lastSeq, seqs.at(-1));
    }
  });

  test('postings carry the balance after them and the fee the account bore', () => {
    const accounts = [account('a'), account('b'), account('fees', { floor: null, balance: -5 })];
    const priced = movement([
      { accountId: 'a', amount: -102, fee: 2 },
      { accountId: 'b', amount: 97, fee: 3 },
      { accountId: 'fees', amount: 5 },
    ]);
    const at = NOON * 1_000;
    const outcome = only(stateOf({ accounts }), priced);
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
  function frozen<T>(value: T): T {
    if (typeof value === 'object' && value !== null) {
      Object.freeze(value);
      for (const each of value instanceof Map ? value.values() : Object.values(value)) frozen(each);
    }
    return value;
  }

  test('what it is given stays as it was, and the same again ends the same way', () => {
    const accounts = [account('a', { dailyLimit: 900 }), account('b'), account('c', { frozen: true })];
    const known: [string, KnownRequest][] = [['key_1\nr0', { hash: '00', movementId: 'txn_0', reply: '' }]];
    const state = frozen(stateOf({ accounts, known }));
    const batch = frozen([
      transfer(100, { dailyUse: 100 }, asked('r0')),
      transfer(100, { dailyUse: 100 }, asked('r1')),
      transfer(100, { dailyUse: 100 }, asked('r1')),
      transfer(9_999),
      transfer(300),
    ]);
    const copy = structuredClone(state);
    const first = decide(state, batch);
    assert.deepEqual(state, copy);
    assert.deepEqual(decide(state, batch), first);
    assert.deepEqual(first.outcomes.map(short), ['replayed', 'posted', 'replayed', 'floor', 'posted']);
  });

  test('accounts that nothing moved on are not among the changed', () => {
    const accounts = [account('a'), account('b'), account('c')];
    assert.deepEqual(
      decide(stateOf({ accounts }), [transfer(1)]).changed.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.deepEqual(decide(stateOf(), []), { outcomes: [], changed: [], used: new Map() });
  });
});

describe('a movement that is built wrong is stopped', () => {
  const leg = (accountId: string, amount: number): Leg => ({ accountId, amount });
  const cases: [string, Leg[], RegExp][] = [
    ['no legs', [], /sum to zero/],
    ['one leg of nothing', [leg('a', 0)], /sum to zero/],
    ['legs that leave something over', [leg('a', -10), leg('b', 9)], /sum to zero/],
    ['a fraction', [leg('a', -0.5), leg('b', 0.5)], /leg of -0.5/],
    ['more than a double holds', [leg('a', -MAX - 1), leg('b', MAX + 1)], /leg of/],
    ['not a number', [leg('a', Number.NaN), leg('b', 1)], /leg of NaN/],
    ['two legs on one account', [leg('a', -10), leg('a', 10)], /two legs/],
  ];
  for (const [name, legs, message] of cases) {
    test(name, () => assert.throws(() => assertBalanced(movement(legs)), message));
  }

  test('one that is built right is not', () => assertBalanced(transfer(1)));
});

describe('allowances', () => {
  const takes = (amount: number, limit: number, id = 'refund:1') =>
    transfer(amount, {}, { allowances: [{ id, amount, limit }] });

  test('movements take from one total until it is used up, and the rest is refused with what is left', () => {
    const { outcomes, used } = decide(stateOf({ allowances: [['refund:1', 50]] }), [
      takes(40, 100),
      takes(11, 100),
      takes(10, 100),
    ]);
    assert.deepEqual(outcomes.map(short), ['posted', 'allowance', 'posted']);
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

  test('a movement that is refused for another reason takes nothing', () => {
    const { outcomes, used } = decide(stateOf(), [takes(1_001, 5_000), takes(1, 5_000)]);
    assert.deepEqual(outcomes.map(short), ['floor', 'posted']);
    assert.deepEqual(used, new Map([['refund:1', 1]]));
  });

  test('an allowance is refused after the limit of the day and before the bounds', () => {
    const over = takes(2_000, 5);
    assert.equal(short(decide(stateOf(), [over]).outcomes[0] as Outcome), 'allowance');
    const daily = { ...over, legs: [{ accountId: 'a', amount: -2_000, dailyUse: 2_000 }, over.legs[1] as Leg] };
    const limited = stateOf({ accounts: [account('a', { dailyLimit: 10 }), account('b')] });
    assert.equal(short(decide(limited, [daily]).outcomes[0] as Outcome), 'daily_limit');
  });
});

describe('a refusal that is remembered', () => {
  test('is answered again in the same batch, though it would succeed by now', () => {
    const asking = { ...asked('r1'), storesRefusal: true };
    const { outcomes } = decide(stateOf(), [
      transfer(2_000, {}, asking),
      movement([
        { accountId: 'b', amount: -1_000 },
        { accountId: 'a', amount: 1_000 },
      ]),
      transfer(2_000, {}, asking),
      transfer(1_999, {}, { request: { scope: 'key_1', id: 'r1', hash: '11' } }),
    ]);
    assert.deepEqual(outcomes.map(short), ['floor', 'posted', 'replayed', 'conflict']);
  });

  test('tells what the accounts held at its turn', () => {
    const { outcomes } = decide(stateOf(), [
      transfer(400),
      transfer(2_000, {}, { ...asked('r1'), storesRefusal: true }),
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

  test('is not one for a frozen account that says so, and is one for the other account', () => {
    const asking = { ...asked('r1'), storesRefusal: true };
    const frozenBy = (id: string) =>
      stateOf({ accounts: [account('a', { frozen: id === 'a' }), account('b', { frozen: id === 'b' })] });
    const twice = (id: string) =>
      decide(frozenBy(id), [
        transfer(1, { retryWhenFrozen: true }, asking),
        transfer(1, { retryWhenFrozen: true }, asking),
      ]).outcomes;
    assert.deepEqual(twice('a').map(short), ['account_frozen', 'account_frozen']);
    assert.equal('balances' in (twice('a')[0] as Outcome), false);
    assert.deepEqual(twice('b').map(short), ['account_frozen', 'replayed']);
  });

  test('is not kept when nobody said so', () => {
    const { outcomes } = decide(stateOf(), [
      transfer(2_000, {}, asked('r1')),
      movement([
        { accountId: 'b', amount: -1_000 },
        { accountId: 'a', amount: 1_000 },
      ]),
      transfer(2_000, {}, asked('r1')),
    ]);
    assert.deepEqual(outcomes.map(short), ['floor', 'posted', 'posted']);
  });
});
