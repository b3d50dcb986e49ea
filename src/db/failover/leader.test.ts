// The search for the host that accepts writes: which host it chooses, how often it probes, and how it fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Host } from './address.ts';
import { findLeaderAmong } from './leader.ts';

const [A, B, C] = [1, 2, 3].map((port) => ({ host: 'h', port })) as [Host, Host, Host];

/** The timeline of each host, null for a standby, an error for a host that does not answer. */
function among(timelines: Map<Host, string | null | Error>) {
  let probes = 0;
  const leader = findLeaderAmong([A, B, C], async (host) => {
    probes += 1;
    const timeline = timelines.get(host) ?? null;
    if (timeline instanceof Error) throw timeline;
    return timeline;
  });
  return { leader, probes: () => probes };
}

const failure = (code: string) => Object.assign(new Error(code), { code });

test('finds the host that accepts writes at any position of the list, and remembers it', async () => {
  const { leader, probes } = among(
    new Map([
      [B, '00000003'],
      [C, null],
    ]).set(A, failure('ECONNREFUSED') as never),
  );
  assert.deepEqual(await Promise.all([leader.find(), leader.find()]), [B, B]);
  assert.equal(await leader.find(), B);
  assert.equal(probes(), 3, 'each host was probed once');
});

test('chooses the host that was promoted last if two accept writes', async () => {
  const { leader } = among(
    new Map([
      [A, '00000009'],
      [B, '0000000A'],
      [C, null],
    ]),
  );
  assert.equal(await leader.find(), B);
});

test('a failed connection to the leader starts a new search; one to another host does not', async () => {
  const timelines = new Map<Host, string | null>([[A, '00000001']]);
  const { leader, probes } = among(timelines);
  assert.equal(await leader.find(), A);
  leader.suspect(C);
  assert.equal(await leader.find(), A);
  assert.equal(probes(), 3);
  timelines.set(A, null).set(C, '00000002');
  leader.suspect(A);
  assert.equal(await leader.find(), C);
  assert.equal(probes(), 6);
});

test('a deposed leader is not chosen again, even while the new one does not answer', async () => {
  const timelines = new Map<Host, string | null | Error>([
    [A, '00000001'],
    [B, '00000002'],
  ]);
  const { leader } = among(timelines);
  assert.equal(await leader.find(), B);
  timelines.set(B, failure('ETIMEDOUT'));
  leader.suspect(B);
  await assert.rejects(leader.find(), { code: 'NO_LEADER' });
});

test('when another host leads, only the connections to other hosts are closed', async () => {
  const timelines = new Map<Host, string | null>([[A, '00000001']]);
  const { leader } = among(timelines);
  const closed: string[] = [];
  leader.onChange(await leader.find(), () => closed.push('at A'));
  leader.onChange(A, () => closed.push('unsubscribed'))();
  leader.onChange(B, () => closed.push('at B'));
  timelines.set(B, '00000002');
  leader.suspect(A);
  await leader.find();
  assert.deepEqual(closed, ['at A']);
});

test('without a leader the search fails; a rejected password is reported before an unreachable host', async () => {
  const { leader, probes } = among(new Map([[A, failure('ECONNREFUSED')]]));
  await assert.rejects(leader.find(), { code: 'NO_LEADER' });
  await assert.rejects(leader.find(), { code: 'NO_LEADER' });
  assert.equal(probes(), 3, 'the failure is remembered for a moment');

  const refused = among(
    new Map([
      [A, failure('ECONNREFUSED')],
      [B, failure('28P01')],
    ]),
  ).leader;
  await assert.rejects(refused.find(), { code: '28P01' });
  const allDown = among(new Map([A, B, C].map((host) => [host, failure('ECONNREFUSED')]))).leader;
  await assert.rejects(allDown.find(), { code: 'ECONNREFUSED' });
});
