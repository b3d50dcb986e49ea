// Rate limits that several gateways share through their supervisor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { batchedCounts, LimitCounter, SharedLimiter } from './shared-limits.ts';

const LIMIT = { limit: 'rate5', points: 5, duration: 60 };

async function allowedOf(limiter: SharedLimiter, requests: number): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: requests }, () => limiter.consume('key_1')));
  for (const result of results) if (result.status === 'rejected') assert.ok(result.reason instanceof RateLimiterRes);
  return results.filter(({ status }) => status === 'fulfilled').length;
}

test('requests through two gateways count against one limit, in one message per turn of the event loop', async () => {
  const counter = new LimitCounter();
  let messages = 0;
  const send = (requests: Parameters<LimitCounter['count']>[0]) => {
    messages += 1;
    return counter.count(requests);
  };
  const [one, two] = [new SharedLimiter(batchedCounts(send), LIMIT), new SharedLimiter(batchedCounts(send), LIMIT)];
  const allowed = await Promise.all([allowedOf(one, 4), allowedOf(two, 4)]);
  assert.equal(allowed[0] + allowed[1], 5);
  assert.equal(messages, 2);
});

test('a gateway counts alone while the supervisor does not answer', async () => {
  const unreachable = new SharedLimiter(
    batchedCounts(() => Promise.reject(new Error('gone'))),
    LIMIT,
  );
  assert.equal(await allowedOf(unreachable, 8), 5);
});
