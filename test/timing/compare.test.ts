// The comparison that the timing tests use detects a real difference, and reports none where there is none.
import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { seededRandom } from '@kissi/testkit/random';
import { Wire } from '../support/wire.ts';
import { compare, compareTimes, describeRounds, isDistinguishable } from './compare.ts';

const source = seededRandom(7);
/** Times as on a busy machine: mostly similar, with some large outliers. */
const times = (count: number, shift = 0) =>
  Array.from({ length: count }, () => 1 + shift + source.next() * 0.3 + (source.chance(0.05) ? source.next() * 50 : 0));

describe('compareTimes', () => {
  test('finds no difference between times from one distribution with outliers', () => {
    const directions = Array.from({ length: 200 }, () => compareTimes(times(150), times(150)).direction);
    assert.ok(directions.filter((direction) => direction !== 0).length <= 2, String(directions));
  });

  test('finds a shift smaller than the outliers, and its direction', () => {
    assert.equal(compareTimes(times(150), times(150, 0.15)).direction, 1);
    assert.equal(compareTimes(times(150, 0.15), times(150)).direction, -1);
  });

  test('ignores a very small difference, even if it is statistically significant', () => {
    const { z, direction } = compareTimes(times(20_000), times(20_000, 0.01));
    assert.ok(z > 3, String(z));
    assert.equal(direction, 0);
  });

  test('computes the Mann-Whitney statistic as a share of all pairs', () => {
    assert.equal(compareTimes([1, 2, 3], [4, 5, 6]).superiority, 1);
    assert.equal(compareTimes([4, 5, 6], [1, 2, 3]).superiority, 0);
    assert.equal(compareTimes([1, 3, 5], [2, 3, 4]).superiority, 0.5);
    assert.equal(compareTimes([1, 2], [1, 2]).superiority, 0.5);
  });
});

describe('compare', () => {
  /** Answers 401 to every request. Under /leaky it hashes only for a known name, so the response time reveals the name. */
  let server: Server;
  let wire: Wire;
  before(async () => {
    server = createServer(({ url = '' }, response) => {
      if (!url.startsWith('/leaky') || url.endsWith('/known')) scryptSync('secret', 'salt', 16, { N: 2_048 });
      response.writeHead(401).end('no');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    wire = new Wire(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  after(() => {
    wire.close();
    server.close();
  });

  const probe = (target: string) => async () => {
    const reply = await wire.send({ method: 'GET', target, headers: [], body: Buffer.alloc(0) });
    assert.ok(typeof reply !== 'string' && reply.status === 401);
  };

  test('distinguishes a known name from an unknown one if only the known one takes extra work', async () => {
    const rounds = await compare(probe('/leaky/known'), probe('/leaky/unknown'), {
      samples: 40,
      rounds: 3,
      random: source,
    });
    assert.ok(isDistinguishable(rounds, 3), describeRounds(rounds));
    assert.equal(rounds[0]?.direction, -1);
  });

  test('does not distinguish them if both take the same work', async () => {
    const rounds = await compare(probe('/even/known'), probe('/even/unknown'), {
      samples: 40,
      rounds: 3,
      random: source,
    });
    assert.ok(!isDistinguishable(rounds, 3), describeRounds(rounds));
  });
});
