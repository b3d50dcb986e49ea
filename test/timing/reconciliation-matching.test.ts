// Tests the CPU time of matching 100,000 open items on each side, and that no slice of it delays other work.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Item, type Matching, match, matchInSlices } from '../../src/features/finance/reconciliation/matcher.ts';

const ITEMS = 100_000;
const CPU_LIMIT_MS = 10_000;
/** CPU time of one slice. Most take less than 2 ms; garbage collection may fall into one. */
const SLICE_LIMIT_MS = 300;

type Values = (n: number) => Partial<Item>;

const CASES: Record<string, { bank: Values; books: Values }> = {
  'distinct references': { bank: (n) => ({ reference: `R${n}` }), books: (n) => ({ reference: `R${n}` }) },
  'references on one side only': {
    bank: (n) => ({ reference: `B${n}`, counterparty: `C${n % 500}` }),
    books: (n) => ({ reference: `T${n}`, counterparty: `C${n % 500}` }),
  },
  'sums of days': {
    bank: (n) => ({ amount: 1_001 * n, counterparty: `C${n % 500}` }),
    books: (n) => ({ amount: 1 + (n % 50), counterparty: `C${n % 500}`, date: n % 400 }),
  },
  'one amount, one counterparty': {
    bank: (n) => ({ amount: 500, counterparty: 'ACME', date: n % 400 }),
    books: (n) => ({ amount: 500, counterparty: 'ACME', date: n % 400 }),
  },
  'one amount, no counterparty': { bank: () => ({ amount: 500 }), books: () => ({ amount: 500 }) },
  'one reference for all': { bank: () => ({ reference: 'DAILY' }), books: () => ({ reference: 'DAILY', amount: 7 }) },
};

for (const [name, { bank, books }] of Object.entries(CASES)) {
  it(`${name}: 100,000 items on each side take less than 10 s of CPU time, in short slices`, (t) => {
    const [entries, movements] = [itemsOf('bent', bank), itemsOf('txn', books)];
    const started = process.cpuUsage();
    const { matching, longestMs } = timed(entries, movements);
    const { user, system } = process.cpuUsage(started);
    const cpuMs = Math.round((user + system) / 1_000);
    const { matches, suggestions } = matching;
    t.diagnostic(`${cpuMs} ms, longest slice ${longestMs} ms: ${matches.length} and ${suggestions.length} suggested`);
    assert.ok(cpuMs < CPU_LIMIT_MS, `${cpuMs} ms`);
    assert.ok(longestMs < SLICE_LIMIT_MS, `a slice of ${longestMs} ms`);
  });
}

it('matches all of 100,000 pairs with distinct references', () => {
  const { matches } = match(
    itemsOf('bent', (n) => ({ reference: `R${n}` })),
    itemsOf('txn', (n) => ({ reference: `R${n}` })),
  );
  assert.equal(matches.length, ITEMS);
});

function itemsOf(prefix: string, values: Values): Item[] {
  return Array.from({ length: ITEMS }, (_, n) => ({
    id: `${prefix}_${String(n).padStart(26, '0')}`,
    amount: 100 + (n % 3_000),
    date: 20_000 + (n % 400),
    reference: null,
    counterparty: null,
    ...values(n),
  }));
}

function timed(bank: Item[], books: Item[]): { matching: Matching; longestMs: number } {
  const slices = matchInSlices(bank, books);
  let longestMs = 0;
  for (;;) {
    const started = process.threadCpuUsage();
    const { done, value } = slices.next();
    const { user, system } = process.threadCpuUsage(started);
    longestMs = Math.max(longestMs, Math.round((user + system) / 1_000));
    if (done) return { matching: value, longestMs };
  }
}
