// The fast path of payments when a look-up fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { systemClock } from '../kernel/clock.ts';
import { createPayments } from './execute.ts';

const mustNotBeCalled = () => assert.fail('must not be called');

test('the fast path rejects only after the preparation has ended, so that the caller can release its resources', async () => {
  const steps: string[] = [];
  const payments = createPayments({
    ledger: { post: mustNotBeCalled },
    clock: systemClock,
    answered: mustNotBeCalled,
    rules: () => Promise.reject(new Error('the rules cannot be read')),
    feeSettings: async () => [],
    stripe: 0,
  });
  const paid = payments
    .tryFastPath('transfer_p2p', 100, async () => {
      await endOfTurn();
      steps.push('prepared');
      return null;
    })
    .finally(() => steps.push('released'));
  await assert.rejects(paid, /cannot be read/);
  assert.deepEqual(steps, ['prepared', 'released']);
});
