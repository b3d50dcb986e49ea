// POST /cards/upload-csv: CSV as the body or in a form, streamed; invalid lines are reported and valid ones stored.
import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { assertStatus, type CallReply, gatewayForFile, type Json } from '../../support/gateway.ts';
import { apiKey, auditLogs } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';

const kissi = await gatewayForFile();
const key = (await apiKey(kissi, ['cards:read', 'cards:write'])).key;

const PATH = '/api/v1/cards/upload-csv';
const CSV = { 'content-type': 'text/csv' };
const MEBIBYTE = 1024 * 1024;

setFlagsFromString('--expose_gc');
const collectGarbage: () => void = runInNewContext('gc');

const upload = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = CSV, token = key) =>
  kissi.call('POST', PATH, { raw, headers, token });
const outcome = ({ status, json }: CallReply) => [status, json.code];
const counts = ({ status, json }: CallReply) => [status, json.total, json.created, json.skipped, json.errors_total];
const stored = async (prefix: string) =>
  (await kissi.db.query('select * from cards where starts_with(serial, $1) order by serial', [prefix])).rows;

const BOUNDARY = 'a-boundary';
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const filePart = (text: string, name = 'cards') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="cards.csv"\r\n` +
  `Content-Type: application/vnd.ms-excel\r\n\r\n${text}\r\n`;
const fieldPart = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const form = (...parts: string[]) => `${parts.join('')}--${BOUNDARY}--\r\n`;

/** Sends the chunks as they are generated, with chunked encoding, without buffering them in this process. */
async function stream(chunks: Iterable<string>, headers: Record<string, string> = CSV): Promise<Json> {
  const upload = request(kissi.url + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  const received = new Promise<IncomingMessage>((resolve, reject) =>
    upload.once('response', resolve).once('error', reject),
  );
  // The gateway may reply and close the connection before the file is complete: the reply counts, not the broken stream.
  await Promise.race([pipeline(Readable.from(chunks, { objectMode: false }), upload), received]).catch(() => {});
  const response = await received;
  return { status: response.statusCode, json: JSON.parse((await response.toArray()).join('')) };
}

test('adds cards to stock and reports skipped and invalid lines by line number', async () => {
  await upload('serial\nUP-OLD\n');
  kissi.clock.advance(1_000);
  const text = [
    '\ufeffSerial,LABEL',
    'up-1,"Box 1, ""left"""',
    'UP-2',
    '',
    'up-1,again',
    'UP-OLD,known',
    'bad serial!,x',
    'UP-3,Frère 🏦',
    'UP-4,"never closed',
    'UP-5,one,two',
    'UP-6,last',
  ].join('\r\n');
  const reply = assertStatus(await upload(text), 200);
  const { errors, ...rest } = reply.json;
  assert.deepEqual(rest, {
    success: true,
    message: 'The file was processed.',
    total: 9,
    created: 4,
    skipped: 2,
    errors_total: 3,
  });
  assert.deepEqual(
    errors.map(({ line, serial }: Json) => [line, serial]),
    [
      [7, 'bad serial!'],
      [9, 'UP-4'],
      [10, 'UP-5'],
    ],
  );
  const rows = await stored('UP-');
  assert.deepEqual(
    rows.map(({ serial, label, type, status }) => [serial, label, type, status]),
    [
      ['UP-1', 'Box 1, "left"', 'parent', 'unassigned'],
      ['UP-2', null, 'parent', 'unassigned'],
      ['UP-3', 'Frère 🏦', 'parent', 'unassigned'],
      ['UP-6', 'last', 'parent', 'unassigned'],
      ['UP-OLD', null, 'parent', 'unassigned'],
    ],
  );
  const entries = await auditLogs(kissi, { action: 'card.upload' });
  assert.deepEqual(entries.map(({ details }) => details).at(0), { created: 4, skipped: 2 });
  assert.equal(entries.length, 2);
  const again = await upload(text);
  assert.deepEqual(counts(again), [200, 9, 0, 6, 3]);
  assert.equal((await auditLogs(kissi, { action: 'card.upload' })).length, 2);
});

test('accepts a form with a file in any field, and ignores other fields and further files', async () => {
  const body = form(
    fieldPart('note', 'x'),
    filePart('serial\r\nFORM-1\r\nFORM-2', 'anything'),
    filePart('serial\nFORM-3'),
  );
  assert.deepEqual(counts(await upload(body, FORM)), [200, 2, 2, 0, 0]);
  assert.deepEqual(
    (await stored('FORM-')).map(({ serial }) => serial),
    ['FORM-1', 'FORM-2'],
  );
});

test('accepts the form encoding of browsers and fetch', async () => {
  const body = new FormData();
  body.set('file', new Blob(['serial,label\nFETCH-1,Blob\n'], { type: 'text/csv' }), 'cards.csv');
  const headers = { authorization: `Bearer ${key}` };
  const reply = await fetch(kissi.url + PATH, { method: 'POST', headers, body });
  assert.deepEqual([reply.status, ((await reply.json()) as Json).created], [200, 1]);
});

test('an invalid form or one without a file gets 400 INVALID_REQUEST', async () => {
  for (const [body, headers] of [
    [form(fieldPart('file', 'serial\nNOFILE-1')), FORM],
    [form(), FORM],
    ['', FORM],
    ['serial\nNOFILE-2', FORM],
    [filePart('serial\nNOFILE-3'), { 'content-type': 'multipart/form-data' }],
    [form(filePart('serial\nNOFILE-4', '__proto__')), FORM],
  ] as const) {
    assert.deepEqual(outcome(await upload(body, headers)), [400, 'INVALID_REQUEST'], body);
  }
  assert.deepEqual(await stored('NOFILE'), []);
});

test('a form that ends within its file gets 400, and later uploads work', async () => {
  const body = filePart('serial\nCUT-1\nCUT-2').slice(0, -8);
  assert.deepEqual(outcome(await upload(body, FORM)), [400, 'INVALID_REQUEST']);
  assert.equal((await upload('serial\nCUT-3')).status, 200);
});

test('a file without the header gets 400 INVALID_REQUEST, and no card is stored', async () => {
  const longFile = `NOHEAD-${'x\n'.repeat(2 * MEBIBYTE)}`;
  for (const text of ['', '\n', 'NOHEAD-1\nNOHEAD-2\n', 'serial;label\nNOHEAD-3;x', '\nserial\nNOHEAD-4', longFile]) {
    const reply = await upload(text);
    assert.deepEqual(outcome(reply), [400, 'INVALID_REQUEST'], text.slice(0, 40));
    assert.match(reply.json.error, /header/);
  }
  const utf16 = new Uint8Array(Buffer.from('\ufeffserial\nNOHEAD-5\n', 'utf16le'));
  assert.deepEqual(outcome(await upload(utf16)), [400, 'INVALID_REQUEST']);
  assert.deepEqual(await stored('NOHEAD'), []);
  assert.deepEqual(counts(await upload('serial\n')), [200, 0, 0, 0, 0]);
});

test('checks the credential (401) and the scope (403) first, then the content type (415)', async () => {
  for (const type of ['application/json', 'text/plain', 'text/csvx', 'application/x-www-form-urlencoded']) {
    assert.deepEqual(outcome(await upload('{}', { 'content-type': type })), [415, 'UNSUPPORTED_MEDIA_TYPE'], type);
  }
  assert.equal((await upload('serial\nTYPE-1', { 'content-type': 'Text/CSV; charset=utf-8' })).status, 200);
  const headers = { ...CSV, 'x-note': 'refused before the body is read' };
  const body = new Uint8Array(3 * MEBIBYTE);
  assert.equal((await kissi.call('POST', PATH, { raw: body, headers })).status, 401);
  const readKey = (await apiKey(kissi, ['cards:read'])).key;
  assert.equal((await upload(body, { 'content-type': 'text/plain' }, readKey)).status, 403);
});

test('other card routes still accept only JSON of at most 1 MiB', async () => {
  const link = (raw: string, headers: Record<string, string>) =>
    kissi.call('POST', '/api/v1/cards/link', { raw, headers, token: key });
  assert.equal((await link(form(filePart('x')), FORM)).status, 415);
  assert.equal((await link('serial', CSV)).status, 415);
  assert.equal((await link(' '.repeat(MEBIBYTE + 1), { 'content-type': 'application/json' })).status, 413);
});

test('reports hostile lines with their numbers and stores formulas in labels as text', async () => {
  const bytes = Buffer.concat([
    Buffer.from('serial,label\nHOST-1,a\n'),
    Buffer.from('HO\0ST-2,b\n'),
    Buffer.from([0x48, 0x4f, 0x53, 0x54, 0x2d, 0x33, 0x2c, 0xff, 0xfe, 0x0a]),
    Buffer.from(`HOST-4,${'x'.repeat(3 * MEBIBYTE)}\n`),
    Buffer.from(`${'"'.repeat(999)}\n`),
    Buffer.from(`${','.repeat(999)}\n`),
    Buffer.from('HOST-5,"=HYPERLINK(""http://x"")"\n'),
    Buffer.from("'; drop table cards; --,x\n"),
    Buffer.from('__proto__,x\nHOST-6\u2028,x\nHOST-7,z'),
  ]);
  const reply = assertStatus(await upload(new Uint8Array(bytes)), 200);
  assert.deepEqual(
    reply.json.errors.map(({ line }: Json) => line),
    [3, 4, 5, 6, 7, 9],
  );
  assert.deepEqual(
    (await stored('HOST')).map(({ serial, label }) => [serial, label]),
    [
      ['HOST-1', 'a'],
      ['HOST-5', '=HYPERLINK("http://x")'],
      ['HOST-6', 'x'],
      ['HOST-7', 'z'],
    ],
  );
  assert.ok(reply.text.length < 10_000);
});

test('stores all valid lines of 100,000 with errors in the middle, in bounded memory', async () => {
  const COUNT = 100_000;
  const label = 'é'.repeat(90);
  const rss: number[] = [];
  function* lines(): Generator<string> {
    yield 'serial,label\n';
    for (let from = 0; from < COUNT; from += 500) {
      // Collect garbage first, so that memory use does not depend on when V8 would do it.
      if (from % 20_000 === 0) {
        collectGarbage();
        rss.push(process.memoryUsage().rss);
      }
      let chunk = '';
      for (let n = from; n < from + 500; n++) {
        const invalid = n >= 50_000 && n < 52_000;
        chunk += invalid ? `no serial ${n},"${label}\n` : `BULK-${'0'.repeat(40)}${n},"${label}"\n`;
      }
      yield chunk;
    }
  }
  const { status, json } = await stream(lines());
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(
    [status, json.total, json.created, json.skipped, json.errors_total, json.errors.length],
    [200, COUNT, 98_000, 0, 2_000, 1_000],
  );
  assert.deepEqual([json.errors[0].line, json.errors.at(-1).line], [50_002, 51_001]);
  const { rows } = await kissi.db.query(`select count(*) as n from cards where serial like 'BULK-%'`);
  assert.equal(rows[0].n, 98_000);
  const grownMiB = (Math.max(...rss) - (rss[0] ?? 0)) / MEBIBYTE;
  assert.ok(rss.length === 5 && grownMiB < 80, `memory grew by ${grownMiB.toFixed(1)} MiB`);
});

test('a file over 64 MiB gets 413: immediately with Content-Length, otherwise when the limit is reached', async () => {
  const { hostname, port } = new URL(kissi.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/csv\r\n` +
      `Content-Length: ${64 * MEBIBYTE + 1}\r\n\r\nserial\nEARLY-1\n`,
  );
  const [statusLine] = (await socket.iterator({ destroyOnReturn: false }).next()).value.toString().split('\r\n');
  socket.destroy();
  assert.equal(statusLine, 'HTTP/1.1 413 Payload Too Large');
  function* endless(): Generator<string> {
    yield 'serial,label\nLATE-1,x\n';
    const chunk = `${'\n'.repeat(999)}${'x'.repeat(MEBIBYTE)}`;
    for (let n = 0; n < 66; n++) yield chunk;
  }
  const reply = await stream(endless());
  assert.deepEqual([reply.status, reply.json.code], [413, 'PAYLOAD_TOO_LARGE']);
  assert.deepEqual(await stored('EARLY'), []);
});

test('cards stored before a client disconnects remain, and the gateway keeps serving', async () => {
  const { hostname, port } = new URL(kissi.url);
  for (const type of ['text/csv', FORM['content-type']]) {
    const prefix = type === 'text/csv' ? 'GONE-A' : 'GONE-B';
    const text = `serial\n${Array.from({ length: 2_500 }, (_, n) => `${prefix}${n}`).join('\n')}`;
    const body = type === 'text/csv' ? text : filePart(text);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\n` +
        `Content-Length: ${10 * MEBIBYTE}\r\n\r\n${body}`,
    );
    await waitFor('two batches are stored', async () => (await stored(prefix)).length >= 2_000);
    socket.destroy();
    assert.equal((await upload(`serial\n${prefix}-after`)).status, 200);
    assert.ok((await stored(prefix)).length >= 2_001);
  }
});

test('concurrent uploads of the same cards in opposite orders finish and create each card once', async () => {
  const serials = Array.from({ length: 5_000 }, (_, n) => `TWICE-${n}`);
  const file = (list: string[]) => `serial\n${list.join('\n')}`;
  const replies = await Promise.all([upload(file(serials)), upload(file(serials.toReversed())), upload(file(serials))]);
  const created = replies.map(({ status, json }) => {
    assert.deepEqual([status, json.total, json.created + json.skipped], [200, 5_000, 5_000]);
    return json.created;
  });
  assert.equal(created[0] + created[1] + created[2], 5_000);
});

test('the OpenAPI document describes both request formats', async () => {
  const { json } = await kissi.call('GET', '/openapi.json');
  const { content } = json.paths[PATH].post.requestBody;
  assert.deepEqual(Object.keys(content), ['text/csv', 'multipart/form-data']);
  assert.equal(content['multipart/form-data'].schema.properties.file.format, 'binary');
});
