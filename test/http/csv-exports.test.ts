// CSV exports over HTTP: slow, stalled and vanished clients, failures in the middle, limits, and bounded memory.
import assert from 'node:assert/strict';
import { get, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, test } from 'node:test';
import { Type } from 'typebox';
import { noAuthentication } from '../../src/auth/schemes/bearer.ts';
import type { ExportLimits, ExportRecord } from '../../src/http/csv/exports.ts';
import { type Endpoint, endpoint, ok, type RouteGroup } from '../../src/http/endpoint.ts';
import { legacyEnvelope } from '../../src/http/envelope.ts';
import { AdmissionControl } from '../../src/http/overload/admission-control.ts';
import { listQuery, listReply, type Page, pageOf } from '../../src/http/paging.ts';
import { type Refusal, refuse } from '../../src/kernel/refusal.ts';
import { bareExports, bareServer } from '../support/bare-server.ts';
import { CSV, parseCsv } from '../support/csv.ts';
import { waitFor } from '../support/wait.ts';

const TEXT = 'ɛ'.repeat(200);
const ENDLESS = Number.POSITIVE_INFINITY;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type ReadPage = (page: Page) => object[] | Refusal;

/** Records with the ids 1, 2, 3, … */
function numbered(total: number): ReadPage {
  return ({ limit, after }) => {
    const from = Number(after ?? 0);
    return Array.from({ length: Math.min(limit, total - from) }, (_, at) => ({
      id: String(from + at + 1),
      text: TEXT,
    }));
  };
}

/** A server with one list. */
async function serve(read: ReadPage, limits: Partial<ExportLimits> = {}) {
  const recorded: ExportRecord[] = [];
  const reads = { count: 0 };
  const exports = bareExports({ limits, record: async (record) => void recorded.push(record) });
  const list = endpoint({
    ...{
      id: 'getNumbers',
      method: 'GET',
      path: '/numbers',
      permission: 'anyone',
      summary: 'Lists numbers',
      query: listQuery({}),
    },
    replies: { 200: listReply('numbers', Type.Object({ id: Type.String(), text: Type.String() })) },
    handle: async ({ query }) => {
      reads.count += 1;
      const page = pageOf(query);
      const numbers = read(page);
      return Array.isArray(numbers) ? ok({ numbers, total_count: 0, ...page }) : numbers;
    },
  });
  const group = { family: 'probe', prefix: '', authentication: noAuthentication, envelope: legacyEnvelope };
  const newLane = () => new AdmissionControl({ limit: 10 });
  const lanes = { changes: newLane(), reads: newLane(), uploads: newLane(), conversations: newLane() };
  const rows: RouteGroup[] = [{ ...group, endpoints: [list as Endpoint] }];
  const app = await bareServer({ rows, lanes, exports });
  await app.listen({ host: '127.0.0.1', port: 0 });
  closers.push(() => {
    exports.stop();
    return app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  const at = { host: '127.0.0.1', port, path: '/numbers', headers: CSV };
  return { at, exports, reads, outcomes: () => recorded.map(({ end }) => end?.outcome ?? 'started'), recorded };
}

type Address = Awaited<ReturnType<typeof serve>>['at'];

const open = (at: Address) =>
  new Promise<IncomingMessage>((resolve, reject) => void get(at, resolve).once('error', reject));

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('an export has all records in order, whatever the size of the last page', async () => {
  for (const total of [0, 1, 9, 10, 11, 25]) {
    const { at, outcomes, recorded, exports } = await serve(numbered(total), { pageSize: 10 });
    const { columns, rows } = parseCsv(await textOf(await open(at)));
    assert.deepEqual(columns, ['id', 'text']);
    assert.deepEqual(
      rows.map(([id]) => id),
      Array.from({ length: total }, (_, index) => String(index + 1)),
    );
    assert.deepEqual(outcomes(), ['started', 'complete']);
    assert.equal(recorded[1]?.end?.rows, total);
    await waitFor('the slot is free', () => exports.count === 0);
  }
});

test('HEAD returns the headers and reads one page', async () => {
  const { at, reads, outcomes } = await serve(numbered(ENDLESS));
  const response = await new Promise<IncomingMessage>((resolve) => {
    request({ ...at, method: 'HEAD' }, resolve).end();
  });
  assert.equal(response.headers['content-type'], 'text/csv; charset=utf-8; header=present');
  assert.equal(await textOf(response), '');
  assert.equal(reads.count, 1);
  assert.deepEqual(outcomes(), []);
});

test('a failure after the first page breaks the connection, so that the file is not taken for complete', async () => {
  const failures: Record<string, ReadPage> = {
    'an exception': () => {
      throw new Error('the database is gone');
    },
    'a refusal': () => refuse('FORBIDDEN', 'Not any more.'),
    'a list that ignores the position': () => numbered(10)({ limit: 10, offset: 0, after: null }),
  };
  for (const [name, fail] of Object.entries(failures)) {
    const read: ReadPage = (page) => (page.after === '10' ? fail(page) : numbered(10)(page));
    const { at, outcomes, exports } = await serve(read, { pageSize: 10 });
    await assert.rejects(async () => textOf(await open(at)), { code: 'ECONNRESET' }, name);
    await waitFor('the end is recorded', () => outcomes().length === 2);
    assert.deepEqual(outcomes(), ['started', 'failed'], name);
    assert.equal(exports.count, 0);
  }
});

test('a failure also resets the connection of a client that speaks HTTP/1.0', async () => {
  const read: ReadPage = (page) => (page.after === '10' ? refuse('FORBIDDEN', 'Not any more.') : numbered(10)(page));
  const { at } = await serve(read, { pageSize: 10 });
  const socket = connect(at.port, at.host);
  socket.write('GET /numbers HTTP/1.0\r\naccept: text/csv\r\n\r\n');
  const ended = new Promise<string>((resolve) => {
    socket.once('end', () => resolve('end')).once('error', ({ message }) => resolve(message));
  });
  socket.resume();
  assert.match(await ended, /ECONNRESET/);
});

test('a refusal of the first page is a normal reply, and an exception a 500', async () => {
  const refused = await serve(() => refuse('FORBIDDEN', 'No.'));
  const reply = await open(refused.at);
  assert.equal(reply.statusCode, 403);
  assert.deepEqual(JSON.parse(await textOf(reply)), { success: false, error: 'No.', code: 'FORBIDDEN' });
  const failing = await serve(() => {
    throw new Error('the database is gone');
  });
  const failed = await open(failing.at);
  assert.equal(failed.statusCode, 500);
  await textOf(failed);
  for (const { outcomes, exports } of [refused, failing]) {
    assert.deepEqual(outcomes(), []);
    await waitFor('the slot is free', () => exports.count === 0);
  }
});

test('without an entry in the audit log no row is sent', async () => {
  const { at, exports } = await serve(numbered(3));
  exports.record = () => Promise.reject(new Error('the database is gone'));
  const reply = await open(at);
  assert.equal(reply.statusCode, 500);
  assert.doesNotMatch(await textOf(reply), new RegExp(TEXT));
});

test('a client that disconnects ends its export', async () => {
  const { at, exports, reads, outcomes } = await serve(numbered(ENDLESS));
  const response = await open(at);
  response.once('error', () => undefined);
  await new Promise((resolve) => response.once('data', resolve));
  response.destroy();
  await waitFor('the slot is free', () => exports.count === 0);
  await waitFor('the end is recorded', () => outcomes().length === 2);
  assert.deepEqual(outcomes(), ['started', 'disconnected']);
  const { count } = reads;
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  assert.ok(reads.count <= count + 1, 'no further pages are read');
});

test('a client that disconnects during the first page ends its export', async () => {
  const socketClosed = Promise.withResolvers<void>();
  const { at, exports, outcomes } = await serve(numbered(ENDLESS));
  const { record } = exports;
  exports.record = async (each) => {
    if (!each.end) await socketClosed.promise;
    return record.call(exports, each);
  };
  const sent = get(at).on('error', () => undefined);
  await waitFor('the export begins', () => exports.count === 1);
  sent.destroy();
  await waitFor('the gateway notices', () => exports.count === 0);
  socketClosed.resolve();
  await waitFor('the end is recorded', () => outcomes().length === 2);
  assert.deepEqual(outcomes(), ['started', 'disconnected']);
});

test('a client that stops reading is disconnected, and makes memory grow by a few pages only', async () => {
  const { at, exports, reads, outcomes } = await serve(numbered(ENDLESS), { stallMs: 300 });
  const response = await open(at);
  response.once('error', () => undefined);
  response.pause();
  const { heapUsed, external } = process.memoryUsage();
  await waitFor('the client is disconnected', () => exports.count === 0);
  const now = process.memoryUsage();
  assert.deepEqual(outcomes(), ['started', 'stalled']);
  // The rest is in the buffers of the two sockets.
  assert.ok(reads.count < 200, `${reads.count} pages of 100 KB were read`);
  assert.ok(now.heapUsed + now.external - heapUsed - external < 64 * 1024 * 1024);
});

test('an export ends after its time limit, although the client reads', async () => {
  const { at, outcomes, exports } = await serve(numbered(ENDLESS), { maxMs: 200 });
  await assert.rejects(async () => {
    for await (const _chunk of await open(at));
  });
  await waitFor('the slot is free', () => exports.count === 0);
  await waitFor('the end is recorded', () => outcomes().length === 2);
  assert.deepEqual(outcomes(), ['started', 'timed_out']);
});

test('a stopping gateway ends its exports and refuses new ones', async () => {
  const { at, outcomes, exports } = await serve(numbered(ENDLESS));
  const response = await open(at);
  exports.stop();
  await assert.rejects(textOf(response));
  await waitFor('the end is recorded', () => outcomes().length === 2);
  await exports.recorded();
  assert.deepEqual(outcomes(), ['started', 'stopped']);
  const refused = await open(at);
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '10']);
  await textOf(refused);
});

test('one caller runs two exports at a time, and gets more when one ends', async () => {
  const { at, exports } = await serve(numbered(ENDLESS));
  const running = [await open(at), await open(at)];
  for (const each of running) each.once('error', () => undefined);
  const refused = await open(at);
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '10']);
  assert.equal(JSON.parse(await textOf(refused)).code, 'RATE_LIMITED');
  running[0]?.destroy();
  await waitFor('a slot is free', () => exports.count === 1);
  const next = await open(at);
  assert.equal(next.statusCode, 200);
  for (const each of [...running, next]) each.once('error', () => undefined).destroy();
});

test('a gateway runs a bounded number of exports; staff get slots that others cannot take', () => {
  const exports = bareExports();
  const call = (caller: object) => ({ caller }) as never;
  const staff = (id: string) => call({ kind: 'user', id, role: 'finance_user', agentId: null, processorId: null });
  const key = (id: string, partnerId: string | null) => call({ kind: 'key', id, partnerId, processorId: null });
  const codeOf = (entered: unknown) => (entered as Partial<Refusal>).code;
  assert.equal(codeOf(exports.enter(key('key_1', 'ptn_1'))), undefined);
  assert.equal(codeOf(exports.enter(key('key_2', 'ptn_1'))), undefined);
  assert.equal(codeOf(exports.enter(key('key_3', 'ptn_1'))), 'RATE_LIMITED', 'the keys of a partner share its limit');
  assert.equal(codeOf(exports.enter(key('key_4', null))), 'SERVICE_UNAVAILABLE');
  assert.equal(codeOf(exports.enter(staff('usr_1'))), undefined);
  assert.equal(codeOf(exports.enter(staff('usr_2'))), undefined);
  assert.equal(codeOf(exports.enter(staff('usr_3'))), 'SERVICE_UNAVAILABLE');
});
