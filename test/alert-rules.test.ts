// The rules of docs/prometheus: valid PromQL, a runbook for every alert, and burn rates that agree with docs/operations/slo.md.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

const read = (path: string) => readFile(new URL(`../docs/${path}`, import.meta.url), 'utf8');

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  labels?: { severity: string };
  annotations?: Record<string, string>;
}

async function rulesOf(name: string): Promise<Rule[]> {
  const { groups } = parse(await read(`prometheus/${name}.yml`), { strict: true }) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

const [causes, objectives] = [await rulesOf('alerts'), await rulesOf('slo')];
const rules = [...causes, ...objectives];
const alerts = rules.filter(({ alert }) => alert !== undefined);
const recorded = new Map(objectives.flatMap(({ record, expr }) => (record ? [[record, expr]] : [])));
const runbooks = await read('operations/alerts.md');
const page = await read('operations/slo.md');
const { paths } = JSON.parse(await read('openapi.json'));

/** What Prometheus' own grammar does not accept, with what comes after it. */
function syntaxFaults(expr: string): string[] {
  const faults: string[] = [];
  parser.parse(expr).iterate({
    enter({ type, from }) {
      if (type.isError) faults.push(`${expr.slice(0, from)}⟨here⟩${expr.slice(from)}`);
    },
  });
  return faults;
}

const seriesIn = (text: string) => text.match(/\bkissi:\w+:\w+/g) ?? [];

describe('expressions', () => {
  test('are PromQL, in the rules and on the page', () => {
    const shown = [...page.matchAll(/```promql\n([^`]+)```/g)].map(([, expr = '']) => expr.trim());
    assert.ok(shown.length >= 4);
    for (const expr of [...rules.map((rule) => rule.expr), ...shown]) assert.deepEqual(syntaxFaults(expr), []);
    for (const wrong of ['sum(rate(a[5m])', 'a > and b', 'rate(a[5 minutes])'])
      assert.ok(syntaxFaults(wrong).length > 0);
  });

  test('name recorded series that exist, and every one is used', () => {
    const used = new Set(objectives.flatMap(({ expr }) => seriesIn(expr)));
    assert.deepEqual(
      [...used].filter((name) => !recorded.has(name)),
      [],
    );
    assert.deepEqual(
      [...recorded.keys()].filter((name) => !used.has(name)),
      [],
    );
    for (const name of seriesIn(page.replaceAll(/`kissi:\w+:bad_…`/g, ''))) assert.ok(recorded.has(name), name);
  });

  test('a share is of the window that its name says', () => {
    for (const [name, expr] of recorded) {
      const [, window] = /:bad_(\w+)$/.exec(name) ?? [];
      if (window)
        assert.deepEqual(new Set([...expr.matchAll(/\[(\w+)\]/g)].map(([, of]) => of)), new Set([window]), name);
    }
  });
});

describe('payments', () => {
  const [, selector = ''] = /route=~"([^"]+)"/.exec(recorded.get('kissi:payments:all') ?? '') ?? [];
  const matches = (route: string) => new RegExp(`^(?:${selector})$`).test(route);
  const posts = Object.keys(paths).filter((path) => 'post' in paths[path]);
  const body = (path: string) => JSON.stringify(paths[path].post.requestBody ?? {});

  test('are all routes that take a request id, except those of staff and requests for a level', () => {
    const staff = /^\/api\/v1\/(admin|cases|compliance|me\/cases)\/|\/request-level$/;
    const paying = posts.filter((path) => body(path).includes('"request_id"') && !staff.test(path));
    assert.ok(paying.length >= 20, String(paying.length));
    assert.deepEqual(
      paying.filter((path) => !matches(path.replaceAll(/\{(\w+)\}/g, ':$1'))),
      [],
    );
    for (const path of ['/api/v1/partner/cashin', '/api/v1/inbound/credit', '/api/v1/payment']) {
      assert.ok(posts.includes(path), path);
      assert.ok(matches(path), path);
    }
    for (const path of ['/api/v1/me/login', '/api/v1/admin/login', '/api/v1/subscribers', '/metrics'])
      assert.ok(!matches(path), path);
  });

  test('are the same everywhere', () => {
    const used = [...rules.map(({ expr }) => expr), page].flatMap((text) => [...text.matchAll(/route=~"([^"]+)"/g)]);
    assert.ok(used.length >= 6);
    assert.deepEqual(new Set(used.map(([, route]) => route)), new Set([selector]));
  });
});

describe('runbooks', () => {
  const sections = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);

  test('every alert has one, and an absolute link to it', () => {
    assert.deepEqual(
      sections.filter((name) => name.startsWith('Kissi')).sort(),
      alerts.map(({ alert }) => alert).sort(),
    );
    for (const { alert = '', annotations = {}, labels } of alerts) {
      assert.equal(
        annotations.runbook_url,
        `https://docs.example.com/operations/alerts.md#${alert.toLowerCase()}`,
        `${alert}: the page and its anchor`,
      );
      assert.ok(annotations.summary, alert);
      assert.match(labels?.severity ?? '', /^(page|ticket)$/, alert);
    }
  });

  test('every one says what to do', () => {
    for (const text of runbooks.split(/^## /m).slice(1)) {
      const [title = '', ...lines] = text.split('\n');
      assert.ok(lines.join(' ').trim().length > 100, title);
    }
  });
});

describe('burn rates', () => {
  /** Rows of the table: severity, burn rate, windows. */
  const table = [
    ...page.matchAll(/^\| (page|ticket) \| ([\d.]+) \| (\d+) (hours?|days?) and (\d+) (minutes|hours) \|/gm),
  ].map(([, severity, rate, long, longUnit = '', short, shortUnit = '']) => ({
    ...{ severity, rate: Number(rate), long: `${long}${longUnit[0]}`, short: `${short}${shortUnit[0]}` },
  }));
  const targets = { payments: '99.9 %', latency: '99 %', webhooks: '99 %', notices: '99 %' };

  for (const [name, target] of Object.entries(targets)) {
    test(`of ${name} have the windows and the budget of the page`, () => {
      assert.match(
        page,
        new RegExp(`^\\| [^|]+ \\| ${RegExp.escape(target)} [^|]+\\|[^|]+\\| \`kissi:${name}:bad_…\` \\|$`, 'm'),
      );
      const budget = Number((1 - Number.parseFloat(target) / 100).toFixed(6));
      const found = objectives
        .filter(({ alert }) => alert?.toLowerCase().startsWith(`kissislo${name}`))
        .flatMap(({ expr, labels }) => {
          const condition = new RegExp(
            `kissi:${name}:bad_(\\w+) > ([\\d.]+) \\* ([\\d.]+) and kissi:${name}:bad_(\\w+) > ([\\d.]+) \\* ([\\d.]+)`,
            'g',
          );
          return [...expr.matchAll(condition)].map(([, long, rate, of, short, sameRate, sameOf]) => {
            assert.deepEqual([sameRate, sameOf], [rate, of], 'both windows have one threshold');
            assert.equal(Number(of), budget);
            return { severity: labels?.severity, rate: Number(rate), long, short };
          });
        });
      assert.deepEqual(found, table);
    });
  }

  test('use the share of the budget that the page says', () => {
    const hours = (text: string) => Number.parseInt(text, 10) * (text.endsWith('d') ? 24 : 1);
    const shares = [...page.matchAll(/^\| (?:page|ticket) .*\| (\d+) % \| (\d+) days \|$/gm)];
    assert.equal(shares.length, table.length);
    for (const [index, { rate, long }] of table.entries()) {
      const [, share, days] = shares[index] ?? [];
      assert.equal(Math.round((100 * rate * hours(long)) / (30 * 24)), Number(share), `${rate} over ${long}`);
      assert.equal(Math.round(30 / rate), Number(days), `${rate}`);
    }
  });
});
