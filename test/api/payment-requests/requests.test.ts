// Tests making, reading, listing, exporting and cancelling payment requests, and who may do so.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { returnUrlRefusal } from '../../../src/features/payment-requests/return-hosts.ts';
import { luhnCheckDigit } from '../../../src/kernel/account-number.ts';
import { HOUR_MS } from '../../../src/kernel/clock.ts';
import { readPaymentCode } from '../../../src/qr/payment-codes.ts';
import { assertStatus } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { confirm, LAB, newId, shopOf } from '../../support/payment-requests.ts';
import { assertRefused, merchantToken, newMerchant } from '../../support/processors.ts';
import { apiKey, auditLogs, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ env: { ...LAB, USSD_SERVICE_CODE: '*715#' } });
const shop = await shopOf(kissi);
const other = await shopOf(kissi);
const { merchant } = shop;

describe('a new request', () => {
  test('has a code, a USSD string, a link and the registered name', async () => {
    const metadata = { order: 7, items: [null, 'x'] };
    const asked = await shop.asked({ reference: 'INV-1', metadata });
    assert.match(asked.id, /^prq_/);
    assert.match(asked.code, /^0\d{9}$/);
    assert.equal(luhnCheckDigit(asked.code.slice(0, 9)), Number(asked.code[9]));
    assert.equal(asked.ussd, `*715*0*${asked.code}#`);
    assert.match(asked.url, /^http:\/\/localhost:8080\/pay\/[\w-]{22}$/);
    const { status, amount, currency, payee_name, processor_id, reference, payment_count, transaction_ids } = asked;
    assert.deepEqual(
      { status, amount, currency, payee_name, processor_id, reference, payment_count, transaction_ids },
      {
        ...{ status: 'open', amount: 10_000, currency: 'SLE', payee_name: 'Lumley Beach Grill', reference: 'INV-1' },
        ...{ processor_id: merchant.id, payment_count: 0, transaction_ids: [] },
      },
    );
    assert.deepEqual(asked.metadata, metadata);
    assert.equal(asked.expires_at, new Date(kissi.clock.now() + HOUR_MS).toISOString());
    assert.deepEqual(await shop.read(asked.id), asked);
    const { rows } = await kissi.db.query(
      "select encode(sealed_token, 'escape') as sealed from payment_requests where id = $1",
      [asked.id],
    );
    assert.ok(!rows[0].sealed.includes(asked.url.slice(-22)), 'the token is stored encrypted');
    assert.deepEqual(readPaymentCode({ guid: 'sl.kissi.m' }, asked.qr), { kind: 'request', code: asked.code });
  });

  test('of a login is audited; those of keys are on record themselves', async () => {
    const body = { amount: 100, description: 'Order', request_id: newId() };
    const token = await merchantToken(kissi, merchant);
    const made = assertStatus(await kissi.call('POST', '/api/v1/payment-requests', { body, token }), 201).json;
    const [entry] = await auditLogs(kissi, { resource_id: made.payment_request.id });
    assert.deepEqual([entry.action, entry.actor_id], ['payment_request.create', merchant.userId]);
    assert.deepEqual(await auditLogs(kissi, { resource_id: (await shop.asked()).id }), []);
  });

  test('is the same for a repeated request id, whoever of the merchant sends it and whatever became of it', async () => {
    const body = { amount: '10000', description: 'Twice', request_id: newId() };
    const first = assertStatus(await shop.send('POST', '/payment-requests', body), 201);
    const token = await merchantToken(kissi, merchant);
    const byLogin = () => kissi.call('POST', '/api/v1/payment-requests', { body: { ...body, amount: 10_000 }, token });
    const again = assertStatus(await byLogin(), 201);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const { id, request_id } = first.json.payment_request;
    assert.equal(request_id, body.request_id);
    assertStatus(await confirm(kissi, id, (await bank.wallet(20_000)).id), 200);
    assert.equal((await byLogin()).text, first.text);
    const otherwise = { ...body, description: 'Another' };
    assertRefused(await shop.send('POST', '/payment-requests', otherwise), 409, 'REQUEST_CONFLICT');
    const { rows } = await kissi.db.query('select 1 from payment_requests where request_id = $1', [body.request_id]);
    assert.equal(rows.length, 1);
    const outcome = assertStatus(await shop.send('GET', `/requests/${body.request_id}`), 200).json;
    assert.deepEqual([outcome.status, outcome.reply], ['completed', { payment_request_id: id }]);
  });

  test('sent many times at once is made once', async () => {
    const body = { amount: 500, description: 'Many', request_id: newId() };
    const replies = await Promise.all(Array.from({ length: 6 }, () => shop.send('POST', '/payment-requests', body)));
    const texts = new Set(replies.map((reply) => assertStatus(reply, 201).text));
    assert.equal(texts.size, 1);
  });

  test('shares request ids with the payments of the merchant', async () => {
    const request_id = newId();
    const body = { amount: 500, description: 'First', request_id };
    assertStatus(await shop.send('POST', '/payment-requests', body), 201);
    const { wallet, card } = await bank.customer();
    const refund = { request_id, transaction_id: 'txn_00000000000000000000000000' };
    assert.ok(wallet.id && card);
    assertRefused(await shop.send('POST', '/pos/refund', refund), 409, 'REQUEST_CONFLICT');
  });

  const WRONG: [string, Record<string, unknown>, number, string][] = [
    ['an amount of zero', { amount: 0 }, 400, 'INVALID_AMOUNT'],
    ['a fraction', { amount: '1.5' }, 400, 'INVALID_AMOUNT'],
    ['an amount of 2^53', { amount: '9007199254740992' }, 400, 'INVALID_AMOUNT'],
    ['no description', { description: undefined }, 400, 'INVALID_REQUEST'],
    ['a blank description', { description: ' \n ' }, 400, 'INVALID_REQUEST'],
    [
      'a description of letters that show nothing',
      { description: '\u3164 \uffa0\u2800\u115f' },
      400,
      'INVALID_REQUEST',
    ],
    ['a life of 59 seconds', { expires_in: 59 }, 400, 'INVALID_REQUEST'],
    ['a life of more than a year', { expires_in: 31_536_001 }, 400, 'INVALID_REQUEST'],
    ['a phone number that is none', { payer_phone: 'abc' }, 400, 'INVALID_REQUEST'],
    ['a return_url without https', { return_url: 'http://shop.example.com/' }, 400, 'INVALID_REQUEST'],
    ['a return_url on a host that is not registered', { return_url: 'https://evil.example/' }, 400, 'INVALID_REQUEST'],
    ['metadata that is too long', { metadata: 'x'.repeat(17_000) }, 400, 'INVALID_REQUEST'],
    ['a misspelt field', { amount: undefined, amonut: 5 }, 400, 'INVALID_REQUEST'],
    ["another merchant's id", { processor_id: other.merchant.id }, 403, 'FORBIDDEN'],
  ];
  for (const [what, extra, status, code] of WRONG) {
    test(`with ${what} is ${status} ${code}`, async () => {
      const reply = await shop.ask(extra);
      assertRefused(reply, status, code);
      assert.match(reply.json.error, /\S+ \S+/);
    });
  }

  test('without an amount leaves it to the payer', async () => {
    for (const amount of [undefined, null]) assert.equal((await shop.asked({ amount })).amount, null);
  });

  test('of a suspended merchant is refused', async () => {
    const suspended = await newMerchant(kissi);
    assertStatus(await kissi.asAdmin.post(`/processors/${suspended.id}/suspend`, { reason: 'Fraud' }), 200);
    const body = { processor_id: suspended.id, amount: 5, description: 'X', request_id: newId() };
    assertRefused(await kissi.asAdmin.post('/payment-requests', body), 403, 'PROCESSOR_SUSPENDED');
    assertRefused(await kissi.asAdmin.post('/payment-requests', { ...body, processor_id: 'proc_0' }), 404, 'NOT_FOUND');
    assertRefused(
      await kissi.asAdmin.post('/payment-requests', { ...body, processor_id: undefined }),
      400,
      'INVALID_REQUEST',
    );
  });

  test('has a code that no other request has', async () => {
    const { rows } = await kissi.db.query(
      `select count(*)::int as n, count(distinct code)::int as codes, count(distinct token_hash)::int as tokens
        from payment_requests`,
    );
    assert.deepEqual([rows[0].codes, rows[0].tokens], [rows[0].n, rows[0].n]);
  });
});

describe('return hosts', () => {
  const set = (hosts: unknown, id = merchant.id, token?: string) =>
    token === undefined
      ? kissi.asAdmin.post(`/processors/${id}/return-hosts`, { return_hosts: hosts })
      : kissi.call('POST', `/api/v1/processors/${id}/return-hosts`, { body: { return_hosts: hosts }, token });

  test('are set by staff and the merchant, audited, and open their pages only', async () => {
    const token = await merchantToken(kissi, merchant);
    assertRefused(await set(['a.example.com'], other.merchant.id, token), 403, 'FORBIDDEN');
    const done = assertStatus(
      await set(['Shop.Example.com', 'shop.example.com', 'b.example.com:8443'], merchant.id, token),
      200,
    );
    assert.deepEqual(done.json.return_hosts, ['b.example.com:8443', 'shop.example.com']);
    const read = await kissi.call('GET', `/api/v1/processors/${merchant.id}/return-hosts`, { token });
    assert.deepEqual(assertStatus(read, 200).json.return_hosts, done.json.return_hosts);
    const [entry] = await auditLogs(kissi, { resource_id: merchant.id, action: 'processor.return_hosts' });
    assert.deepEqual(entry.details.hosts, done.json.return_hosts);
    const url = 'https://shop.example.com/thanks?order=7';
    assert.equal((await shop.asked({ return_url: url })).return_url, url);
    assert.ok(await shop.asked({ return_url: 'https://b.example.com:8443/' }));
    for (const return_url of [
      ...['https://shop.example.com.evil.example/', 'https://shop.example.com:444/', 'https://b.example.com/'],
      ...['https://shop.example.com@evil.example/', 'https://user:pw@shop.example.com/', 'javascript:alert(1)'],
    ]) {
      assertRefused(await shop.ask({ return_url }), 400, 'INVALID_REQUEST');
    }
    assertRefused(await other.ask({ return_url: url }), 400, 'INVALID_REQUEST');
  });

  test('that were removed open no page of an earlier request', async () => {
    const own = await shopOf(kissi, await newMerchant(kissi));
    const return_url = 'https://left.example.com/thanks';
    assertStatus(await set(['left.example.com'], own.merchant.id), 200);
    const { id, url } = await own.asked({ return_url });
    const page = async () => {
      const { json } = assertStatus(await kissi.call('GET', `/pay/${url.slice(-22)}`), 200);
      return json.payment_request.return_url;
    };
    assert.equal(await page(), return_url);
    assertStatus(await set([], own.merchant.id), 200);
    assert.equal(await page(), null);
    assert.equal((await own.read(id)).return_url, return_url, 'the merchant still sees what it sent');
  });

  test('may be this machine by http, in development only', async () => {
    const [hosts, url] = [['127.0.0.1:4101', 'shop.example.com'], 'http://127.0.0.1:4101/return'];
    assertStatus(
      await kissi.asAdmin.post(`/processors/${other.merchant.id}/return-hosts`, { return_hosts: hosts }),
      200,
    );
    assert.equal((await other.asked({ return_url: url })).return_url, url);
    for (const return_url of ['http://shop.example.com/', 'http://127.0.0.1:4102/', 'ftp://127.0.0.1:4101/'])
      assertRefused(await other.ask({ return_url }), 400, 'INVALID_REQUEST');
    assert.equal(returnUrlRefusal(url, hosts, false)?.code, 'INVALID_REQUEST');
  });

  test('are names of hosts', async () => {
    for (const host of [
      'https://a.example.com',
      'a.example.com/x',
      'a b',
      'localhost',
      'user@a.example.com',
      '*.example.com/',
    ]) {
      assertRefused(await set([host]), 400, 'INVALID_REQUEST');
    }
  });
});

describe('the list', () => {
  test('has the newest first, with filters, and exports the same as CSV', async () => {
    const own = await shopOf(kissi);
    const first = await own.asked({ reference: 'L-1' });
    kissi.clock.advance(1_000);
    const paid = await own.asked({ reference: 'L-2', payer_phone: '+23276999999' });
    const short = await own.asked({ expires_in: 60 });
    const cancelled = await own.asked();
    assertStatus(await own.send('POST', `/payment-requests/${cancelled.id}/cancel`), 200);
    assertStatus(await confirm(kissi, paid.id, (await bank.wallet(50_000)).id), 200);
    kissi.clock.advance(60_000);
    const list = async (query = '') => {
      const { json } = assertStatus(await own.send('GET', `/payment-requests${query}`), 200);
      return json.payment_requests.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(await list(), [cancelled.id, short.id, paid.id, first.id]);
    for (const [query, expected] of [
      ['?status=open', [first.id]],
      ['?status=paid', [paid.id]],
      ['?status=expired', [short.id]],
      ['?status=cancelled', [cancelled.id]],
      ['?status=declined', []],
      ['?reference=L-2', [paid.id]],
      ['?payer_phone=%2B23276999999', [paid.id]],
      [`?processor_id=${own.merchant.id}&limit=1&offset=1`, [short.id]],
      [`?to=${new Date(kissi.clock.now() - 60_500).toISOString()}`, [first.id]],
    ] as const) {
      assert.deepEqual(await list(query), expected, query);
    }
    // Recording the expiry changes nothing that can be seen but when it ended.
    await kissi.gateway.services.paymentRequests.expireDue();
    assert.deepEqual(await list('?status=expired'), [short.id]);
    const token = await staffToken(kissi, 'support_user');
    const path = `/api/v1/payment-requests?processor_id=${own.merchant.id}&status=paid`;
    const csv = await kissi.call('GET', path, { token, headers: { accept: 'text/csv' } });
    const [header, ...lines] = csv.text.trim().split(/\r?\n/);
    assert.match(header ?? '', /^.?id,status,amount/);
    assert.equal(lines.length, 1);
    assert.ok(lines[0]?.includes(paid.id) && lines[0].includes(paid.code));
    assertRefused(await own.send('GET', `/payment-requests?processor_id=${merchant.id}`), 403, 'FORBIDDEN');
    assertRefused(await own.send('GET', '/payment-requests?stat=open'), 400, 'INVALID_REQUEST');
  });

  test("does not show a merchant another one's requests", async () => {
    const foreign = await other.asked();
    assertRefused(await shop.send('GET', `/payment-requests/${foreign.id}`), 404, 'NOT_FOUND');
    assertRefused(await shop.send('POST', `/payment-requests/${foreign.id}/cancel`), 404, 'NOT_FOUND');
    assertRefused(await shop.send('GET', '/payment-requests/prq_0'), 404, 'NOT_FOUND');
  });
});

describe('a cancelled request', () => {
  test('stays so, cannot be paid, and is audited', async () => {
    const { id } = await shop.asked();
    const done = assertStatus(await shop.send('POST', `/payment-requests/${id}/cancel`), 200).json.payment_request;
    assert.deepEqual([done.status, done.ended_at], ['cancelled', new Date(kissi.clock.now()).toISOString()]);
    assertStatus(await shop.send('POST', `/payment-requests/${id}/cancel`), 200);
    assertRefused(await confirm(kissi, id, (await bank.wallet(20_000)).id), 409, 'CANCELLED');
    const entries = await auditLogs(kissi, { resource_id: id, action: 'payment_request.cancel' });
    assert.equal(entries.length, 1);
  });

  test('cannot be one that was paid or has expired', async () => {
    const [paid, late] = [await shop.asked(), await shop.asked({ expires_in: 60 })];
    assertStatus(await confirm(kissi, paid.id, (await bank.wallet(20_000)).id), 200);
    assertRefused(await shop.send('POST', `/payment-requests/${paid.id}/cancel`), 409, 'ALREADY_PAID');
    kissi.clock.advance(60_000);
    assertRefused(await shop.send('POST', `/payment-requests/${late.id}/cancel`), 409, 'EXPIRED');
  });
});

describe('by code and by token', () => {
  test('a payer sees who asks, how much and what for, and nothing of the merchant that it need not', async () => {
    const asked = await shop.asked({ payer_phone: '+23276123456', metadata: { secret: 1 } });
    const { paymentRequests } = kissi.gateway.services;
    const byCode = (await paymentRequests.byCode(asked.code)) as unknown as Record<string, unknown>;
    const byToken = await paymentRequests.byToken(asked.url.slice(-22));
    assert.deepEqual(byCode, byToken);
    assert.equal(byCode.id, asked.id);
    assert.equal(byCode.payee_name, 'Lumley Beach Grill');
    assert.ok(!('payer_phone' in byCode) && !('metadata' in byCode));
    for (const code of ['0000000000', `${asked.code.slice(0, 9)}x`, '1234567890', '']) {
      const found = await paymentRequests.byCode(code);
      assert.equal('code' in found && found.code, 'NOT_FOUND');
    }
    const unknown = await paymentRequests.byToken('A'.repeat(22));
    assert.equal('code' in unknown && unknown.code, 'NOT_FOUND');
  });
});

test('keys and roles without the permission are refused', async () => {
  const reader = await apiKey(kissi, ['payments:read']);
  const body = { processor_id: merchant.id, amount: 5, description: 'X' };
  const call = (token: string) => kissi.call('POST', '/api/v1/payment-requests', { body, token });
  assertRefused(await call(reader.key), 403, 'FORBIDDEN');
  assertRefused(await call(await staffToken(kissi, 'audit_user')), 403, 'FORBIDDEN');
  assertStatus(await call(await staffToken(kissi, 'support_user')), 201);
});
