// What /metrics says, read as Prometheus would: series by name and labels, and how they moved.
import assert from 'node:assert/strict';
import type { TestGateway } from './gateway.ts';

export interface Scraped {
  text: string;
  /** The families, by name. */
  types: Map<string, string>;
  /** Every series with its value, as it is written: name{label="value",…}. */
  series: Map<string, number>;
}

const SERIES = /^([a-z_:][a-z0-9_:]*(?:\{.*\})?) (\S+)$/i;

export function readMetrics(text: string): Scraped {
  const types = new Map<string, string>();
  const series = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, type] = line.match(/^# TYPE (\S+) (\S+)$/) ?? [];
    if (name && type) types.set(name, type);
    if (line === '' || line.startsWith('#')) continue;
    const [, key = '', value = ''] = line.match(SERIES) ?? assert.fail(`not a series: ${line}`);
    assert.ok(!series.has(key), `twice: ${key}`);
    series.set(key, Number(value.replace('Inf', 'Infinity')));
  }
  return { text, types, series };
}

export async function scrape(kissi: TestGateway, headers: Record<string, string> = {}): Promise<Scraped> {
  const reply = await kissi.call('GET', '/metrics', { headers });
  assert.equal(reply.status, 200, reply.text);
  return readMetrics(reply.text);
}

/** By how much each of the series has grown while this was done. */
export async function growth(
  kissi: TestGateway,
  names: readonly string[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const before = (await scrape(kissi)).series;
  await work();
  const after = (await scrape(kissi)).series;
  return names.map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0));
}
