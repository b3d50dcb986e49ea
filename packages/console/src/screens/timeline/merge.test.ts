// The merge of several lists into one timeline.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KissiError } from '@kissi/client';
import { type Position, readPage, type Source, type TimelinePage } from './merge.ts';

interface Row {
  minute: number;
}

const options = { signal: new AbortController().signal };

/** Pages of two rows. `reads`: how often a page was read. */
function listed(id: string, minutes: readonly number[], reads: string[] = []): Source<Row> {
  return {
    id,
    async read(position) {
      reads.push(`${id} ${position}`);
      const start = Number(position);
      const rows = minutes.slice(start, start + 2).map((minute) => ({ minute }));
      return { rows, next: start + 2 < minutes.length ? String(start + 2) : undefined };
    },
    at: ({ minute }) => new Date(minute * 60_000).toISOString(),
    key: ({ minute }) => String(minute),
  };
}

async function pages(sources: readonly Source<Row>[], size: number): Promise<string[][]> {
  const found: string[][] = [];
  let rest: Position | null = null;
  do {
    const page: TimelinePage = await readPage(sources, rest, size, options);
    found.push(page.items.map(({ source, key }) => source + key));
    rest = page.rest;
  } while (rest);
  return found;
}

test('everything of all lists comes once, newest first, whatever the pages', async () => {
  const sources = [listed('a', [90, 80, 70, 10, 5]), listed('b', [85, 84, 83, 82, 81]), listed('c', [])];
  const all = ['a90', 'b85', 'b84', 'b83', 'b82', 'b81', 'a80', 'a70', 'a10', 'a5'];
  for (const size of [1, 3, 4, 100]) assert.deepEqual((await pages(sources, size)).flat(), all, `pages of ${size}`);
  assert.deepEqual(await pages(sources, 4), [all.slice(0, 4), all.slice(4, 8), all.slice(8)]);
});

test('a page reads no more than it shows', async () => {
  const reads: string[] = [];
  await readPage([listed('a', [90, 80, 70], reads), listed('b', [20, 10, 5], reads)], null, 2, options);
  assert.deepEqual(reads, ['a ', 'b ']);
});

test('a page of a list may be empty before the list ends', async () => {
  const hidden: Source<Row> = {
    ...listed('h', []),
    read: async (position) => (position === 'later' ? { rows: [{ minute: 50 }] } : { rows: [], next: 'later' }),
  };
  assert.deepEqual(await pages([listed('a', [60, 40]), hidden], 2), [['a60', 'h50'], ['a40']]);
});

test('a list that the service refuses is left out and named; any other failure is one', async () => {
  const failing = (code: string, status: number): Source<Row> => ({
    ...listed('f', []),
    read: () => Promise.reject(new KissiError({ code, message: 'no', status, requestId: null } as never)),
  });
  const { items, refused, rest } = await readPage([listed('a', [60]), failing('FORBIDDEN', 403)], null, 5, options);
  assert.deepEqual([items.length, refused, rest], [1, ['f'], null]);
  for (const code of ['PEP_ACCESS_REQUIRED', 'INTERNAL_ERROR']) {
    await assert.rejects(readPage([listed('a', [60]), failing(code, 403)], null, 5, options), { code });
  }
});
