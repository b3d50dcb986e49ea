// The dashboard, the alarms and the pages for operators name figures that exist, and each other.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { type Json, type TestGateway, testGateway } from './support/gateway.ts';
import { type Scraped, scrape } from './support/metrics.ts';

const textOf = (path: string) => readFile(new URL(`../docs/${path}`, import.meta.url), 'utf8');

let kissi: TestGateway;
let scraped: Scraped;
let alarms: string;
let dashboard: Json;
before(async () => {
  kissi = await testGateway();
  // Of requests there is no series before the first.
  await kissi.call('GET', '/health');
  scraped = await scrape(kissi);
  alarms = await textOf('prometheus/alerts.yml');
  dashboard = JSON.parse(await textOf('grafana/kissi.json'));
});
after(() => kissi.close());

/** The families that a text names: a series of a histogram is named by the histogram. */
function familiesIn(text: string): string[] {
  const names = [...text.matchAll(/\b(?:kissi|process|nodejs)_[a-z0-9_]+\b/g)].map(([name]) => name);
  return [...new Set(names.map(familyOf))];
}

function familyOf(name: string): string {
  const base = name.replace(/_(bucket|sum|count)$/, '');
  return scraped.types.get(base) === 'histogram' ? base : name;
}

function assertExist(text: string, where: string): void {
  for (const name of familiesIn(text)) assert.ok(scraped.types.has(name), `${where} names ${name}, which is no figure`);
}

const panels = (): Json[] => dashboard.panels.filter(({ type }: Json) => type !== 'row');
const expressions = (): string[] => panels().flatMap(({ targets }) => targets.map(({ expr }: Json) => expr));

test('every figure that the dashboard shows exists, and every figure of ours is on it', () => {
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

test('the dashboard is one that Grafana takes: panels with ids, places and a data source of their own', () => {
  assert.equal(dashboard.uid, 'kissi');
  assert.ok(dashboard.schemaVersion >= 36);
  const ids = dashboard.panels.map(({ id }: Json) => id);
  assert.equal(new Set(ids).size, ids.length);
  const places = dashboard.panels.map(({ gridPos: { x, y } }: Json) => `${x},${y}`);
  assert.equal(new Set(places).size, places.length);
  for (const { gridPos, datasource, targets, title } of panels()) {
    assert.ok(gridPos.x + gridPos.w <= 24, title);
    assert.equal(datasource.uid, ['$', '{datasource}'].join(''), title);
    assert.ok(targets.length > 0, title);
  }
});

test('labels that the dashboard and the alarms ask for are labels that there are', () => {
  const known = new Map([...scraped.series.keys()].map((key) => [key.split('{', 1)[0] ?? '', key]));
  const asked = [...`${expressions().join('\n')}\n${alarms}`.matchAll(/\b(kissi_\w+)\{([^}]*)\}/g)];
  assert.ok(asked.length > 30);
  for (const [, name = '', selector = ''] of asked) {
    for (const [, label = ''] of selector.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)) {
      // Prometheus gives each series where it was scraped.
      if (['instance', 'job'].includes(label)) continue;
      assert.match(known.get(name) ?? '', new RegExp(`[{,]${label}="`), `${name} has no label ${label}`);
    }
  }
});

test('every alarm looks at figures that exist, and has its section in the page for operators', async () => {
  const page = await textOf('operations.md');
  const names = [...alarms.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name ?? '');
  assert.ok(names.length > 15);
  assert.equal(new Set(names).size, names.length);
  const sections = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name ?? '');
  assert.deepEqual(sections.filter((name) => name.startsWith('Kissi')).sort(), names.toSorted());
  for (const name of names) assert.ok(alarms.includes(`runbook: docs/operations.md#${name.toLowerCase()}`), name);
  assertExist(alarms, 'an alarm');
});

test('the page for operators names figures that exist, and all of ours', async () => {
  const page = await textOf('operations.md');
  const named = new Set(familiesIn(page.replaceAll(/`\w+_\*`/g, '')));
  for (const name of named) assert.ok(scraped.types.has(name), `operations.md names ${name}, which is no figure`);
  const ours = [...scraped.types.keys()].filter((name) => name.startsWith('kissi_'));
  assert.deepEqual(
    ours.filter((name) => !named.has(name)),
    [],
  );
});

test('every link inside the page for operators leads somewhere', async () => {
  const page = await textOf('operations.md');
  const anchors = new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-')),
  );
  for (const [, anchor = ''] of page.matchAll(/\]\(#([^)]+)\)/g)) assert.ok(anchors.has(anchor), anchor);
});
