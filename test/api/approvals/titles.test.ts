// The console's titles of the actions that may need approval.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOVES_MONEY, TITLES } from '../../../packages/console/src/screens/approvals/titles.ts';
import { ACTIONS } from '../../../src/features/approvals/actions.ts';

test('every action that may need approval has a title of its own, without its code', () => {
  assert.deepEqual(Object.keys(TITLES).toSorted(), Object.keys(ACTIONS).toSorted());
  const titles = Object.values(TITLES);
  assert.equal(new Set(titles).size, titles.length);
  for (const title of titles) assert.match(title, /^[A-Z][a-zA-Z’', ]+$/);
  // Those whose policy can have a threshold; policies that are always on have none.
  const withAmount = Object.entries(ACTIONS).filter(([, action]) => action.movesMoney && !action.always);
  assert.deepEqual(MOVES_MONEY.toSorted(), withAmount.map(([name]) => name).toSorted());
});
