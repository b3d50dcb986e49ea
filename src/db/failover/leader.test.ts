// The search for the host that takes writes: whom it chooses, how often it asks, what it says when there is none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Host } from './address.ts';
import { leaderAmong } from './leader.ts';

const [A, B, C] = [1, 2, 3].map((port) => ({ host: 'h', port })) as [Host, Host, Host];

/** What each host says of itself: its timeline, null where it only reads, an error where it does not answer. */
function among(says: Map<Host, string | null | Error>) {
  let asked = 0;
  const leader = leaderAmong([A, B, C], async (host) => {
    asked += 1;
    const answer = says.get(host) ?? null;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { leader, asked: () => asked };
}

const down = (code: string) => Object.assign(new Error(code), { code });

test('the host that takes writes is found wherever it stands, and remembered', async () => {
  const { leader, asked } = among(
    new Map([
      [B, '00000003'],
      [C, null],
    ]).set(A, down('ECONNREFUSED') as never),
  );
  assert.deepEqual(await Promise.all([leader.find(), leader.find()]), [B, B]);
  assert.equal(await leader.find(), B);
  assert.equal(asked(), 3, 'each host was asked once');
});

test('of two that take writes, the one that was promoted last leads', async () => {
  const { leader } = among(
    new Map([
      [A, '00000009'],
      [B, '0000000A'],
      [C, null],
    ]),
  );
  assert.equal(await leader.find(), B);
});

test('a doubt about the leader makes it be searched for again; one about another host does not', async () => {
  const says = new Map<Host, string | null>([[A, '00000001']]);
  const { leader, asked } = among(says);
  assert.equal(await leader.find(), A);
  leader.doubt(C);
  assert.equal(await leader.find(), A);
  assert.equal(asked(), 3);
  says.set(A, null).set(C, '00000002');
  leader.doubt(A);
  assert.equal(await leader.find(), C);
  assert.equal(asked(), 6);
});

test('nobody goes back to a leader that was deposed, even while the new one does not answer', async () => {
  const says = new Map<Host, string | null | Error>([
    [A, '00000001'],
    [B, '00000002'],
  ]);
  const { leader } = among(says);
  assert.equal(await leader.find(), B);
  says.set(B, down('ETIMEDOUT'));
  leader.doubt(B);
  await assert.rejects(leader.find(), { code: 'NO_LEADER' });
});

test('when another host leads, those connected elsewhere are told to leave, and nobody else', async () => {
  const says = new Map<Host, string | null>([[A, '00000001']]);
  const { leader } = among(says);
  const left: string[] = [];
  leader.follow(await leader.find(), () => left.push('at A'));
  leader.follow(A, () => left.push('gone before'))();
  leader.follow(B, () => left.push('at B'));
  says.set(B, '00000002');
  leader.doubt(A);
  await leader.find();
  assert.deepEqual(left, ['at A']);
});

test('without a leader that is said; a password that is refused comes before a host that is down', async () => {
  const { leader, asked } = among(new Map([[A, down('ECONNREFUSED')]]));
  await assert.rejects(leader.find(), { code: 'NO_LEADER' });
  await assert.rejects(leader.find(), { code: 'NO_LEADER' });
  assert.equal(asked(), 3, 'and not asked again at once');

  const refused = among(
    new Map([
      [A, down('ECONNREFUSED')],
      [B, down('28P01')],
    ]),
  ).leader;
  await assert.rejects(refused.find(), { code: '28P01' });
  const allDown = among(new Map([A, B, C].map((host) => [host, down('ECONNREFUSED')]))).leader;
  await assert.rejects(allDown.find(), { code: 'ECONNREFUSED' });
});
