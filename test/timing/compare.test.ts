// The comparison of times must be able to fail: it finds a leak that is there, and none that is not.
import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { random } from '../hostile/random.ts';
import { Wire } from '../support/wire.ts';
import { canBeTold, compare, describeRounds, judge } from './compare.ts';

const chance = random(7);
/** Times as a busy machine gives them: mostly alike, some of them very late. */
const times = (count: number, shift = 0) =>
  Array.from({ length: count }, () => 1 + shift + chance.next() * 0.3 + (chance.chance(0.05) ? chance.next() * 50 : 0));

describe('judging times', () => {
  test('takes times of one kind for alike, whatever the outliers', () => {
    const verdicts = Array.from({ length: 200 }, () => judge(times(150), times(150)).verdict);
    assert.ok(verdicts.filter((verdict) => verdict !== 0).length <= 2, String(verdicts));
  });

  test('finds a shift that is smaller than the outliers, and which way it goes', () => {
    assert.equal(judge(times(150), times(150, 0.15)).verdict, 1);
    assert.equal(judge(times(150, 0.15), times(150)).verdict, -1);
  });

  test('takes a difference of a shade for none, however many samples prove it', () => {
    const { z, verdict } = judge(times(20_000), times(20_000, 0.01));
    assert.ok(z > 3, String(z));
    assert.equal(verdict, 0);
  });

  test('counts as Mann and Whitney did', () => {
    assert.equal(judge([1, 2, 3], [4, 5, 6]).superiority, 1);
    assert.equal(judge([4, 5, 6], [1, 2, 3]).superiority, 0);
    assert.equal(judge([1, 3, 5], [2, 3, 4]).superiority, 0.5);
    assert.equal(judge([1, 2], [1, 2]).superiority, 0.5);
  });
});

describe('comparing requests', () => {
  /** Refuses everybody; under /leaky it does the work of comparing only for a name it knows, as careless code does. */
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

  const ask = (target: string) => async () => {
    const reply = await wire.send({ method: 'GET', target, headers: [], body: Buffer.alloc(0) });
    assert.ok(typeof reply !== 'string' && reply.status === 401);
  };

  test('tells a known name from an unknown one where only the known costs work', async () => {
    const rounds = await compare(ask('/leaky/known'), ask('/leaky/nobody'), { samples: 40, rounds: 3, random: chance });
    assert.ok(canBeTold(rounds, 3), describeRounds(rounds));
    assert.equal(rounds[0]?.verdict, -1);
  });

  test('does not tell them apart where both cost the same', async () => {
    const rounds = await compare(ask('/even/known'), ask('/even/nobody'), { samples: 40, rounds: 3, random: chance });
    assert.ok(!canBeTold(rounds, 3), describeRounds(rounds));
  });
});
