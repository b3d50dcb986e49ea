// How the console writes ages and cover, and what it tells finance to do before a day is closed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ratioInPercent } from '../src/format/money.ts';
import { fromNow } from '../src/format/time.ts';
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
