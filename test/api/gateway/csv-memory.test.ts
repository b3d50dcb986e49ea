// Exports of 200,000 records from PostgreSQL in bounded memory, with a cursor, with positions, and to a slow client.
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { CSV } from '../../support/csv.ts';
import { assertStatus, gatewayForFile } from '../../support/gateway.ts';
import { insertHistory } from '../../support/history.ts';
import { waitFor } from '../../support/wait.ts';

const ROWS = 200_000;
const MEBIBYTE = 1024 * 1024;
/** The lists are tens of megabytes as text, and hundreds as objects. */
const MAX_GROWTH = 32 * MEBIBYTE;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const kissi = await gatewayForFile({ unauditedRecords: ['card'] });
const token = await kissi.adminToken();
await insertData();

async function insertData(): Promise<void> {
  const client = new pg.Client({ connectionString: kissi.db.url });
  await client.connect();
  await client.query(`insert into cards (serial, label, created_at)
    select 'CARD-' || lpad(n::text, 8, '0'), '=HYPERLINK("https://example.com/' || n || '")', now() - n / 1000 * interval '1 s'
    from generate_series(1, ${ROWS}) n`);
  await client.query('vacuum analyze cards');
  await client.end();
  await insertHistory(kissi.db.url, { accountId: 'sys_treasury', postings: ROWS, type: `'agent_funding'` });
}

function open(path: string): Promise<IncomingMessage> {
  const headers = { ...CSV, authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) =>
    get(`${kissi.url}/api/v1${path}`, { headers }, resolve).once('error', reject),
  );
}

interface Counted {
  lines: number;
  bytes: number;
  /** The highest growth of the heap and of buffers while the file was read, without garbage. */
  growth: number;
}

async function countLines(path: string): Promise<Counted> {
  const response = await open(path);
  assert.equal(response.statusCode, 200);
  const counted = { lines: 0, bytes: 0, growth: 0 };
  const start = memory();
  let nextSample = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    counted.bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) counted.lines += 1;
    if (counted.bytes < nextSample) continue;
    nextSample += 2 * MEBIBYTE;
    counted.growth = Math.max(counted.growth, memory() - start);
  }
  return counted;
}

function memory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

for (const path of ['/transactions', '/cards']) {
  test(`${path} exports ${ROWS} records in bounded memory`, async () => {
    const { lines, bytes, growth } = await countLines(path);
    assert.equal(lines, ROWS + 1);
    assert.ok(bytes > 10 * MEBIBYTE, String(bytes));
    assert.ok(growth < MAX_GROWTH, `${Math.round(growth / MEBIBYTE)} MiB`);
  });
}

test('a client that stops reading does not make memory grow, and its export ends when it disconnects', async () => {
  const before = memory();
  const response = await open('/transactions');
  response.once('error', () => undefined).pause();
  // Other requests are still answered.
  for (let n = 0; n < 50; n++) {
    assertStatus(await kissi.call('GET', '/api/v1/cards?limit=100', { token }), 200);
  }
  assert.ok(memory() - before < MAX_GROWTH);
  response.destroy();
  const query = { action: 'list.export_ended', limit: '1' };
  await waitFor('the end is in the audit log', async () => {
    const path = `/api/v1/audit/logs?${new URLSearchParams(query)}`;
    const [entry] = (await kissi.call('GET', path, { token })).json.logs;
    return entry.details.outcome === 'disconnected' && entry.details.rows < ROWS;
  });
});
