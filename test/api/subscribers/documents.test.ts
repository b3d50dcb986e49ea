// Documents of subscribers: uploaded without metadata, read by compliance only, and an agent's request for level 2 on them.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { agentToken, assertRefused, newAgent, newSubAgent } from '../../support/agents.ts';
import { decide, getApproval, pendingOf, user } from '../../support/approvals.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { manyScans } from '../../support/progressive-jpeg.ts';
import { auditLogs } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';

const { kissi, bank } = await bankForFile();
const superAgent = await newAgent(kissi);
const token = await agentToken(kissi, await newSubAgent(kissi, superAgent));
const [compliance, support] = [await user(kissi, 'compliance_user'), await user(kissi, 'support_user')];
let phones = 76_500_000;
let identities = 100_000;

/** A photo with the place where it was taken. */
const picture = (width = 40, height = 30, shade = 90) =>
  sharp({ create: { width, height, channels: 3, background: { r: shade, g: 20, b: 20 } } })
    .withExif({ IFD0: { Copyright: 'taken in Kissy' }, IFD3: { GPSLatitude: '8/1 29/1 0/1' } })
    .jpeg()
    .toBuffer();
const PHOTO = await picture();
const FACE = await picture(30, 40, 120);

async function customer(by = token): Promise<string> {
  const body = { phone_number: `0${phones++}`, first_name: 'Isatu', last_name: 'Koroma', pin: PIN };
  return assertStatus(await kissi.call('POST', '/api/v1/subscribers', { token: by, body }), 201).json.subscriber_id;
}

const upload = (id: string, kind: string, raw: Uint8Array, { by = token, type = 'image/jpeg' } = {}) =>
  kissi.call('POST', `/api/v1/subscribers/${id}/documents?kind=${kind}`, {
    token: by,
    raw: new Uint8Array(raw),
    headers: { 'content-type': type },
  });
/** An upload whose file is still to be sent. */
function begun(id: string): Socket {
  const { hostname, port } = new URL(kissi.url);
  const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
  socket.write(
    `POST /api/v1/subscribers/${id}/documents?kind=face HTTP/1.1\r\nhost: x\r\n` +
      `authorization: Bearer ${token}\r\ncontent-type: image/jpeg\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  return socket;
}

const get = (path: string, by = compliance.token) => kissi.call('GET', `/api/v1/subscribers/${path}`, { token: by });

async function download(path: string) {
  const headers = { authorization: `Bearer ${compliance.token}` };
  const reply = await fetch(`${kissi.url}/api/v1/subscribers/${path}`, { headers });
  assert.equal(reply.status, 200);
  return { headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

async function filed(): Promise<{ id: string; body: Json }> {
  const id = await customer();
  const identity = assertStatus(await upload(id, 'identity', PHOTO), 201).json.document;
  const face = assertStatus(await upload(id, 'face', FACE), 201).json.document;
  const id_number = `SL-${identities++}`;
  const documents = { identity_document_id: identity.id, face_document_id: face.id };
  return { id, body: { id_type: 'NATIONAL_ID', id_number, ...documents } };
}

const ask = (id: string, body: Json, by = token) =>
  kissi.call('POST', `/api/v1/subscribers/${id}/request-level`, { token: by, body });
const levelOf = async (id: string) => (await get(id)).json.subscriber.kyc_level;

describe('a document', () => {
  test('is stored encrypted without metadata, and compliance reads back what its digest says', async () => {
    const id = await customer();
    const { document } = assertStatus(await upload(id, 'identity', PHOTO), 201).json;
    const { documents } = assertStatus(await get(`${id}/documents`), 200).json;
    assert.deepEqual(documents, [document]);
    const file = await download(`${id}/documents/${document.id}`);
    const { bytes } = file;
    assert.equal(createHash('sha256').update(bytes).digest('hex'), document.sha256);
    assert.equal(file.headers.get('content-type'), 'image/jpeg');
    assert.equal(file.headers.get('content-disposition'), `attachment; filename="${document.id}.jpg"`);
    assert.match(String(file.headers.get('content-security-policy')), /sandbox/);
    const { exif, width, height } = await sharp(bytes).metadata();
    assert.deepEqual([exif, width, height], [undefined, 40, 30]);
    assert.ok((await sharp(PHOTO).metadata()).exif);
    const { rows } = await kissi.db.query('select sealed from subscriber_documents where id = $1', [document.id]);
    assert.equal(rows[0].sealed.includes(bytes.subarray(0, 20)), false);
    const [read] = await auditLogs(kissi, { action: 'subscriber.read_document', resource_id: id });
    assert.deepEqual([read.actor_id, read.details.document_id], [compliance.id, document.id]);
  });

  test('that is sent again is the same document', async () => {
    const id = await customer();
    const replies = [await upload(id, 'face', FACE), await upload(id, 'face', FACE)];
    const [first, second] = replies.map((reply) => assertStatus(reply, 201).json.document.id);
    assert.equal(first, second);
    assert.equal((await auditLogs(kissi, { action: 'subscriber.upload_document', resource_id: id })).length, 1);
  });

  test('is refused if it is not what it says, too large, or too many', async () => {
    const id = await customer();
    const html = Buffer.from('<script>alert(1)</script>');
    assertRefused(await upload(id, 'identity', html), 400, 'INVALID_REQUEST');
    assertRefused(await upload(id, 'identity', PHOTO.subarray(0, 200)), 400, 'INVALID_REQUEST');
    assertRefused(await upload(id, 'identity', html, { type: 'text/html' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    assertRefused(
      await upload(id, 'face', Buffer.from('%PDF-1.7'), { type: 'application/pdf' }),
      400,
      'INVALID_REQUEST',
    );
    assertRefused(await upload(id, 'passport', PHOTO), 400, 'INVALID_REQUEST');
    assertRefused(await upload(id, 'identity', new Uint8Array(5 * 1024 * 1024 + 1)), 413, 'PAYLOAD_TOO_LARGE');
    const huge = await sharp({ create: { width: 8_000, height: 5_001, channels: 3, background: 'white' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    assertRefused(await upload(id, 'identity', huge, { type: 'image/png' }), 400, 'INVALID_REQUEST');
    assert.deepEqual((await get(`${id}/documents`)).json.documents, []);
    const add = async (shade: number, by = token) => upload(id, 'face', await picture(8, 8, shade * 10), { by });
    for (let shade = 0; shade < 15; shade++) assertStatus(await add(shade), 201);
    assertRefused(await add(15), 409, 'FILE_LIMIT');
    // The agent leaves room for staff.
    for (let shade = 15; shade < 20; shade++) assertStatus(await add(shade, support.token), 201);
    assertRefused(await add(20, support.token), 409, 'FILE_LIMIT');
  });

  test('is decoded only if it is a JPEG or PNG, of few scans', async () => {
    const id = await customer();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
    assertRefused(await upload(id, 'face', Buffer.from(svg)), 400, 'INVALID_REQUEST');
    const other = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } });
    for (const bytes of [await other.gif().toBuffer(), await other.webp().toBuffer(), await other.tiff().toBuffer()]) {
      assertRefused(await upload(id, 'face', bytes), 400, 'INVALID_REQUEST');
    }
    assertRefused(await upload(id, 'face', await manyScans(14)), 400, 'INVALID_REQUEST');
    assertStatus(await upload(id, 'face', await manyScans(1)), 201);
  });

  test('in chunks of one byte is refused before it uses a hundred times its size', async () => {
    const socket = begun(await customer());
    socket.write(`${'1\r\n.\r\n'.repeat(100_000)}0\r\n\r\n`);
    const [reply] = await once(socket, 'data');
    socket.destroy();
    assert.match(String(reply), /^HTTP\/1.1 400.*too many small chunks/s);
  });

  test('waits for a place in memory with few others, and more are refused', async () => {
    const id = await customer();
    const sockets = Array.from({ length: 100 }, () => begun(id));
    const replies: string[] = [];
    for (const socket of sockets) {
      socket.write('1\r\n.\r\n');
      socket.once('data', (bytes) => replies.push(String(bytes)));
    }
    await waitFor('some are refused', () => replies.some((reply) => reply.startsWith('HTTP/1.1 503')));
    for (const socket of sockets) socket.destroy();
    await waitFor('the places are free', async () => (await upload(id, 'face', FACE)).status === 201);
  });

  test('is uploaded by the agent of a level-1 customer, who cannot read it back', async () => {
    const id = await customer();
    const { document } = assertStatus(await upload(id, 'identity', PHOTO), 201).json;
    const other = await agentToken(kissi, superAgent);
    assertRefused(await upload(id, 'identity', FACE, { by: other }), 403, 'FORBIDDEN');
    assertRefused(await get(`${id}/documents`, token), 403, 'FORBIDDEN');
    assertRefused(await get(`${id}/documents/${document.id}`, token), 403, 'FORBIDDEN');
    assertRefused(await get(`${id}/documents`, support.token), 403, 'FORBIDDEN');
    assertRefused(await get(`${await customer()}/documents/${document.id}`), 404, 'NOT_FOUND');
    assertRefused(await upload('sub_NOBODY', 'identity', PHOTO), 404, 'NOT_FOUND');
  });

  test('of a politically exposed person needs access, for staff', async () => {
    const { id, body } = await filed();
    await markPep(kissi, id);
    assertRefused(await get(`${id}/documents`), 403, 'PEP_ACCESS_REQUIRED');
    assertRefused(await get(`${id}/documents/${body.face_document_id}`), 403, 'PEP_ACCESS_REQUIRED');
    assertRefused(await upload(id, 'face', PHOTO, { by: support.token }), 403, 'PEP_ACCESS_REQUIRED');
  });
});

describe('a request for level 2', () => {
  test('names nobody whose id is given as request_id, which would tell who that is', async () => {
    const stranger = await bank.wallet();
    await markPep(kissi, stranger.id);
    for (const request_id of [stranger.id, (await filed()).id, compliance.id]) {
      const { id, body } = await filed();
      const { summary } = pendingOf(await ask(id, { ...body, request_id }));
      assert.deepEqual(summary.parties, [{ id, name: 'Isatu K.' }]);
    }
  });

  test('waits for compliance although no policy is enabled, and raises the level and its limits', async () => {
    const { id, body } = await filed();
    const approval = pendingOf(await ask(id, { ...body, request_id: 'level-1' }));
    assert.equal(await levelOf(id), 1);
    const seen = await getApproval(kissi, approval.id, compliance);
    assert.deepEqual(
      [seen.action, seen.summary.after.id_number, seen.summary.after.kyc_level],
      ['kyc.raise', body.id_number, 2],
    );
    assert.deepEqual(approval.summary.parties[0], { id, name: 'Isatu K.' }, 'the agent sees the name shortened');
    assert.deepEqual(seen.summary.parties[0], { id, name: 'Isatu Koroma' });
    assert.equal(approval.summary.parties.length, 1);
    const { documents } = (await get(`${id}/documents`)).json;
    for (const { kind, sha256 } of documents) {
      assert.ok(seen.summary.after.documents.some((line: string) => line.startsWith(kind) && line.includes(sha256)));
    }
    const again = assertStatus(await ask(id, { ...body, request_id: 'level-1' }), 202);
    assert.equal(again.json.approval.id, approval.id);
    assertRefused(await ask(id, { ...body, id_number: 'SL-1', request_id: 'level-1' }), 409, 'REQUEST_CONFLICT');
    assertRefused(await decide(kissi, approval.id, 'approve', support), 404, 'NOT_FOUND');
    assertStatus(await decide(kissi, approval.id, 'approve', compliance), 200);
    const record = (await get(id)).json.subscriber;
    assert.deepEqual([record.kyc_level, record.id_number, record.id_type], [2, body.id_number, 'NATIONAL_ID']);
    const { rows } = await kissi.db.query(
      'select a.ceiling = b.ceiling as same from accounts a, accounts b where a.id = $1 and b.id = $2',
      [id, await customer()],
    );
    assert.equal(rows[0].same, false);
    // From now on compliance has verified it.
    assertRefused(await upload(id, 'face', PHOTO), 403, 'FORBIDDEN');
    assertRefused(await ask(id, body), 403, 'FORBIDDEN');
  });

  test('that is rejected changes nothing, and the agent can ask again', async () => {
    const { id, body } = await filed();
    const approval = pendingOf(await ask(id, body));
    assertStatus(await decide(kissi, approval.id, 'reject', compliance), 200);
    assert.equal(await levelOf(id), 1);
    pendingOf(await ask(id, body));
  });

  test('is open once per customer', async () => {
    const { id, body } = await filed();
    pendingOf(await ask(id, body));
    assertRefused(await ask(id, body), 409, 'LEVEL_REQUEST_OPEN');
    assertRefused(await ask(id, { ...body, id_number: 'SL-2', request_id: 'again' }), 409, 'LEVEL_REQUEST_OPEN');
    const { rows } = await kissi.db.query('select count(*)::int as n from approvals where subscriber_id = $1', [id]);
    assert.equal(rows[0].n, 1);
    const other = await filed();
    pendingOf(await ask(other.id, other.body));
  });

  test("needs both documents of the agent's own customer", async () => {
    const [one, two] = [await filed(), await filed()];
    const foreign = { ...one.body, face_document_id: two.body.face_document_id };
    const reply = assertRefused(await ask(one.id, foreign), 422, 'KYC_REQUIREMENT_MISSING');
    assert.deepEqual(reply.json.missing, ['face_document_id']);
    const swapped = { ...one.body, face_document_id: one.body.identity_document_id };
    assertRefused(await ask(one.id, swapped), 422, 'KYC_REQUIREMENT_MISSING');
    assertRefused(await ask(one.id, one.body, await agentToken(kissi, superAgent)), 403, 'FORBIDDEN');
    assertRefused(await ask(one.id, one.body, support.token), 403, 'FORBIDDEN');
  });

  test('does not tell the agent whether somebody else has the document: the approver learns it', async () => {
    const [one, two] = [await filed(), await filed()];
    assertStatus(await decide(kissi, pendingOf(await ask(one.id, one.body)).id, 'approve', compliance), 200);
    const { id } = pendingOf(await ask(two.id, { ...two.body, id_number: one.body.id_number }));
    assertRefused(await decide(kissi, id, 'approve', compliance), 422, 'EXECUTION_REFUSED');
    assert.equal((await getApproval(kissi, id, compliance)).refusal.code, 'DUPLICATE_IDENTITY');
    assert.equal(await levelOf(two.id), 1);
  });

  test('is not approved by whoever uploaded one of its documents', async () => {
    const { id, body } = await filed();
    const other = await picture(20, 20);
    const { document } = assertStatus(await upload(id, 'face', other, { by: compliance.token }), 201).json;
    const approval = pendingOf(await ask(id, { ...body, face_document_id: document.id }));
    assertRefused(await decide(kissi, approval.id, 'approve', compliance), 403, 'NOT_INDEPENDENT');
    assertStatus(await decide(kissi, approval.id, 'approve', await user(kissi, 'compliance_user')), 200);
    assert.equal(await levelOf(id), 2);
  });

  test('fails if the record was changed after it was made', async () => {
    const { id, body } = await filed();
    const approval = pendingOf(await ask(id, body));
    const change = { body: { last_name: 'Sesay' }, token };
    assertStatus(await kissi.call('PUT', `/api/v1/subscribers/${id}`, change), 200);
    assertRefused(await decide(kissi, approval.id, 'approve', compliance), 422, 'EXECUTION_REFUSED');
    assert.equal(await levelOf(id), 1);
  });
});
