// An API key's request log: what it shows, what it hides, what it counts, and who may read it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bodySignedString, hmacHex } from '@kissi/signatures/node';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { apiKey, assertRefused, runChore, staffToken } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const wallet = await bank.wallet(1_000_000);
const card = await bank.card(wallet);
const sender = await testBank(kissi);
const terminal = await terminalOf(kissi);

/** The log of a key after a flush. The clock advances, so that each call has the allowance of a new second. */
async function logOf(keyId: string, query = ''): Promise<Json> {
  await runChore(kissi, 'write the request log');
  kissi.clock.advance(SECOND_MS);
  const reply = await kissi.asAdmin.get(`/admin/api-keys/${keyId}/requests${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
}

const newest = async (keyId: string): Promise<Json> => (await logOf(keyId)).requests[0];

describe("a key's request", () => {
  test('is shown with its time, route, outcome, sizes and redacted bodies', async () => {
    const sender = await testBank(kissi);
    const reference = newReference();
    const payer = { name: 'Fatmata Kamara', account_masked: '***1', bank_code: 'RCB' };
    const body = { reference, amount: 700, msisdn: wallet.phone, narration: 'School fees of Ada', payer };
    const at = new Date(kissi.clock.now()).toISOString();
    const credited = assertStatus(await sender.credit(body), 200);
    const logged = await newest(sender.key.id);
    const { id, duration_ms, request_body, reply_body, ...rest } = logged;
    assert.deepEqual(rest, {
      at,
      authenticated: true,
      method: 'POST',
      path: '/api/v1/inbound/credit',
      status: 200,
      code: null,
      reason: null,
      request_id: credited.headers.get('x-request-id'),
      ip: '127.0.0.1',
      request_bytes: Buffer.byteLength(JSON.stringify(body)),
      reply_bytes: Buffer.byteLength(credited.text),
    });
    assert.match(id, /^\d+$/);
    assert.ok(duration_ms > 0);
    assert.deepEqual(JSON.parse(request_body), {
      ...{ reference, amount: 700, msisdn: '[redacted]', narration: '[redacted]' },
      payer: { name: '[redacted]', account_masked: '[redacted]', bank_code: '[redacted]' },
    });
    const { account_number } = credited.json.data.beneficiary;
    const { data } = JSON.parse(reply_body);
    assert.deepEqual(data.beneficiary, { account_number: `…${account_number.slice(-4)}`, account_name: '[redacted]' });
    assert.equal(data.inbound_id, credited.json.data.inbound_id);
  });

  test('shows no PIN, name or phone number in any column of its row', async () => {
    const key = await apiKey(kissi, ['subscribers:write', 'subscribers:read']);
    const secrets = {
      first_name: 'Zebulon',
      last_name: 'Quist',
      pin: '8362',
      Pin: '8362',
      pni: '8362',
      phone_number: '076555123',
    };
    const body = { ...secrets, address: { pin: ['8362'] }, email: 'zebulon@example.com' };
    await kissi.call('POST', '/api/v1/subscribers', { body, token: key.key });
    await kissi.call('POST', '/api/v1/subscribers', { raw: '{"pin":"8362","first_name":"Zebulon"', token: key.key });
    await kissi.call('GET', `/api/v1/subscribers/${wallet.id}?search=Zebulon`, { token: key.key });
    await runChore(kissi, 'write the request log');
    const { rows } = await kissi.db.query('select * from request_log where key_id = $1 order by seq', [key.id]);
    assert.equal(rows.length, 3);
    const shown = rows.map(({ seq, at, request_id, ...row }) => JSON.stringify(row)).join('\n');
    for (const secret of ['8362', 'Zebulon', 'Quist', '555123', key.key, wallet.id]) {
      assert.ok(!shown.includes(secret), `${secret} in ${shown}`);
    }
    assert.match(rows[1].request_body, /^\[\d+ bytes that are not JSON\]$/);
    assert.equal(rows[2].path, `/api/v1/subscribers/…${wallet.id.slice(-4)}`);
  });

  test('is shown although its path has a character that the database cannot store', async () => {
    const key = await apiKey(kissi, ['subscribers:read']);
    await kissi.call('GET', `/api/v1/subscribers/${wallet.id}`, { token: key.key });
    await kissi.call('GET', '/api/v1/subscribers/sub_12%003', { token: key.key });
    const { requests } = await logOf(key.id);
    assert.deepEqual(
      requests.map(({ path }: Json) => path),
      ['/api/v1/subscribers/…12\uFFFD3', `/api/v1/subscribers/…${wallet.id.slice(-4)}`],
    );
  });

  test("shows no number of a card, and no name, where an object or a route's path is expected", async () => {
    const key = await apiKey(kissi, ['subscribers:write']);
    const body = { card: '5061999900001111', payer: 'Zebulon', data: ['5061999900001111'], subscriber: 5_061_999 };
    await kissi.call('POST', '/api/v1/subscribers', { body, token: key.key });
    const headers = { 'x-api-key-id': key.id };
    await kissi.call('GET', '/api/v1/cards/5061999900001111/8362/pin', { headers });
    const [unknown, wrong] = (await logOf(key.id)).requests;
    assert.equal(unknown.path, '/api/v1/cards/…1111/[redacted]/pin');
    const hidden = '[redacted]';
    assert.deepEqual(JSON.parse(wrong.request_body), {
      ...{ card: hidden, payer: hidden, data: [hidden], subscriber: hidden },
    });
  });

  test('is found by status, class of status and code', async () => {
    const sender = await testBank(kissi);
    await sender.credit({ reference: newReference(), amount: 1, msisdn: wallet.phone });
    await sender.credit({ reference: newReference(), amount: 1, msisdn: '+23276999999' });
    await sender.credit({ reference: newReference(), amount: 'x', msisdn: wallet.phone });
    const codes = async (query: string) => (await logOf(sender.key.id, query)).requests.map(({ code }: Json) => code);
    assert.deepEqual(await codes(''), ['INVALID_AMOUNT', 'BENEFICIARY_NOT_FOUND', null]);
    assert.deepEqual(await codes('?status=4xx'), ['INVALID_AMOUNT', 'BENEFICIARY_NOT_FOUND']);
    assert.deepEqual(await codes('?status=404'), ['BENEFICIARY_NOT_FOUND']);
    assert.deepEqual(await codes('?code=INVALID_AMOUNT'), ['INVALID_AMOUNT']);
    const refused = await kissi.asAdmin.get(`/admin/api-keys/${sender.key.id}/requests?status=9xx`);
    assertRefused(refused, 400, 'INVALID_REQUEST');
  });

  test('is kept for 24 hours', async () => {
    const sender = await testBank(kissi);
    await sender.status('old');
    assert.equal((await logOf(sender.key.id)).total_count, 1);
    kissi.clock.advance(DAY_MS - MINUTE_MS);
    assert.equal((await logOf(sender.key.id)).total_count, 1);
    await runChore(kissi, 'prune the request log');
    kissi.clock.advance(MINUTE_MS);
    assert.equal((await logOf(sender.key.id)).total_count, 0);
    await runChore(kissi, 'prune the request log');
    const { rows } = await kissi.db.query('select from request_log where key_id = $1', [sender.key.id]);
    assert.equal(rows.length, 0);
  });
});

describe('a follower', () => {
  test('gets the requests after its cursor, none twice and none left out', async () => {
    const sender = await testBank(kissi);
    const send = async (reference: string) => void (await sender.status(reference));
    await send('f1');
    const { cursor } = await logOf(sender.key.id);
    const paths = ({ requests }: Json) => requests.map(({ path }: Json) => path.split('/').at(-1));
    for (const reference of ['f2', 'f3', 'f4']) await send(reference);
    const first = await logOf(sender.key.id, `?newer_than=${cursor}&limit=2`);
    assert.deepEqual(paths(first), ['f3', 'f2']);
    const second = await logOf(sender.key.id, `?newer_than=${first.cursor}&limit=2`);
    assert.deepEqual(paths(second), ['f4']);
    const none = await logOf(sender.key.id, `?newer_than=${second.cursor}`);
    assert.deepEqual([none.requests, none.cursor], [[], second.cursor]);
  });

  test("sees another gateway's requests", async () => {
    const other = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const sender = await testBank(kissi);
      const { cursor } = await logOf(sender.key.id);
      await sender.status('here');
      await sender.status('there', { gateway: other });
      await runChore(other, 'write the request log');
      const { requests } = await logOf(sender.key.id, `?newer_than=${cursor}`);
      assert.deepEqual(requests.map(({ path }: Json) => path.split('/').at(-1)).sort(), ['here', 'there']);
    } finally {
      await other.close();
    }
  });
});

test('of many requests in one second a few are kept, refused ones among them, and the others are counted', async () => {
  const key = await apiKey(kissi, ['balance:read']);
  const ask = (id: string) => kissi.call('GET', `/api/v1/balance/${id}`, { token: key.key });
  kissi.clock.advance(SECOND_MS);
  for (let sent = 0; sent < 12; sent++) assert.equal((await ask(wallet.id)).status, 200);
  assert.equal((await ask('sub_unknown')).status, 404);
  const { requests, omitted_count } = await logOf(key.id);
  assert.deepEqual(
    requests.map(({ status }: Json) => status),
    [404, 200, 200, 200, 200, 200],
  );
  assert.equal(omitted_count, 7);
});

describe('a request that is refused before its key is accepted', () => {
  async function reasonOf(reply: CallReply, code: string, keyId: string): Promise<string> {
    assert.equal(reply.json.code, code, reply.text);
    const logged = await newest(keyId);
    assert.deepEqual([logged.authenticated, logged.code, logged.status], [false, code, reply.status]);
    return logged.reason;
  }

  test('is shown with the mistake in its signature, which the reply does not name', async () => {
    const wrong = { body: { msisdn: wallet.phone }, headers: { 'x-signature': 'f'.repeat(64) } };
    const other = await sender.send('POST', '/api/v1/inbound/name-enquiry', wrong);
    assert.match(await reasonOf(other, 'INVALID_SIGNATURE', sender.key.id), /^No common mistake makes this signature/);
    const short = await sender.send('POST', '/api/v1/inbound/name-enquiry', {
      ...wrong,
      headers: { 'x-signature': 'x' },
    });
    assert.match(await reasonOf(short, 'INVALID_SIGNATURE', sender.key.id), /^X-Signature is not 64 hex/);
    const body = terminal.payment(card);
    const newline = await terminal.send('/pos/payment', body, {
      raw: `${JSON.stringify(body)}`,
      headers: signedWithLineFeed(body),
    });
    assert.equal(
      await reasonOf(newline, 'INVALID_SIGNATURE', terminal.key.id),
      'The signature is wrong because a trailing line feed is signed that the body does not have.',
    );
  });

  /** The headers of the same request with a line feed after its body. */
  function signedWithLineFeed(body: unknown): Record<string, string> {
    const timestamp = new Date(kissi.clock.now()).toISOString();
    const rawBody = Buffer.from(`${JSON.stringify(body)}\n`);
    const signed = bodySignedString({ method: 'POST', target: '/api/v1/pos/payment', timestamp, rawBody });
    return { 'x-timestamp': timestamp, 'x-signature': hmacHex(terminal.key.secret, signed) };
  }

  test('is shown with how far its timestamp is off', async () => {
    const timestamp = new Date(kissi.clock.now() - 150 * SECOND_MS).toISOString();
    const stale = await sender.status('x', { timestamp });
    const reason = await reasonOf(stale, 'STALE_REQUEST', sender.key.id);
    assert.equal(reason, "X-Timestamp is 150 s behind the server's clock.");
  });

  test('is shown with the time at which its secret was replaced', async () => {
    const rotating = await testBank(kissi);
    const path = `/api/v1/admin/api-keys/${rotating.key.id}/rotate?overlap_seconds=60`;
    const rotated = await kissi.call('POST', path, { token: await kissi.adminToken() });
    kissi.clock.advance(2 * MINUTE_MS);
    const reason = await reasonOf(await rotating.status('x'), 'INVALID_SIGNATURE', rotating.key.id);
    const end = rotated.json.previous_valid_until;
    assert.equal(reason, `The signature was made with a secret that was replaced; its overlap ended at ${end}.`);
  });

  test('of an unknown key leaves nothing, however many ids are invented', async () => {
    const count = async () => (await kissi.db.query('select count(*)::int as n from request_log')).rows[0].n;
    await runChore(kissi, 'write the request log');
    const before = await count();
    for (let id = 0; id < 30; id++) {
      const key = { id: `key_${id}`, secret: 'x' };
      assert.equal((await sender.status('x', { key })).json.code, 'INVALID_SIGNATURE');
    }
    await runChore(kissi, 'write the request log');
    assert.equal(await count(), before);
    const { rows } = await kissi.db.query(
      `select from request_log_omissions where key_id like 'key\\__' or key_id like 'key\\___'`,
    );
    assert.equal(rows.length, 0);
  });
});

test('support_user reads the log; other roles and unknown keys are refused', async () => {
  const key = await apiKey(kissi, ['balance:read']);
  const path = `/api/v1/admin/api-keys/${key.id}/requests`;
  assert.equal((await kissi.call('GET', path, { token: await staffToken(kissi, 'support_user') })).status, 200);
  for (const role of ['finance_user', 'audit_user', 'sales_user'] as const) {
    assertRefused(await kissi.call('GET', path, { token: await staffToken(kissi, role) }), 403, 'FORBIDDEN');
  }
  assertRefused(await kissi.call('GET', path, { token: key.key }), 403, 'FORBIDDEN');
  assertRefused(await kissi.asAdmin.get('/admin/api-keys/key_0/requests'), 404, 'NOT_FOUND');
});

test('REQUEST_LOG_PER_SECOND=0 keeps nothing', async () => {
  const off = await testGateway({ db: kissi.db, clock: kissi.clock, env: { REQUEST_LOG_PER_SECOND: '0' } });
  try {
    const key = await apiKey(kissi, ['balance:read']);
    assert.equal((await off.call('GET', `/api/v1/balance/${wallet.id}`, { token: key.key })).status, 200);
    await runChore(off, 'write the request log');
    assert.equal((await logOf(key.id)).total_count, 0);
  } finally {
    await off.close();
  }
});

test('a payment that is refused later is shown with the code of its stored refusal', async () => {
  const paid = await terminal.pay(card, { amount: 100_000_000, pin: PIN });
  const logged = await newest(terminal.key.id);
  assert.deepEqual([logged.status, logged.code], [paid.status, paid.json.code]);
  assert.deepEqual(JSON.parse(logged.request_body).pin, '[redacted]');
});
