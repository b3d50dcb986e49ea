// How much of a card payment can still be refunded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remainsToRefund } from './refundable.ts';

test('earlier refunds reduce what can be refunded, other related payments do not', () => {
  assert.equal(remainsToRefund({ amount: 50_000, related: [] }), 50_000);
  const related = [
    { type: 'pos_refund', amount: 12_050 },
    { type: 'pos_refund', amount: 7_950 },
    { type: 'pos_payment', amount: 99_999 },
  ];
  assert.equal(remainsToRefund({ amount: 50_000, related }), 30_000);
  assert.equal(remainsToRefund({ amount: 20_000, related }), 0);
});
