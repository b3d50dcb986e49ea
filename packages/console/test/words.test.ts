// How the console writes ages, cover and actions, and what it tells finance to do before a day is closed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACTIONS } from '../../../src/features/approvals/actions.ts';
import { ratioInPercent } from '../src/format/money.ts';
import { fromNow } from '../src/format/time.ts';
import { MOVES_MONEY, TITLES } from '../src/screens/approvals/titles.ts';
import { stepBeforeClose } from '../src/screens/finance/open-items.ts';

test('ages of more than a day are in days, however long', () => {
  const now = Date.parse('2026-11-17T12:00:00Z');
  const ago = (days: number) => fromNow(new Date(now - days * 86_400_000).toISOString(), now);
  assert.deepEqual([ago(1), ago(29), ago(58), ago(400)], ['1 day ago', '29 days ago', '58 days ago', '400 days ago']);
  assert.equal(fromNow('2026-11-17T14:30:00Z', now), 'in 2 hours');
  assert.equal(fromNow('2026-11-17T12:00:30Z', now), 'in less than a minute');
});

test('a cover ratio is written in percent, and not rounded up', () => {
  assert.deepEqual(['1.1462', '0.9999', '1.0000'].map(ratioInPercent), ['114.62 %', '99.99 %', '100.00 %']);
});

test('before a day is closed, its statements are recorded, then the items up to that day are matched', () => {
  const day = '2026-11-16';
  const none = { under_1_day: 0, under_3_days: 0, under_7_days: 0, older: 0 };
  const nothing = { bank: none, books: none };
  const statements = (missing: number, covered_until: string | null) => ({ missing, late: 0, covered_until, gaps: [] });
  const step = (given: ReturnType<typeof statements>, unmatched = nothing) =>
    stepBeforeClose(day, { statements: given, unmatched });
  assert.deepEqual(step(statements(2, '2026-11-15')), { step: 'record' });
  assert.deepEqual(step(statements(1, null)), { step: 'record' });
  const open = { bank: { ...none, under_1_day: 1 }, books: { ...none, under_1_day: 4, under_3_days: 2 } };
  assert.deepEqual(step(statements(0, day), open), { step: 'match', open: 3 }, 'without the movements of today');
  assert.deepEqual(step(statements(0, day)), { step: 'close' });
});

test('every action that may need approval has a title of its own, without its code', () => {
  assert.deepEqual(Object.keys(TITLES).toSorted(), Object.keys(ACTIONS).toSorted());
  const titles = Object.values(TITLES);
  assert.equal(new Set(titles).size, titles.length);
  for (const title of titles) assert.match(title, /^[A-Z][a-zA-Z’', ]+$/);
  // Those whose policy can have a threshold; policies that are always on have none.
  const withAmount = Object.entries(ACTIONS).filter(([, action]) => action.movesMoney && !action.always);
  assert.deepEqual(MOVES_MONEY.toSorted(), withAmount.map(([name]) => name).toSorted());
});
