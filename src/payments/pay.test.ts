// The order of a payment's steps where one of its look-ups fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Payments } from './execute.ts';
import { carryOut } from './pay.ts';

const UNUSED = () => assert.fail('nothing may be asked any more');

test('a payment whose rules cannot be read ends only after what was presumed of it: whatever that holds is let go', async () => {
  const told: string[] = [];
  const payments = {
    prices: async () => [],
    watch: () => Promise.reject(new Error('the rules cannot be read')),
    ...{ replay: UNUSED, execute: UNUSED, attempt: UNUSED, remember: UNUSED },
  } as unknown as Payments;
  const paid = carryOut(payments, {
    type: 'transfer_p2p',
    request: null,
    amount: 100,
    async presume() {
      await endOfTurn();
      told.push('held');
      return null;
    },
    ...{ find: UNUSED, statusRefusal: UNUSED, payment: UNUSED },
    end: () => told.push('let go'),
  });
  await assert.rejects(paid, /cannot be read/);
  assert.deepEqual(told, ['held', 'let go']);
});
