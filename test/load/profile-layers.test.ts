// How the samples of a CPU profile are assigned to the layers of a payment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Profile, profiledTimes, scaleTimes, sumBy } from '../../bench/profile-layers.ts';

const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 9 });

const PROFILE: Profile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 4, 5] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('(garbage collector)') },
    { id: 4, callFrame: frame('post', 'file:///srv/src/ledger/posting/ledger.ts'), children: [6] },
    { id: 5, callFrame: frame('', 'file:///srv/node_modules/pg/lib/client.js'), children: [7] },
    { id: 6, callFrame: frame('toString') },
    { id: 7, callFrame: frame('hash', 'node:internal/crypto/hash') },
  ],
  startTime: 1_000,
  samples: [4, 2, 3, 4, 6, 5, 7, 4],
  // The last two samples are at 1,900 and 2,100.
  timeDeltas: [50, 300, 40, 100, 60, 200, 150, 200],
};

test('time counts to the layer of its function, and native functions to that of their caller', () => {
  const layers = sumBy(profiledTimes(PROFILE, 1_000, 3_000), ({ layer }) => layer);
  assert.deepEqual(layers, [
    ['ledger', 410],
    ['PostgreSQL protocol and look-ups', 200],
    ['hashes, PIN', 150],
    ['garbage collection', 40],
  ]);
});

test('samples before and after the measured time are left out, and so is idle time', () => {
  const times = profiledTimes(PROFILE, 1_100, 2_000);
  assert.equal(
    times.reduce((sum, { time }) => sum + time, 0),
    550,
  );
});

test('a function is named with its file and line', () => {
  const names = profiledTimes(PROFILE, 1_000, 3_000).map(({ name }) => name);
  assert.deepEqual(names, [
    '(garbage collector)',
    'post src/ledger/posting/ledger.ts:10',
    '(anonymous) pg/lib/client.js:10',
    'toString',
    'hash node:internal/crypto/hash:10',
  ]);
});

test('scaled times keep their shares and add up to the given total', () => {
  const times = scaleTimes(profiledTimes(PROFILE, 1_000, 3_000), 80);
  const layers = sumBy(times, ({ layer }) => layer).map(([, time]) => time);
  assert.deepEqual(layers, [41, 20, 15, 4]);
});
