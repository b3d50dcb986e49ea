// The order in which a service closes what it has opened.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Opened } from './start.ts';

test('a second stop waits for the first, which closes in reverse order', async () => {
  const opened = new Opened();
  const requests = Promise.withResolvers<void>();
  const closed: string[] = [];
  opened.add(async () => void closed.push('database'));
  opened.add(async () => {
    await requests.promise;
    closed.push('gateway');
  });
  const first = opened.close();
  let isSecondDone = false;
  const second = opened.close().then(() => {
    isSecondDone = true;
  });
  await setImmediate();
  assert.equal(isSecondDone, false, 'a request is in flight');
  requests.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(closed, ['gateway', 'database']);
});
