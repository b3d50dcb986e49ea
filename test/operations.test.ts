// Tests that the Grafana dashboard, the Prometheus alerts and the operations guide refer to existing metrics. alert-rules.test.ts has the rest.
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { supervisorMetrics } from '../src/app/gateways/metrics.ts';
import { type Json, type TestGateway, testGateway } from './support/gateway.ts';
import { type MetricsSnapshot, scrape } from './support/metrics.ts';

const DOCS = fileURLToPath(new URL('../docs', import.meta.url));
const textOf = (path: string) => readFile(join(DOCS, path), 'utf8');

let kissi: TestGateway;
let scraped: MetricsSnapshot;
let alerts: string;
let dashboard: Json;
before(async () => {
  // Nothing listens there: the metrics of tracing exist while it is on.
  kissi = await testGateway({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } });
  // Request metrics have no series before the first request.
  await kissi.call('GET', '/health');
  scraped = await scrape(kissi);
  const ofSupervisor = supervisorMetrics({ configured: 2, ready: 2, replaced: 0 });
  for (const { name, type } of ofSupervisor) scraped.types.set(name, type);
  alerts = `${await textOf('prometheus/alerts.yml')}\n${await textOf('prometheus/slo.yml')}`;
  dashboard = JSON.parse(await textOf('grafana/kissi.json'));
});
after(() => kissi.close());

/** Metric families in a text; the series of a histogram map to the histogram. */
function familiesIn(text: string): string[] {
  const names = [...text.matchAll(/\b(?:kissi|process|nodejs)_[a-z0-9_]+\b/g)].map(([name]) => name);
  return [...new Set(names.map(familyOf))];
}

function familyOf(name: string): string {
  const base = name.replace(/_(bucket|sum|count)$/, '');
  return scraped.types.get(base) === 'histogram' ? base : name;
}

function assertExist(text: string, where: string): void {
  for (const name of familiesIn(text))
    assert.ok(scraped.types.has(name), `${where} names ${name}, which is not a metric`);
}

const panels = (): Json[] => dashboard.panels.filter(({ type }: Json) => type !== 'row');
const expressions = (): string[] => panels().flatMap(({ targets }) => targets.map(({ expr }: Json) => expr));

test('the dashboard refers only to existing metrics and shows every kissi_ metric', () => {
  for (const expression of expressions()) {
    assert.ok(familiesIn(expression).length > 0, expression);
    assertExist(expression, 'the dashboard');
  }
  const shown = new Set(familiesIn(expressions().join('\n')));
  const ours = [...scraped.types.keys()].filter((name) => name.startsWith('kissi_'));
  assert.deepEqual(
    ours.filter((name) => !shown.has(name)),
    [],
  );
});

test('dashboard panels have unique ids and positions and use the data source variable', () => {
  assert.equal(dashboard.uid, 'kissi');
  assert.ok(dashboard.schemaVersion >= 36);
  const ids = dashboard.panels.map(({ id }: Json) => id);
  assert.equal(new Set(ids).size, ids.length);
  const positions = dashboard.panels.map(({ gridPos: { x, y } }: Json) => `${x},${y}`);
  assert.equal(new Set(positions).size, positions.length);
  for (const { gridPos, datasource, targets, title } of panels()) {
    assert.ok(gridPos.x + gridPos.w <= 24, title);
    assert.equal(datasource.uid, ['$', '{datasource}'].join(''), title);
    assert.ok(targets.length > 0, title);
  }
});

test('the alerts use only existing metrics', () => assertExist(alerts, 'an alert'));

test('label selectors in the dashboard and the alerts use existing labels', () => {
  const known = new Map([...scraped.series.keys()].map((key) => [key.split('{', 1)[0] ?? '', key]));
  const selectors = [...`${expressions().join('\n')}\n${alerts}`.matchAll(/\b(kissi_\w+)\{([^}]*)\}/g)];
  assert.ok(selectors.length > 30);
  for (const [, name = '', selector = ''] of selectors) {
    for (const [, label = ''] of selector.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)) {
      // Prometheus adds these labels when it scrapes.
      if (['instance', 'job'].includes(label)) continue;
      assert.match(known.get(name) ?? '', new RegExp(`[{,]${label}="`), `${name} has no label ${label}`);
    }
  }
});

test('the operations guide refers only to existing metrics and names every kissi_ metric', async () => {
  const paths = await Array.fromAsync(glob('operations/*.md', { cwd: DOCS }));
  const pages = await Promise.all(paths.map(textOf));
  const withoutRoles = pages.join('\n').replaceAll(/\bkissi_(app|service)\b/g, '');
  const named = new Set(familiesIn(withoutRoles.replaceAll(/`\w+_\*`/g, '')));
  for (const name of named) assert.ok(scraped.types.has(name), `docs/operations names ${name}, which is not a metric`);
  const ours = [...scraped.types.keys()].filter((name) => name.startsWith('kissi_'));
  assert.deepEqual(
    ours.filter((name) => !named.has(name)),
    [],
  );
});
