// Parses /metrics in the Prometheus text format and measures how series change.
import assert from 'node:assert/strict';
import { assertStatus, type TestGateway } from './gateway.ts';

export interface MetricsSnapshot {
  text: string;
  /** Metric type by family name. */
  types: Map<string, string>;
  /** Value by series, in the form name{label="value",…}. */
  series: Map<string, number>;
}

const SERIES = /^([a-z_:][a-z0-9_:]*(?:\{.*\})?) (\S+)$/i;

export function parseMetrics(text: string): MetricsSnapshot {
  const types = new Map<string, string>();
  const series = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, type] = line.match(/^# TYPE (\S+) (\S+)$/) ?? [];
    if (name && type) types.set(name, type);
    if (line === '' || line.startsWith('#')) continue;
    const [, key = '', value = ''] = line.match(SERIES) ?? assert.fail(`not a series: ${line}`);
    assert.ok(!series.has(key), `duplicate series: ${key}`);
    series.set(key, Number(value.replace('Inf', 'Infinity')));
  }
  return { text, types, series };
}

export async function scrape(kissi: TestGateway, headers: Record<string, string> = {}): Promise<MetricsSnapshot> {
  const reply = assertStatus(await kissi.call('GET', '/metrics', { headers }), 200);
  return parseMetrics(reply.text);
}

/** Returns by how much each series increased while `work` ran. */
export async function seriesIncreases(
  kissi: TestGateway,
  names: readonly string[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const before = (await scrape(kissi)).series;
  await work();
  const after = (await scrape(kissi)).series;
  return names.map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0));
}
