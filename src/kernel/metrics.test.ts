// Metrics: buckets, declared labels, gauges, names and shared reads.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Histogram, Metrics, singleFlight } from './metrics.ts';

const HELP = 'For this test.';

async function samplesOf(metrics: Metrics, name: string) {
  return metrics
    .families()
    .find((family) => family.name === name)
    ?.samples();
}

describe('metrics', () => {
  test('a histogram counts each value in its first matching bucket and accumulates the buckets', () => {
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

  test('labelled counters exist from the start, with the value 0', async () => {
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

  test('a gauge has no sample without a source, or if the source returns null', async () => {
    const metrics = new Metrics();
    const gauge = metrics.gauge({ name: 'kissi_test_length', help: HELP });
    assert.deepEqual(await samplesOf(metrics, 'kissi_test_length'), []);
    let length: number | null = 7;
    gauge.readFrom(() => length);
    assert.deepEqual(await samplesOf(metrics, 'kissi_test_length'), [{ value: 7 }]);
    length = null;
    assert.deepEqual(await samplesOf(metrics, 'kissi_test_length'), []);
  });

  test('metric names are valid and unique', () => {
    const metrics = new Metrics();
    metrics.counter({ name: 'kissi_test_total', help: HELP });
    for (const name of ['kissi_test_total', 'test_total', 'kissi_', 'kissi_Test', 'kissi_sub_01ARZ', 'kissi_a b']) {
      assert.throws(() => metrics.counter({ name, help: HELP }), /invalid or duplicate metric name/, name);
    }
  });

  test('concurrent calls share one execution; later calls execute again, even after a failure', async () => {
    let executions = 0;
    const read = singleFlight(async () => {
      executions += 1;
      if (executions === 2) throw new Error('broken');
      return executions;
    });
    assert.deepEqual(await Promise.all([read(), read(), read()]), [1, 1, 1]);
    await assert.rejects(read(), /broken/);
    assert.equal(await read(), 3);
  });
});
