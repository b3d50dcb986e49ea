// The history of the benchmark's results by version, and its chart.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readVersions, reportVersions, versionLabel } from '../../bench/versions.ts';
import { drawVersions, type VersionResult } from '../../bench/versions-chart.ts';

const result = (version: string, cpuRatio: number | null, throughputRatio: number): VersionResult => ({
  ...{ version, date: '2026-11-18', machine: '2 cores (A & B)', cpuRatio, throughputRatio },
  gatewayMicros: cpuRatio === null ? null : 200,
  postgresMicros: cpuRatio === null ? null : 100,
});

const TINY = [result('0.1.0', null, 1.5), result('0.2.0', 0.5, 2), result('0.2.0+', 0.25, 3)];

const count = (text: string, part: string) => text.split(part).length - 1;
const heights = (svg: string) => [...svg.matchAll(/cy="([\d.]+)"/g)].map(([, y]) => Number(y));

test('the chart has a point for each measured ratio, with its value, and names every version', () => {
  const svg = drawVersions(TINY);
  assert.equal(count(svg, '<circle'), 5);
  for (const label of ['0.50', '0.25', '1.50', '2.00', '3.00', '0.1.0', '0.2.0', '0.2.0+', 'goal 0.22', 'goal 2.7']) {
    assert.ok(svg.includes(`>${label}</text>`), `${label} is missing`);
  }
  assert.ok(svg.includes('<title>0.2.0+, 2026-11-18, 2 cores (A &amp; B): gateway 200 µs, PostgreSQL 100 µs</title>'));
});

test('a higher ratio is drawn higher, and half of it half as high', () => {
  const [first = 0, second = 0] = heights(drawVersions(TINY));
  const zero = Number(/y="([\d.]+)"[^>]*>0<\/text>/.exec(drawVersions(TINY))?.[1]) - 5;
  assert.ok(first < second);
  assert.ok(Math.abs((zero - second) / (zero - first) - 0.5) < 0.01);
});

test('a long history has a point for every version, and only as many labels as there is space for', () => {
  const many = Array.from({ length: 30 }, (_, n) => result(`0.${n}.0`, 0.3, 2));
  const svg = drawVersions(many);
  assert.equal(count(svg, '<circle'), 60);
  assert.ok(svg.includes('>0.29.0</text>'));
  assert.ok(count(svg, '.0</text>') <= 7);
});

test('an empty history is an empty chart', () => {
  assert.ok(!/NaN|Infinity|<circle/.test(drawVersions([])));
});

test('a measurement of unreleased changes is labelled with a plus', () => {
  assert.equal(versionLabel('0.5.0', '# Changelog\n\n## Unreleased\n\n### Added\n'), '0.5.0+');
  assert.equal(versionLabel('0.5.0', '# Changelog\n\n## 0.5.0 (2026-11-18)\n'), '0.5.0');
});

test('a figure that was not measured is empty in the table', () => {
  const lines = reportVersions(TINY).split('\n');
  assert.ok(lines.includes('| 0.1.0 | 2026-11-18 | 2 cores (A & B) |  |  |  | 1.50 |'));
  assert.ok(lines.includes('| 0.2.0+ | 2026-11-18 | 2 cores (A & B) | 200 | 100 | 0.25 | 3.00 |'));
});

test('bench/versions.svg shows bench/versions.json', async () => {
  const chart = await readFile(new URL('../../bench/versions.svg', import.meta.url), 'utf8');
  assert.equal(chart, drawVersions(await readVersions()), 'run "npm run bench -- --chart"');
});
