// Simulation of the ledger with random movements: 50,000 agree with the model, and each injected defect is detected.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BatchState } from '../../src/ledger/batch-state.ts';
import { type Decision, decide } from '../../src/ledger/posting/decide.ts';
import type { Account, Leg, Movement } from '../../src/ledger/types.ts';
import type { VelocityRule } from '../../src/ledger/velocity/rules.ts';
import { simulate } from './simulator.ts';

const MOVEMENTS = 50_000;
const OUTCOMES = [
  'posted',
  'replayed',
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
  'accrued',
  'settled',
  'taken back',
  'held',
  'hold captured',
  'hold released',
  'hold expired',
  'hold_ended',
  'recorded',
  'expired',
  'batch answered',
  'batch lost before commit',
  'batch lost after commit',
];

test(`${MOVEMENTS} random movements have the outcomes that the model predicts`, async () => {
  // A new seed each time; the message of a failure contains it.
  const seed = Math.floor(Math.random() * 2 ** 32);
  const tally = await simulate({ seed, movements: MOVEMENTS });
  assert.ok((tally.posted ?? 0) > MOVEMENTS / 20, `one in twenty is posted with seed ${seed}`);
});

test('every outcome occurs', async () => {
  // A fixed seed, because the frequency of the rarest outcome varies widely between seeds.
  const tally = await simulate({ seed: 2, movements: MOVEMENTS });
  for (const outcome of OUTCOMES) assert.ok((tally[outcome] ?? 0) >= 50, `${outcome} occurs`);
});

test('the same seed gives the same run', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => simulate({ seed: 7, movements: 3_000 })));
  assert.deepEqual(first, second);
});

/** With this seed the last defect to show, blocking rules that only flag, needs 2,064. */
const DEFECT_MOVEMENTS = 6_000;

describe('a defect in decide is detected and reported with its seed and shortest failing prefix', () => {
  type Decide = (state: BatchState, batch: readonly Movement[]) => Decision;
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
  const defects: Record<string, Decide> = {
    'the floor is one too low': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({ ...account, floor: account.floor === null ? null : account.floor - 1 })),
        batch,
      ),
    'the ceiling is one too low': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({
          ...account,
          ceiling: account.ceiling === null ? null : account.ceiling - 1,
        })),
        batch,
      ),
    'the daily total never resets': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({ ...account, dailyOn: 99_999_999 })),
        batch,
      ),
    'daily use is not counted': (state, batch) =>
      decide(
        state,
        eachLeg(batch, ({ dailyUse: _, ...leg }) => leg),
      ),
    'frozen accounts are ignored': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({ ...account, frozen: false })),
        batch,
      ),
    'what is held is available': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({ ...account, held: -1_000_000 })),
        batch,
      ),
    'a hold ends twice': (state, batch) => decide({ ...state, endedHolds: new Set() }, batch),
    'holds never expire': (state, batch) =>
      decide(
        state,
        batch.map(({ validUntil: _, ...movement }) => movement),
      ),
    'holds do not count for rules': (state, batch) => decide({ ...state, activeHolds: new Map() }, batch),
    'what is not captured counts for the day': (state, batch) =>
      decide(
        state,
        batch.map(({ endsHold, ...movement }) =>
          endsHold ? { ...movement, endsHold: { ...endsHold, givenBack: 0 } } : movement,
        ),
      ),
    'known requests are ignored': (state, batch) => decide({ ...state, known: new Map() }, batch),
    'conflicting requests are replayed': (state, batch) =>
      decide(
        { ...state, known: new Map([...state.known].map(([key, known]) => [key, { ...known, hash: '' }])) },
        batch.map((movement) => ({ ...movement, request: movement.request && { ...movement.request, hash: '' } })),
      ),
    'blocked cards are ignored': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({ ...account, blockedCards: [] })),
        batch,
      ),
    'allowances are ignored': (state, batch) => decide({ ...state, allowances: new Map() }, batch),
    'records use no totals': (state, batch) =>
      decide(
        state,
        batch.map((movement) => (movement.isRecord ? { ...movement, allowances: [] } : movement)),
      ),
    'records never expire': (state, batch) =>
      decide(
        state,
        batch.map(({ validUntil, ...movement }) =>
          movement.isRecord || validUntil === undefined ? movement : { ...movement, validUntil },
        ),
      ),
    'velocity windows are a millisecond too long': (state, batch) =>
      decide(
        state,
        eachRule(batch, (rule) => ({ ...rule, windowMs: rule.windowMs + 1 })),
      ),
    'blocking rules only flag': (state, batch) =>
      decide(
        state,
        eachRule(batch, (rule) => ({ ...rule, outcome: 'flag' })),
      ),
    'reaching a threshold counts as exceeding it': (state, batch) =>
      decide(
        state,
        eachRule(batch, (rule) => ({ ...rule, threshold: rule.threshold - 1 })),
      ),
    'activity windows are ignored': (state, batch) =>
      decide(
        { ...state, activity: new Map([...(state.activity?.keys() ?? [])].map((id) => [id, { since: 0, runs: [] }])) },
        batch,
      ),
    'refusals are not stored': (state, batch) =>
      decide(
        state,
        batch.map((movement) => ({ ...movement, storesRefusal: false })),
      ),
    'seq does not advance': (state, batch) =>
      decide(
        eachAccount(state, (account) => ({ ...account, lastSeq: 0 })),
        batch,
      ),
    'the last movement of a batch is decided on stale balances': (state, batch) => {
      const whole = decide(state, batch.slice(0, -1));
      const last = decide(state, batch.slice(-1));
      return {
        outcomes: [...whole.outcomes, ...last.outcomes],
        movements: [...whole.movements, ...last.movements],
        changed: [...whole.changed, ...last.changed],
        used: new Map([...whole.used, ...last.used]),
      };
    },
  };
  for (const [name, defective] of Object.entries(defects)) {
    test(name, async () => {
      const failure = await simulate({ seed: 11, movements: DEFECT_MOVEMENTS, decide: defective }).catch(
        (error: Error) => error,
      );
      assert.ok(failure instanceof Error, 'the defect is detected');
      const [, length] = failure.message.match(/^seed 11, movements (\d+) \(the shortest prefix that fails\):\n/) ?? [];
      assert.ok(Number(length) < DEFECT_MOVEMENTS, failure.message);
      assert.match(failure.message, /\nafter\n(?:[\s\S]*\n)? {2}\d+ \w+ \S+ → \S+ \d+ as /);
      await simulate({ seed: 11, movements: Number(length) - 1, decide: defective });
    });
  }
});
