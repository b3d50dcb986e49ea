// How long a batch waits for more orders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Collecting } from './collecting.ts';

test('the orders of a lone client never wait', () => {
  const collecting = new Collecting();
  for (let n = 0; n < 10; n++) {
    collecting.arrived(1, 1);
    assert.equal(collecting.more(1, performance.now()), null);
  }
});

test('waits for as many orders as there were at once, and no longer', async () => {
  const collecting = new Collecting();
  collecting.arrived(1, 3);
  collecting.arrived(1, 1);
  const more = collecting.more(1, performance.now());
  assert.ok(more);
  collecting.arrived(2, 2);
  collecting.arrived(3, 3);
  await more;
  assert.equal(collecting.more(3, performance.now()), null);
});

test('ends the wait even if no other order arrives', async () => {
  const collecting = new Collecting();
  collecting.arrived(1, 2);
  await collecting.more(1, performance.now());
});

test('orders that have waited long enough do not wait again', () => {
  const collecting = new Collecting();
  collecting.arrived(1, 5);
  assert.equal(collecting.more(1, performance.now() - 1_000), null);
});
