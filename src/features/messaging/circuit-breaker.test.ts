// The circuit breaker: opened by failures in a row, tried by one after a while, deaf to what was begun before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBreaker } from './circuit-breaker.ts';

function breaker() {
  let now = 0;
  const told: string[] = [];
  const made = createBreaker({
    clock: { now: () => now },
    threshold: 3,
    openMs: 100,
    changed: (state) => told.push(state),
  });
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) made.begin()?.failed();
  };
  const begin = () => made.begin() ?? assert.fail('it is open');
  return {
    told,
    fail,
    begin,
    isOpen: () => made.begin() === null,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

test('stays closed while failures are not in a row', () => {
  const { fail, begin, isOpen, told } = breaker();
  for (let n = 0; n < 5; n++) {
    fail(2);
    begin().succeeded();
  }
  assert.equal(isOpen(), false);
  assert.deepEqual(told, []);
});

test('opens at the threshold, until its time is over to the millisecond', () => {
  const { fail, isOpen, advance, begin, told } = breaker();
  fail(3);
  assert.equal(isOpen(), true);
  advance(99);
  assert.equal(isOpen(), true);
  advance(1);
  const trial = begin();
  assert.equal(isOpen(), true, 'one tries, the others wait');
  trial.failed();
  assert.equal(isOpen(), true);
  advance(100);
  begin().succeeded();
  assert.equal(isOpen(), false);
  assert.deepEqual(told, ['open', 'closed']);
});

test('is moved neither way by what was begun before it opened', () => {
  const { fail, begin, isOpen, advance } = breaker();
  const [slow, slower] = [begin(), begin()];
  fail(3);
  slow.succeeded();
  assert.equal(isOpen(), true);
  advance(100);
  const trial = begin();
  slower.failed();
  trial.succeeded();
  assert.equal(isOpen(), false);
});
