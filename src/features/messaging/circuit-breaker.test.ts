// The circuit breaker: opens after consecutive failures, allows one trial request, ignores results of older requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBreaker } from './circuit-breaker.ts';

function breaker() {
  let now = 0;
  const changes: string[] = [];
  const instance = createBreaker({
    clock: { now: () => now },
    threshold: 3,
    openMs: 100,
    onChange: (state) => changes.push(state),
  });
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) instance.begin()?.failed();
  };
  const begin = () => instance.begin() ?? assert.fail('the breaker is open');
  return {
    changes,
    fail,
    begin,
    isOpen: () => instance.begin() === null,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

test('stays closed while failures are not consecutive', () => {
  const { fail, begin, isOpen, changes } = breaker();
  for (let n = 0; n < 5; n++) {
    fail(2);
    begin().succeeded();
  }
  assert.equal(isOpen(), false);
  assert.deepEqual(changes, []);
});

test('opens at the threshold and stays open for exactly openMs', () => {
  const { fail, isOpen, advance, begin, changes } = breaker();
  fail(3);
  assert.equal(isOpen(), true);
  advance(99);
  assert.equal(isOpen(), true);
  advance(1);
  const trial = begin();
  assert.equal(isOpen(), true, 'only one trial at a time');
  trial.failed();
  assert.equal(isOpen(), true);
  advance(100);
  begin().succeeded();
  assert.equal(isOpen(), false);
  assert.deepEqual(changes, ['open', 'closed']);
});

test('ignores the results of requests that began before it opened', () => {
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
