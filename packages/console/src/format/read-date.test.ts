// Dates as people write them, and the periods of filters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periods, readDate } from './read-date.ts';

const NOW = '2026-03-01';

test('dates are read as people write them, the day first', () => {
  const texts = [
    '16 Nov 2026',
    '16 november 2026',
    '16/11/2026',
    '16.11.2026',
    '16-11-2026',
    '2026-11-16',
    '16 Nov',
    ' 16/11 ',
  ];
  for (const text of texts) assert.equal(readDate(text, NOW), '2026-11-16', text);
  assert.equal(readDate('5/4/2026', NOW), '2026-04-05');
  assert.equal(readDate('Today', NOW), NOW);
  assert.equal(readDate('yesterday', NOW), '2026-02-28');
});

test('what is not a date is refused', () => {
  for (const text of ['', '16', 'soon', '31/02/2026', '12/13/2026', '1/2/26', '1/2/2026/3', 'x/y/z', '2026-11']) {
    assert.equal(readDate(text, NOW), null, text);
  }
});

test('periods include both days, and weeks begin on Monday', () => {
  assert.deepEqual(periods(NOW), {
    today: { from: '2026-03-01', to: '2026-03-01' },
    yesterday: { from: '2026-02-28', to: '2026-02-28' },
    'this week': { from: '2026-02-23', to: '2026-03-01' },
    'last week': { from: '2026-02-16', to: '2026-02-22' },
    'this month': { from: '2026-03-01', to: '2026-03-01' },
    'last month': { from: '2026-02-01', to: '2026-02-28' },
  });
});
