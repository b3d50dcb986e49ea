// Which request ids are looked up before a batch is written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MovementRequest } from '../types.ts';
import { RecentRequests } from './recent-requests.ts';

const request = (id: string): MovementRequest => ({ scope: 'sub_1', id, hash: '' });

test('only ids that were written lately may exist', () => {
  const recent = new RecentRequests();
  const [first, second] = [request('1'), request('2')];
  assert.deepEqual(recent.mayExist([first]), []);
  recent.add([first]);
  assert.deepEqual(recent.mayExist([first, second]), [first]);
  assert.deepEqual(recent.mayExist([{ ...first, scope: 'sub_2' }]), [], 'another party may use the same id');
});

test('after a surprise all ids may exist', () => {
  const recent = new RecentRequests();
  recent.wasSurprised();
  assert.deepEqual(recent.mayExist([request('1'), request('2')]), [request('1'), request('2')]);
});

test('at least the last fifty thousand ids are remembered', () => {
  const recent = new RecentRequests();
  for (let n = 0; n < 120_000; n++) recent.add([request(String(n))]);
  assert.equal(recent.mayExist([request('119999'), request('70000')]).length, 2);
  assert.equal(recent.mayExist([request('0')]).length, 0);
});
