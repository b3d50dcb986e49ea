// The seeded random walk over the ledger: 50,000 movements agree with the model, and a ledger with a flaw does not.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Decision, decide } from '../../src/ledger/posting/decide.ts';
import type { Account, BatchState, Leg, Movement } from '../../src/ledger/types.ts';
import type { VelocityRule } from '../../src/ledger/velocity/rules.ts';
import { simulate } from './simulator.ts';

const MOVEMENTS = 50_000;
const WAYS_TO_END = [
  'done',
  'repeated',
  'conflict',
  'account_missing',
  'account_frozen',
  'type_disabled',
  'card_blocked',
  'compliance',
  'flagged',
  'looked up',
  'at least',
  'daily_limit',
  'allowance',
  'ceiling',
  'floor',
  'batch answered',
  'batch lost before commit',
  'batch lost after commit',
];

test(`${MOVEMENTS} movements end as the model says`, async () => {
  // Another walk each time; the seed of one that fails is in its message.
  const seed = Math.floor(Math.random() * 2 ** 32);
  const tally = await simulate({ seed, movements: MOVEMENTS });
  assert.ok((tally.done ?? 0) > MOVEMENTS / 20, `much is done with seed ${seed}`);
});

test('every way to end occurs', async () => {
  // Always the same walk: how often the rarest way occurs differs much from one to the next.
  const tally = await simulate({ seed: 1, movements: MOVEMENTS });
  for (const way of WAYS_TO_END) assert.ok((tally[way] ?? 0) >= 50, `${way} occurs`);
});

test('the same seed walks the same way', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => simulate({ seed: 7, movements: 3_000 })));
  assert.deepEqual(first, second);
});

describe('a ledger with a flaw is found, by its seed and its shortest prefix', () => {
  type Flawed = (state: BatchState, batch: readonly Movement[]) => Decision;
  const eachAccount = (state: BatchState, change: (account: Account) => Account): BatchState => ({
    ...state,
    accounts: new Map([...state.accounts].map(([id, account]) => [id, change(account)])),
  });
  const eachLeg = (batch: readonly Movement[], change: (leg: Leg) => Leg) =>
    batch.map((movement) => ({ ...movement, legs: movement.legs.map(change) }));
  const eachRule = (batch: readonly Movement[], change: (rule: VelocityRule) => VelocityRule) =>
    batch.map((movement) => {
      const { velocityCheck } = movement;
      return velocityCheck
        ? { ...movement, velocityCheck: { ...velocityCheck, rules: velocityCheck.rules.map(change) } }
        : movement;
    });
  const flaws: Record<string, Flawed> = {
    'a floor that is one too low': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({ ...account, floor: account.floor === null ? null : account.floor - 1 })),
        batch,
      ),
    'a ceiling that is one too low': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({
          ...account,
          ceiling: account.ceiling === null ? null : account.ceiling - 1,
        })),
        batch,
      ),
    'a day that never ends': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({ ...account, dailyOn: 99_999_999 })),
        batch,
      ),
    'a limit that is not counted': (state, batch) =>
      decide(
        state,
        eachLeg(batch, ({ dailyUse: _, ...leg }) => leg),
      ),
    'freezing that is forgotten': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({ ...account, frozen: false })),
        batch,
      ),
    'requests that are forgotten': (state, batch) => decide({ ...state, known: new Map() }, batch),
    'conflicts that are taken for repeats': (state, batch) =>
      decide(
        { ...state, known: new Map([...state.known].map(([key, known]) => [key, { ...known, hash: '' }])) },
        batch.map((movement) => ({ ...movement, request: movement.request && { ...movement.request, hash: '' } })),
      ),
    'blocked cards that are forgotten': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({ ...account, blockedCards: [] })),
        batch,
      ),
    'allowances that are forgotten': (state, batch) => decide({ ...state, allowances: new Map() }, batch),
    'a window that is a millisecond too long': (state, batch) =>
      decide(
        state,
        eachRule(batch, (rule) => ({ ...rule, windowMs: rule.windowMs + 1 })),
      ),
    'rules that only flag': (state, batch) =>
      decide(
        state,
        eachRule(batch, (rule) => ({ ...rule, outcome: 'flag' })),
      ),
    'a threshold that is itself too much': (state, batch) =>
      decide(
        state,
        eachRule(batch, (rule) => ({ ...rule, threshold: rule.threshold - 1 })),
      ),
    'what accounts did is forgotten': (state, batch) =>
      decide(
        { ...state, activity: new Map([...(state.activity?.keys() ?? [])].map((id) => [id, { since: 0, runs: [] }])) },
        batch,
      ),
    'refusals that are not remembered': (state, batch) =>
      decide(
        state,
        batch.map((movement) => ({ ...movement, storesRefusal: false })),
      ),
    'a seq that stands still': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({ ...account, lastSeq: 0 })),
        batch,
      ),
    'a batch whose last movement is decided on old balances': (state, batch) => {
      const whole = decide(state, batch.slice(0, -1));
      const last = decide(state, batch.slice(-1));
      return {
        outcomes: [...whole.outcomes, ...last.outcomes],
        changed: [...whole.changed, ...last.changed],
        used: new Map([...whole.used, ...last.used]),
      };
    },
  };
  for (const [name, flawed] of Object.entries(flaws)) {
    test(name, async () => {
      const failure = await simulate({ seed: 11, movements: 5_000, decide: flawed }).catch((error: Error) => error);
      assert.ok(failure instanceof Error, 'it is found');
      const [, length] = failure.message.match(/^seed 11, movements (\d+) \(the shortest prefix that fails\):\n/) ?? [];
      assert.ok(Number(length) < 5_000, failure.message);
      assert.match(failure.message, /\nafter\n[\s\S]*\n {2}\d+ \w+ \S+ → \S+ \d+ as /);
      await simulate({ seed: 11, movements: Number(length) - 1, decide: flawed });
    });
  }
});
