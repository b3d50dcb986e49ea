// Tests the payment page over HTTP: what it shows in each state, to browsers and programs, and its form.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { refuse, refuseForNow } from '../../../src/kernel/refusal.ts';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { payableStandIn } from '../../support/payable.ts';
import { codeInPage } from '../../support/pictures.ts';
import { assertRefused } from '../../support/staff.ts';

const payable = payableStandIn();
const kissi = await testGateway({ payable, env: { OPERATOR_NAME: 'Leone Pay' } });
after(() => kissi.close());

const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const FORM = { ...PAGE, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
const open = (token: string, query = '') => kissi.call('GET', `/pay/${token}${query}`, { headers: PAGE });
const read = (token: string) => kissi.call('GET', `/pay/${token}`);
const send = (token: string, phone: string, headers: Record<string, string> = FORM) =>
  kissi.call('POST', `/pay/${token}/notify`, { raw: new URLSearchParams({ phone_number: phone }).toString(), headers });
/** Without following the redirect. */
const sendPlain = (token: string, phone: string) =>
  fetch(`${kissi.url}/pay/${token}/notify?lang=kri`, {
    method: 'POST',
    redirect: 'manual',
    headers: FORM,
    body: new URLSearchParams({ phone_number: phone }),
  });

const TRANSACTION = 'txn_01KJMMA2G01SASFW8ANAQNTTBC';

describe('GET /pay/{token}', () => {
  test('tells who asks, how much, what for and how to pay', async () => {
    const { text, headers } = assertStatus(await open(payable.ask()), 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    for (const part of [
      ...['Lumley Beach Grill asks you to pay', 'SLE 1,250.00', 'Order 1042: dinner for four', 'ORDER-1042'],
      ...[
        '19 November 2026, 18:30 GMT',
        'href="tel:*715*0*0123450001%23"',
        '012 345 0001',
        'Leone Pay',
        '<svg class="qr"',
      ],
      'href="/wallet/pay/',
    ]) {
      assert.ok(text.includes(part), part);
    }
  });

  test('does not lead to a wallet that is switched off', async () => {
    const other = await testGateway({ payable, env: { WALLET: 'off' } });
    after(() => other.close());
    const { text } = assertStatus(await other.call('GET', `/pay/${payable.ask()}`, { headers: PAGE }), 200);
    assert.doesNotMatch(text, /\/wallet\//);
  });

  test('draws the QR code that wallets read', async () => {
    const { text } = await open(payable.ask({ qr: 'the text of the code' }));
    assert.equal(codeInPage(text), 'the text of the code');
  });

  test('never asks for a PIN, sets no cookie, and allows nothing of another origin', async () => {
    const { text, headers } = await open(payable.ask());
    assert.deepEqual(
      [...text.matchAll(/<input[^>]*name="([^"]+)"/g)].map(([, name]) => name),
      ['phone_number'],
    );
    assert.doesNotMatch(text, /type="password"|autocomplete="(?:one-time-code|current-password)"/);
    assert.match(text, /Nobody needs your PIN here/);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(
      policy,
      /^default-src 'none'; script-src 'sha256-[^' ]+'; connect-src 'self'; style-src 'sha256-[^' ]+'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    assert.deepEqual(
      ['set-cookie', 'referrer-policy', 'x-robots-tag', 'cache-control', 'x-frame-options'].map((name) =>
        headers.get(name),
      ),
      [null, 'no-referrer', 'noindex, nofollow', 'no-store', 'DENY'],
    );
  });

  test('is at most 60 KB with everything in it', async () => {
    const long = { description: 'ɛ'.repeat(500), payee_name: 'M'.repeat(100), reference: 'R'.repeat(100) };
    for (const query of ['', '?lang=kri']) {
      const { text } = await open(payable.ask(long), query);
      const icon = (await kissi.call('GET', '/icon.svg')).text;
      assert.ok(Buffer.byteLength(text + icon) < 60_000, `${Buffer.byteLength(text + icon)} bytes`);
      assert.ok(gzipSync(text).length < 20_000);
      assert.deepEqual(
        [...text.matchAll(/(?:src|href)="(?!\/|https:\/\/shop|tel:)([^"]*)"/g)].map(([, at]) => at),
        [],
      );
    }
  });

  test('shows hostile texts as texts', async () => {
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(2)>\'';
    const extra = { description: hostile, payee_name: hostile, reference: hostile, ussd: hostile, code: hostile };
    for (const status of ['open', 'paid', 'expired'] as const) {
      const { text } = assertStatus(
        await open(payable.ask({ ...extra, status, return_url: `javascript:alert('${hostile}')` })),
        200,
      );
      assert.doesNotMatch(text, /<script>alert|<img|javascript:/);
      assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt;'));
    }
    const { text } = await open(encodeURIComponent(hostile));
    assert.doesNotMatch(text, /<script>alert|<img/);
  });

  test('leaves the amount to the payer if none is asked', async () => {
    const { text } = await open(payable.ask({ amount: null, ussd: null, reference: null }));
    assert.match(text, /You choose the amount/);
    assert.doesNotMatch(text, /tel:|Reference/);
    assert.match(text, /<title>Pay to Lumley/);
  });

  test('speaks English and Krio, by choice or by the browser', async () => {
    const token = payable.ask();
    const krio = await kissi.call('GET', `/pay/${token}`, {
      headers: { ...PAGE, 'accept-language': 'kri-SL, en;q=0.8' },
    });
    assert.match(krio.text, /<html lang="kri">[\s\S]*Lumley Beach Grill de aks yu fɔ pe/);
    assert.equal(krio.headers.get('content-language'), 'kri');
    assert.match((await open(token, '?lang=kri&utm_source=chat')).text, /<html lang="kri">/);
    assert.match((await open(token, '?lang=xx')).text, /<html lang="en">/);
  });

  for (const [status, words] of Object.entries({
    paid: 'Lumley Beach Grill has received the money.',
    declined: 'The payer declined. No money moved.',
    expired: 'The time for this payment is over. No money moved.',
    cancelled: 'Lumley Beach Grill has cancelled this request. No money moved.',
  })) {
    test(`has its own page once it is ${status}, without a way to pay`, async () => {
      const token = payable.ask({ status: status as 'paid', transaction_ids: status === 'paid' ? [TRANSACTION] : [] });
      const { text } = assertStatus(await open(token), 200);
      assert.ok(text.includes(words));
      assert.doesNotMatch(text, /<form|class="qr"|tel:/);
      assert.match(text, /href="https:\/\/shop\.example\/thanks\?cart=7&amp;payment_request_id=prq_\w+"/);
      assert.equal(/href="\/r\/[\w-]{22}\?lang=en"/.test(text), status === 'paid');
      const { payment_request } = assertStatus(await read(token), 200).json;
      assert.equal(payment_request.status, status);
      assert.equal(payment_request.receipt_url !== null, status === 'paid');
    });
  }

  test('tells programs the same as JSON, without the payments of others', async () => {
    const token = payable.ask({ single_use: false, transaction_ids: [TRANSACTION] });
    const { payment_request } = assertStatus(await read(token), 200).json;
    assert.equal(payment_request.receipt_url, null);
    assert.ok(!('transaction_ids' in payment_request));
    assert.deepEqual(
      [payment_request.amount, payment_request.currency, payment_request.status],
      [125_000, 'SLE', 'open'],
    );
  });

  test('says to caches that its replies depend on what is accepted, refusals included', async () => {
    for (const token of [payable.ask(), 'unknown']) {
      assert.equal((await read(token)).headers.get('vary'), 'accept');
      assert.equal((await open(token)).headers.get('vary'), 'accept, accept-language');
    }
  });

  test('answers an unknown link with a page or with JSON', async () => {
    const page = await open('unknown');
    assert.equal(page.status, 404);
    assert.match(page.text, /There is no such payment/);
    assert.doesNotMatch(page.text, /<script/);
    assertRefused(await read('unknown'), 404, 'NOT_FOUND');
  });

  test('has a limit per address, with a page of its own', async () => {
    const limited = await testGateway({
      db: kissi.db,
      clock: kissi.clock,
      payable,
      env: { PUBLIC_PAGES_PER_MINUTE: '1' },
    });
    after(() => limited.close());
    const token = payable.ask();
    const replies: CallReply[] = [];
    for (let i = 0; i < 2; i++) replies.push(await limited.call('GET', `/pay/${token}`, { headers: PAGE }));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 429],
    );
    assert.match(replies[1]?.text ?? '', /Too many requests/);
    assertRefused(await limited.call('GET', `/pay/${token}`), 429, 'RATE_LIMITED');
  });
});

describe('POST /pay/{token}/notify', () => {
  test('sends the request to the number, and the browser back to the page', async () => {
    const token = payable.ask();
    const reply = await sendPlain(token, ' 076 123-456 ');
    assert.equal(reply.status, 303);
    assert.equal(reply.headers.get('location'), `/pay/${token}?lang=kri&sent=1#sent`);
    const { request, phone, visitor } = payable.notices.at(-1) ?? {};
    assert.deepEqual([request, phone], [(await read(token)).json.payment_request.id, '+23276123456']);
    assert.match(String(visitor), /127\.0\.0\.1/);
    assert.match((await open(token, '?sent=1')).text, /id="sent"/);
  });

  test('tells programs the same for every number', async () => {
    const token = payable.ask();
    const replies = ['076123456', '+23276999999'].map((phone_number) =>
      kissi.call('POST', `/pay/${token}/notify`, { body: { phone_number } }),
    );
    for (const reply of await Promise.all(replies)) {
      assert.deepEqual(assertStatus(reply, 202).json, {
        success: true,
        message: 'If the number has a wallet, it is asked to pay.',
      });
    }
    assertRefused(
      await kissi.call('POST', `/pay/${token}/notify`, { body: { phone_number: 'x' } }),
      400,
      'INVALID_REQUEST',
    );
    assertRefused(await kissi.call('POST', `/pay/${token}/notify`, { body: {} }), 400, 'INVALID_REQUEST');
  });

  test('shows a wrong number again beside what is wrong, but never what may be a PIN', async () => {
    const token = payable.ask();
    const wrong = await send(token, '076 12"34');
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /value="076 12&quot;34" [^>]*aria-invalid="true"/);
    assert.match(wrong.text, /<title>Not sent: /);
    const pin = await send(token, '4829');
    assert.equal(pin.status, 400);
    assert.doesNotMatch(pin.text, /4829/);
    assert.match(pin.text, /If it is your PIN: do not type it here/);
    assert.doesNotMatch(kissi.logs(), /4829/);
  });

  test('says when too many numbers were entered', async () => {
    const token = payable.ask();
    payable.refuseNext(refuseForNow('RATE_LIMITED', 'Too many numbers.', 60_000));
    const reply = await send(token, '076123456');
    assert.equal(reply.status, 429);
    assert.equal(reply.headers.get('retry-after'), '60');
    assert.match(reply.text, /too many numbers were entered here/);
    payable.refuseNext(refuse('RATE_LIMITED', 'Too many numbers.'));
    assertRefused(
      await kissi.call('POST', `/pay/${token}/notify`, { body: { phone_number: '076123456' } }),
      429,
      'RATE_LIMITED',
    );
  });

  test('sends nothing once the request has ended', async () => {
    const count = payable.notices.length;
    for (const [status, code] of Object.entries({
      paid: 'ALREADY_PAID',
      declined: 'DECLINED',
      expired: 'EXPIRED',
      cancelled: 'CANCELLED',
    })) {
      const token = payable.ask({ status: status as 'paid' });
      assert.equal((await sendPlain(token, '076123456')).headers.get('location'), `/pay/${token}?lang=kri`);
      assertRefused(
        await kissi.call('POST', `/pay/${token}/notify`, { body: { phone_number: '076123456' } }),
        409,
        code,
      );
    }
    assert.equal(payable.notices.length, count);
  });

  test('is not for forms of other sites', async () => {
    const token = payable.ask();
    for (const site of ['cross-site', 'same-site']) {
      const reply = await send(token, '076123456', { ...FORM, 'sec-fetch-site': site });
      assert.equal(reply.status, 403);
    }
    assertRefused(
      await kissi.call('POST', `/pay/${token}/notify`, {
        body: { phone_number: '076123456' },
        headers: { 'sec-fetch-site': 'cross-site' },
      }),
      403,
      'FORBIDDEN',
    );
  });

  test('of browsers that send no Sec-Fetch-Site is known by its origin', async () => {
    const { 'sec-fetch-site': _, ...old } = FORM;
    const from = (origin: string) => send(payable.ask(), '076123456', { ...old, origin });
    assert.equal((await from('https://other.example')).status, 403);
    for (const origin of [kissi.url, 'null']) assertStatus(await from(origin), 303);
  });
});
