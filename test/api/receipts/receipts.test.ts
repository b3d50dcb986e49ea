// Tests receipts: the public link as JSON and as a page, its signature, live status, end, withdrawal and access.
import assert from 'node:assert/strict';
import { verify } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { keysOf } from '@kissi/signatures/documents';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import {
  assertStatus,
  type CallReply,
  type Json,
  SECRETS,
  type TestGateway,
  type TestGatewayOptions,
  testGateway,
} from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, PIN, type Wallet } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { codeInPage } from '../../support/pictures.ts';
import { merchantToken, newMerchant } from '../../support/processors.ts';
import { assertRefused, auditLogs, refusedAttemptCount, staffToken } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const ORIGIN = 'https://pay.operator.test';
const { kissi, bank } = await bankForFile({
  env: { PUBLIC_ORIGIN: ORIGIN, OPERATOR_NAME: 'Leone <Pay> Ltd', WEBHOOK_ALLOW_PRIVATE: 'true' },
});
const terminal = await terminalOf(kissi);
const { merchant } = terminal;

interface Payment {
  id: string;
  wallet: Wallet;
  /** The path of the receipt's link. */
  link: string;
}

async function linkOf(id: string): Promise<string> {
  const found = assertStatus(await kissi.asAdmin.get(`/transactions/${id}`), 200);
  const url = found.json.transaction.receipt_url;
  assert.match(url, /^https:\/\/pay\.operator\.test\/r\/[\w-]{22}$/);
  return url.slice(ORIGIN.length);
}

async function pay(amount = 125_000): Promise<Payment> {
  const wallet = await bank.wallet(amount);
  const reply = assertStatus(await terminal.pay(await bank.card(wallet), { amount }), 200);
  const id = reply.json.transaction_id;
  return { id, wallet, link: await linkOf(id) };
}

async function transfer(amount: number, recipient: Record<string, unknown> = {}): Promise<Payment> {
  const [wallet, to] = [await bank.wallet(amount * 2), await bank.wallet(0, recipient)];
  const body = { sender_id: wallet.id, recipient_id: to.id, amount, pin: PIN, description: 'for <b>medicine</b>' };
  const id = assertStatus(await bank.post('/wallet/transfer', body), 200).json.transaction_id;
  return { id, wallet, link: await linkOf(id) };
}

/** On the same database, closed at the end of the file. */
async function anotherGateway(options: Partial<TestGatewayOptions>): Promise<TestGateway> {
  const other = await testGateway({ db: kissi.db, clock: kissi.clock, ...options });
  after(() => other.close());
  return other;
}

const at = (now: number) => anotherGateway({ clock: { ...kissi.clock, now: () => now } });

const open = (link: string, headers: Record<string, string> = {}) => kissi.call('GET', link, { headers });
const isGone = (reply: CallReply) => assertRefused(reply, 404, 'NOT_FOUND', 'a receipt that does not open');

async function assertGenuine({ document, signature, key_id, receipt }: Json): Promise<void> {
  const jwks = (await kissi.call('GET', '/.well-known/kissi-keys.json')).text;
  const key = keysOf(jwks, 'receipt').get(key_id);
  assert.ok(key, 'the key is published');
  assert.ok(!keysOf(jwks).has(key_id), 'it verifies no daily close');
  assert.ok(verify(null, Buffer.from(document), key.publicKey, Buffer.from(signature, 'base64')));
  assert.deepEqual(JSON.parse(document), { kind: 'kissi-receipt-v1', ...receipt });
}

describe('GET /r/{token}', () => {
  test('tells everybody the amount, masked parties, time and status, signed when it is read', async () => {
    const { link, id } = await transfer(5_000, { first_name: 'Fatmata', last_name: 'Sesay' });
    kissi.clock.advance(60_000);
    const reply = assertStatus(await open(link), 200);
    const { url, created_at, valid_until, ...rest } = reply.json.receipt;
    assert.equal(reply.headers.get('vary'), 'accept');
    assert.equal(url, ORIGIN + link);
    assert.equal(Date.parse(valid_until) > Date.parse(created_at) + 390 * DAY_MS, true);
    assert.deepEqual(rest, {
      transaction_id: id,
      type: 'transfer_p2p',
      amount: 5_000,
      currency: 'SLE',
      payer: { name: 'Aminata K.', phone_number: rest.payer.phone_number },
      payee: { name: 'Fatmata S.', phone_number: rest.payee.phone_number },
      status: 'completed',
      returned_amount: 0,
      operator: 'Leone <Pay> Ltd',
      signed_at: new Date(kissi.clock.now()).toISOString(),
    });
    for (const party of [rest.payer, rest.payee]) assert.match(party.phone_number, /^\+232 \*\* \*\*\* \d{3}$/);
    assert.doesNotMatch(reply.text, /medicine|fee|balance|sub_/);
    await assertGenuine(reply.json);
  });

  test('follows refunds: in part, then in full', async () => {
    const { link, id } = await pay(125_000);
    await pay(100_000);
    const state = async () => {
      const { receipt } = assertStatus(await open(link), 200).json;
      return [receipt.status, receipt.returned_amount];
    };
    assert.deepEqual(await state(), ['completed', 0]);
    const refunded = assertStatus(await terminal.refund(id, { amount: 25_000 }), 200);
    assert.deepEqual(await state(), ['partly_refunded', 25_000]);
    assertStatus(await terminal.refund(id), 200);
    assert.deepEqual(await state(), ['refunded', 125_000]);
    const ofRefund = assertStatus(await open(await linkOf(refunded.json.transaction_id)), 200).json.receipt;
    assert.deepEqual([ofRefund.type, ofRefund.amount, ofRefund.status], ['pos_refund', 25_000, 'completed']);
    assert.deepEqual(ofRefund.payer, { name: 'Lumley Beach Grill', phone_number: null });
  });

  test('says that a credit of a bank was reversed', async () => {
    const sender = await testBank(kissi, { webhook_url: 'http://127.0.0.1:9/' });
    const wallet = await bank.wallet();
    const credited = assertStatus(
      await sender.credit({ reference: newReference(), amount: 5_000, msisdn: wallet.phone }),
      200,
    ).json.data;
    const link = await linkOf(credited.transaction_id);
    const reverse = `/admin/inbound/${credited.inbound_id}/reverse`;
    assertStatus(await kissi.asAdmin.post(reverse, { reason: 'Sent twice' }), 200);
    const { receipt } = assertStatus(await open(link), 200).json;
    assert.deepEqual([receipt.type, receipt.status, receipt.returned_amount], ['inbound_credit', 'reversed', 5_000]);
  });

  test('is a page for browsers, without scripts, in the language of the reader', async () => {
    const { link, id } = await pay(125_000);
    const page = assertStatus(await open(link, PAGE), 200);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    for (const part of ['SLE 1,250.00', 'Aminata K.', id, 'Paid', 'Leone &lt;Pay&gt; Ltd', 'pay.operator.test']) {
      assert.ok(page.text.includes(part), part);
    }
    assert.doesNotMatch(page.text, /<script|<Pay>|style="/);
    assert.equal(codeInPage(page.text), ORIGIN + link);
    assert.ok(Buffer.byteLength(page.text) < 30_000, `${Buffer.byteLength(page.text)} bytes`);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/);
    assert.deepEqual(
      ['referrer-policy', 'x-robots-tag', 'cache-control', 'set-cookie'].map((name) => page.headers.get(name)),
      ['no-referrer', 'noindex, nofollow', 'no-store', null],
    );
    const krio = await open(link, { ...PAGE, 'accept-language': 'kri, en;q=0.5' });
    assert.match(krio.text, /<html lang="kri">[\s\S]*Dɔn pe/);
    assert.match((await open(`${link}?lang=en&fbclid=x`, { ...PAGE, 'accept-language': 'kri' })).text, /lang="en"/);
  });

  test('answers a wrong, withdrawn, old or foreign link alike, as JSON and as a page', async () => {
    const { link } = await pay();
    const digit = link.at(-3) === 'A' ? 'B' : 'A';
    const forged = link.slice(0, -3) + digit + link.slice(-2);
    const unknown = ['/r/x', `/r/${'A'.repeat(22)}`, `/r/${'A'.repeat(128)}`, forged, `${link}A`, '/r/%3Cscript%3E'];
    const texts = await Promise.all(unknown.map(async (path) => isGone(await open(path)).text));
    assert.deepEqual(new Set(texts).size, 1);
    const page = await open('/r/%3Cscript%3E', PAGE);
    assert.equal(page.status, 404);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.text, /This receipt is not available/);
    assert.doesNotMatch(page.text, /<script/);
  });

  test('the log does not contain links', async () => {
    const { link } = await pay();
    assertStatus(await open(link), 200);
    assert.match(kissi.logs(), /"path":"\/r\/:token"/);
    assert.ok(!kissi.logs().includes(link));
  });

  test('one link has one spelling', async () => {
    const { link } = await pay();
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = digits.indexOf(link.at(-1) ?? '');
    for (const other of [1, 2, 3]) isGone(await open(link.slice(0, -1) + digits.charAt(last ^ other)));
  });

  test('another MASTER_KEY makes other links', async () => {
    const { link } = await pay();
    const secrets = { ...SECRETS, MASTER_KEY: 'another-master-key-0123456789abcdefghijklm' };
    isGone(await (await anotherGateway({ secrets })).call('GET', link));
  });

  test('ends 13 months after the payment', async () => {
    const { link } = await pay();
    const { receipt } = assertStatus(await open(link), 200).json;
    const end = Date.parse(receipt.valid_until);
    assertStatus(await (await at(end - 1)).call('GET', link), 200);
    isGone(await (await at(end)).call('GET', link));
  });

  test('has a limit per address', async () => {
    const limited = await anotherGateway({ env: { PUBLIC_PAGES_PER_MINUTE: '2' } });
    const replies = [];
    for (let i = 0; i < 3; i++) replies.push(await limited.call('GET', '/r/x'));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [404, 404, 429],
    );
    const page = await limited.call('GET', '/r/x', { headers: PAGE });
    assert.equal(page.status, 429);
    assert.match(page.text, /Too many requests/);
    assert.ok(Number(page.headers.get('retry-after')) > 0);
  });
});

describe('the receipt of a politically exposed person', () => {
  test('opens for the parties only; its link answers like a wrong one', async () => {
    const payment = await pay(10_000);
    const login = await merchantToken(kissi, merchant);
    const other = await merchantToken(kissi, await newMerchant(kissi));
    await markPep(kissi, payment.wallet.id);
    const wrong = isGone(await open(`/r/${'A'.repeat(22)}`));
    assert.equal(isGone(await open(payment.link)).text, wrong.text);
    const path = `/api/v1/transactions/${payment.id}/receipt`;
    const own = assertStatus(await kissi.call('GET', path, { token: login }), 200).json;
    assert.deepEqual([own.receipt.amount, own.receipt.payer.name], [10_000, 'Aminata K.']);
    await assertGenuine(own);
    isGone(await kissi.call('GET', path, { token: other }));
    isGone(await kissi.call('GET', path, { token: await staffToken(kissi, 'support_user') }));
    const staff = await newAuthorizedStaff(kissi, 'support_user');
    assertRefused(await kissi.call('GET', path, { token: staff.token }), 403, 'PEP_ACCESS_REQUIRED');
    await openAccess(kissi, staff);
    assertStatus(await kissi.call('GET', path, { token: staff.token }), 200);
    isGone(await open(payment.link));
  });

  test('of a refund to them neither', async () => {
    const payment = await pay(10_000);
    await pay(20_000);
    const refund = assertStatus(await terminal.refund(payment.id), 200).json.transaction_id;
    const link = await linkOf(refund);
    assertStatus(await open(link), 200);
    await markPep(kissi, payment.wallet.id);
    isGone(await open(link));
  });
});

describe('POST /transactions/{id}/receipt/revoke', () => {
  const revoke = (id: string, token: string, body: Json = { reason: 'Posted in a public group' }) =>
    kissi.call('POST', `/api/v1/transactions/${id}/receipt/revoke`, { token, body });

  test('closes the link for good, is audited once, and leaves the receipt to the parties', async () => {
    const { id, link } = await pay();
    const support = await staffToken(kissi, 'support_user');
    assertStatus(await revoke(id, support), 200);
    assertStatus(await revoke(id, support, { reason: 'Again' }), 200);
    isGone(await open(link));
    const entries = await auditLogs(kissi, { action: 'receipt.revoke', resource_id: id });
    assert.deepEqual(
      entries.map(({ details }) => details),
      [{ reason: 'Posted in a public group' }],
    );
    const login = await merchantToken(kissi, merchant);
    assertStatus(await kissi.call('GET', `/api/v1/transactions/${id}/receipt`, { token: login }), 200);
  });

  test('is for support and compliance, about a payment that they may see, with a reason', async () => {
    const { id, wallet } = await pay();
    const support = await staffToken(kissi, 'support_user');
    assertRefused(await revoke(id, await staffToken(kissi, 'finance_user')), 403, 'FORBIDDEN');
    assertRefused(await revoke(id, await merchantToken(kissi, merchant)), 403, 'FORBIDDEN');
    assertRefused(await revoke(id, support, { reason: ' ' }), 400, 'INVALID_REQUEST');
    isGone(await revoke('txn_unknown', support));
    await markPep(kissi, wallet.id);
    isGone(await revoke(id, support));
    assert.ok((await refusedAttemptCount(kissi, { action: 'receipt.revoke' })) > 0);
  });

  test('a movement of the operator has no receipt', async () => {
    const agent = assertStatus(await kissi.asAdmin.get('/transactions?limit=1'), 200);
    assert.ok(agent.json.transactions.length > 0);
    const { rows } = await kissi.db.query("select id from movements where type = 'partner_settlement' limit 1");
    assert.equal(rows.length, 0);
    assertStatus(
      await kissi.asAdmin.post(`/admin/partners/${bank.partnerId}/settle`, { amount: 100, reference: 'S-1' }),
      200,
    );
    const settled = await kissi.db.query("select id from movements where type = 'partner_settlement'");
    const id = settled.rows[0].id;
    assert.equal((await kissi.asAdmin.get(`/transactions/${id}`)).json.transaction.receipt_url, null);
    isGone(await kissi.asAdmin.get(`/transactions/${id}/receipt`));
  });
});
