// The calculator of docs/operations/capacity.html: its costs and its arithmetic are those of capacity.md.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';

const read = (path: string) => readFile(new URL(`../docs/operations/${path}`, import.meta.url), 'utf8');
const [page, html] = [await read('capacity.md'), await read('capacity.html')];

interface Load {
  customers: number;
  perDay: number;
  peak: number;
  lookups: number;
  pages: number;
  months: number;
}

const [, script = ''] = /<script id="calculation">([\s\S]+?)<\/script>/.exec(html) ?? [];
const { capacity, COSTS } = runInNewContext(`${script}; ({ capacity, COSTS })`) as {
  capacity(load: Load): Record<string, number>;
  COSTS: Record<string, number>;
};

/** The figure in a cell of the table of measured costs. */
function measured(symbol: string): number[] {
  const [, value = ''] = new RegExp(`^\\| [^|]+ \\| ${symbol} \\| ([^|]+) \\|`, 'm').exec(page) ?? [];
  return (value.match(/[\d,]+(\.\d+)?/g) ?? []).map((text) => Number(text.replace(',', '')));
}

const close = (actual: number | undefined, expected: number, share: number) =>
  assert.ok(Math.abs((actual ?? Number.NaN) / expected - 1) <= share, `${actual} instead of ${expected}`);

test('the costs are the measured ones', () => {
  for (const symbol of ['g', 'p', 'b', 'k', 'w'])
    assert.deepEqual([COSTS[symbol]], measured(symbol).slice(0, 1), symbol);
  assert.deepEqual([COSTS.historyGateway, COSTS.historyPostgres], measured('h'));
  const [, gateway, postgres] = /split of a look-up \((\d+) \+ (\d+) µs\)/.exec(page) ?? [];
  assert.deepEqual([COSTS.lookupGateway, COSTS.lookupPostgres], [Number(gateway), Number(postgres)]);
  assert.deepEqual([Number(gateway) + Number(postgres)], measured('l'));
});

describe('the arithmetic gives what the page says', () => {
  const plain = { customers: 1, peak: 4, lookups: 0, pages: 0, months: 24 };

  test('for a country of 8 million', () => {
    const found = capacity({ ...plain, perDay: 2_000_000 });
    assert.match(page, /2 million payments a day \| 92\/s \| 23\/s \| 0\.2 \| 0\.1 \| 1\.6 \/ 0\.5 TB \|/);
    assert.deepEqual([Math.trunc(found.atPeak ?? 0), Math.round(found.average ?? 0)], [92, 23]);
    // Rounded up on the page.
    close(found.gatewayCores, 0.043, 0.05);
    close(found.diskGb, 1_600, 0.05);
    close(capacity({ ...plain, perDay: 2_000_000, months: 6 }).diskGb, 500, 0.1);
    assert.equal(found.gateways, 2, 'never fewer than two');
  });

  test('for the published capacity of M-PESA', () => {
    assert.match(
      page,
      /published in 2025 \| 6,000\/s \| 1,157\/s \| 2\.8 \(11 with reads\) \| 1\.6 \(2\.9\) \| 78 \/ 23 TB \|/,
    );
    const load = { ...plain, perDay: 100_000_000, peak: 6_000 / (100_000_000 / 86_400) };
    const [found, withReads] = [capacity(load), capacity({ ...load, lookups: 3, pages: 0.5 })];
    assert.equal((found.gatewayCores ?? 0).toFixed(1), '2.8');
    assert.equal((found.postgresCores ?? 0).toFixed(1), '1.6');
    assert.equal(Math.round(withReads.gatewayCores ?? 0), 11);
    close(found.diskGb, 78_000, 0.01);
    close(capacity({ ...load, months: 6 }).diskGb, 23_500, 0.03);
  });

  test('for a thousand payments per second', () => {
    const found = capacity({ ...plain, perDay: 250 * 86_400, lookups: 3, pages: 0.5 });
    assert.equal((found.gatewayCores ?? 0).toFixed(1), '1.8');
    // The page reads histories from replicas: half a page of 1,020 µs more is on the primary here.
    close(found.postgresCores, 0.5 + (1_000 * 0.5 * 1_020) / 1e6 / 0.7, 0.03);
    close(found.diskGb, 17_000, 0.01);
    close(found.logPerDayGb, 60, 0.01);
    assert.deepEqual([found.gateways, found.connections], [3, 4 * 24 + 20]);
  });
});

test('the page asks nobody else', () => {
  assert.doesNotMatch(html, /https?:|\bsrc=|\bhref=|@import|fetch\(/);
  assert.match(html, /default-src 'none'/);
});
