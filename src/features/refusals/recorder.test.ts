// Tests what the recorder of refused payments keeps: a few of a kind one by one, exact counts of the rest, and no more than fits.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { Metrics } from '../../kernel/metrics.ts';
import { type Code, refuse } from '../../kernel/refusal.ts';
import { createRefusalRecorder } from './recorder.ts';
import type { NewRefusal } from './store.ts';

function setUp() {
  const time = { now: 100 * MINUTE_MS };
  const metrics = new Metrics();
  const recorder = createRefusalRecorder({ now: () => time.now }, metrics);
  const note = (party: string, code: Code = 'INVALID_PIN') =>
    recorder.note({
      type: 'transfer_p2p',
      caller: { kind: 'key', id: 'key_1' },
      about: [party],
      amount: 100,
      refusal: refuse(code, 'No.'),
    });
  const unrecorded = async () => (await metrics.families()[0]?.samples())?.[0]?.value ?? 0;
  return { time, recorder, note, unrecorded };
}

const attempts = (rows: readonly NewRefusal[]) => rows.reduce((sum, row) => sum + row.attempts, 0);

describe('the recorder of refused payments', () => {
  test('gives five of a kind in a minute at once, and the others as a number when the minute is over', () => {
    const { time, recorder, note } = setUp();
    for (let n = 0; n < 1_000; n++) note('sub_1');
    note('sub_1', 'INSUFFICIENT_BALANCE');
    note('sub_2');
    assert.equal(recorder.take().length, 7);
    time.now += 1_000;
    for (let n = 0; n < 500; n++) note('sub_1');
    assert.deepEqual(recorder.take(), []);
    time.now += MINUTE_MS;
    const [shared, ...others] = recorder.take();
    assert.deepEqual(others, []);
    assert.equal(shared?.attempts, 1_495);
    assert.equal(Number(shared?.last_at) - Number(shared?.at), 1_000);
    note('sub_1');
    assert.equal(recorder.take().length, 1, 'a new minute begins with single ones');
  });

  test('gives everything at the stop', () => {
    const { recorder, note } = setUp();
    for (let n = 0; n < 20; n++) note('sub_1');
    assert.equal(attempts(recorder.take(true)), 20);
    assert.deepEqual(recorder.take(true), []);
  });

  test('keeps no more than fits, and counts the rest in a metric', async () => {
    const { time, recorder, note, unrecorded } = setUp();
    for (let n = 0; n < 30_000; n++) note(`sub_${n}`);
    time.now += MINUTE_MS;
    const rows = recorder.take();
    assert.ok(rows.length <= 10_000, String(rows.length));
    assert.equal(attempts(rows) + (await unrecorded()), 30_000);
  });

  test('takes back what could not be written, as far as it fits', async () => {
    const { recorder, note, unrecorded } = setUp();
    for (let n = 0; n < 6_000; n++) note(`sub_${n}`);
    const failed = recorder.take();
    for (let n = 6_000; n < 9_000; n++) note(`sub_${n}`);
    recorder.putBack(failed);
    const rows = recorder.take();
    assert.deepEqual([rows.length, rows[0]?.party_id, await unrecorded()], [9_000, 'sub_0', 0]);
    for (let n = 9_000; n < 12_000; n++) note(`sub_${n}`);
    recorder.putBack(rows);
    assert.equal(recorder.take().length + (await unrecorded()), 12_000);
  });
});
