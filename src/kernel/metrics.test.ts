// Figures: buckets, labels that are named beforehand, and what happens when somebody reads.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askedOnce, Histogram, Metrics } from './metrics.ts';

const HELP = 'For this test.';

async function samplesOf(metrics: Metrics, name: string) {
  return metrics
    .families()
    .find((family) => family.name === name)
    ?.samples();
}

describe('figures', () => {
  test('a histogram puts each value into the first bucket that holds it, and sums up to the right', () => {
    const histogram = new Histogram([1, 2, 4]);
    for (const value of [0, 1, 1.5, 2, 3, 4, 4.5, 100]) histogram.observe(value);
    const samples = histogram.samples({ phase: 'lock' });
    assert.deepEqual(
      samples.map(({ suffix, labels, value }) => [suffix, labels?.le, value]),
      [
        ['_bucket', '1', 2],
        ['_bucket', '2', 4],
        ['_bucket', '4', 6],
        ['_bucket', '+Inf', 8],
        ['_sum', undefined, 116],
        ['_count', undefined, 8],
      ],
    );
    assert.ok(samples.every(({ labels }) => labels?.phase === 'lock'));
  });

  test('counters by label are there from the beginning, at nothing', async () => {
    const metrics = new Metrics();
    const named = { name: 'kissi_test_total', help: HELP };
    const { right } = metrics.counters({ ...named, label: 'outcome', values: ['right', 'wrong'] });
    right.value += 1;
    right.value += 2;
    assert.deepEqual(await samplesOf(metrics, 'kissi_test_total'), [
      { labels: { outcome: 'right' }, value: 3 },
      { labels: { outcome: 'wrong' }, value: 0 },
    ]);
  });

  test('a gauge says nothing before it has a source, or when that has nothing to say', async () => {
    const metrics = new Metrics();
    const gauge = metrics.gauge({ name: 'kissi_test_length', help: HELP });
    assert.deepEqual(await samplesOf(metrics, 'kissi_test_length'), []);
    let length: number | null = 7;
    gauge.readBy(() => length);
    assert.deepEqual(await samplesOf(metrics, 'kissi_test_length'), [{ value: 7 }]);
    length = null;
    assert.deepEqual(await samplesOf(metrics, 'kissi_test_length'), []);
  });

  test('a name is given once, and is a name', () => {
    const metrics = new Metrics();
    metrics.counter({ name: 'kissi_test_total', help: HELP });
    for (const name of ['kissi_test_total', 'test_total', 'kissi_', 'kissi_Test', 'kissi_sub_01ARZ', 'kissi_a b']) {
      assert.throws(() => metrics.counter({ name, help: HELP }), /no name for a figure/, name);
    }
  });

  test('those who ask at once share one answer; who asks later gets a new one, also after a failure', async () => {
    let asked = 0;
    const ask = askedOnce(async () => {
      asked += 1;
      if (asked === 2) throw new Error('broken');
      return asked;
    });
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1]);
    await assert.rejects(ask(), /broken/);
    assert.equal(await ask(), 3);
  });
});
