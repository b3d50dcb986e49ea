// Narrations, descriptions and reasons: one line after normalization, blank means absent, at most 500 characters.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ONE_LINE } from '../../../src/http/validation.ts';
import type { CallReply, Json } from '../../support/gateway.ts';
import { newReference, testBank, webhookEvents } from '../../support/inbound.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { partnerBank } from '../../support/partner.ts';
import { assertRefused, newMerchant } from '../../support/processors.ts';
import { auditLogs } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();

async function narrationOf(transactionId: string): Promise<string | null> {
  const { rows } = await kissi.db.query('select narration from movements where id = $1', [transactionId]);
  return rows[0].narration;
}

const CASES: [sent: string, stored: string | null][] = [
  ['Rent\r\nMarch', 'Rent March'],
  ['a\n\n\n b\t\tc', 'a b c'],
  ['a\u0000b\u0007c\u007fd\u0085e', 'a b c d e'],
  ['a\u2028b\u2029c', 'a b c'],
  ['pay\u202eevil\u202c', 'pay evil'],
  ['two  spaces stay', 'two  spaces stay'],
  ['  École “rent” 🏦 ', 'École “rent” 🏦'],
  ['Cafe\u0301', 'Café'],
  ['', null],
  ['  \t\r\n\u0000 ', null],
  ['\u200b\u00a0', null],
  ['x'.repeat(500), 'x'.repeat(500)],
  [`${'🏦'.repeat(500)}\n`, '🏦'.repeat(500)],
];

describe('a description', () => {
  test('is stored as one line; blank text means absent', async () => {
    const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
    for (const [description, stored] of CASES) {
      const body = { sender_id: from.id, recipient_id: to.id, amount: 1, pin: PIN, description };
      const reply = await bank.post('/wallet/transfer', body);
      assert.equal(reply.status, 200, `${JSON.stringify(description)} ${reply.text}`);
      assert.equal(await narrationOf(reply.json.transaction_id), stored, JSON.stringify(description));
    }
  });

  test('of more than 500 characters is refused; no money moves', async () => {
    const [from, to] = [await bank.wallet(1_000), await bank.wallet()];
    const body = { sender_id: from.id, recipient_id: to.id, amount: 1, pin: PIN };
    for (const description of ['x'.repeat(501), `a\n${'🏦'.repeat(499)}`, 'x '.repeat(400_000)]) {
      const reply = await bank.post('/wallet/transfer', { ...body, description });
      assertRefused(reply, 400, 'INVALID_REQUEST');
      assert.equal(reply.json.error, 'description must be text of at most 500 characters.');
    }
    const other = await bank.post('/wallet/transfer', { ...body, description: ['x'] });
    assertRefused(other, 400, 'INVALID_REQUEST', 'a list');
    assert.equal(await bank.balance(from.id), 1_000);
  });

  test('is compared after normalization when a request is sent again', async () => {
    const [from, to] = [await bank.wallet(1_000), await bank.wallet()];
    const send = (request_id: string, description?: string) =>
      bank.post('/wallet/transfer', {
        ...{ sender_id: from.id, recipient_id: to.id, amount: 100, pin: PIN, request_id },
        ...(description === undefined ? {} : { description }),
      });
    const first = await send('line-1', 'Rent\nMarch');
    for (const same of ['Rent March', ' Rent\r\n March\t']) {
      assert.equal((await send('line-1', same)).text, first.text);
    }
    assertRefused(await send('line-1', 'Rent April'), 409, 'REQUEST_CONFLICT');
    assert.equal((await send('line-2', ' \n')).status, 200);
    assert.equal((await send('line-2')).headers.get('idempotent-replayed'), 'true');
    assert.equal(await bank.balance(to.id), 200);
  });
});

test("half a surrogate pair is refused, by the field's name", async () => {
  const reply = await kissi.call('POST', '/api/v1/wallet/transfer', {
    raw: '{"sender_id":"a","recipient_id":"b","amount":1,"pin":"1234","description":"\\ud800"}',
    token: bank.key,
  });
  assertRefused(reply, 400, 'INVALID_REQUEST');
  assert.match(reply.json.error, /^description must not contain/);
});

/** What people write about alerts and cases may have several lines. */
const IN_PARAGRAPHS = /^\/(?:compliance|cases|me\/cases)\b/;

describe('every text about a payment', () => {
  test('is normalized by its schema: narration, description and reason, except those of alerts and cases', () => {
    const found: string[] = [];
    for (const { prefix, endpoints } of kissi.gateway.routeGroups) {
      for (const { method, path, body } of endpoints) {
        for (const [name, field] of Object.entries<Json>((body as Json)?.properties ?? {})) {
          if (!['narration', 'description', 'reason'].includes(name) || IN_PARAGRAPHS.test(path)) continue;
          found.push(`${method} ${prefix}${path}`);
          assert.ok(field[ONE_LINE] && field.maxLength === 500, `${method} ${path} ${name}`);
        }
      }
    }
    assert.ok(found.length >= 18, found.join('\n'));
  });

  test('reaches statements, partners and receipts as one line', async () => {
    const inbound = await testBank(kissi, { webhook_url: 'https://bank.example/hook' });
    const wallet = await bank.wallet();
    const reference = newReference();
    const credit = await inbound.credit({ reference, amount: 100, msisdn: wallet.phone, narration: 'Pay\nMarch' });
    assert.equal(await narrationOf(credit.json.data.transaction_id), 'Pay March');
    const path = `/api/v1/admin/inbound/${credit.json.data.inbound_id}/reverse`;
    const blank = await kissi.call('POST', path, { body: { reason: ' \n ' }, token: admin });
    assertRefused(blank, 400, 'INVALID_REQUEST');
    assert.equal(blank.json.error, 'reason is required.');
    const reversed = await kissi.call('POST', path, { body: { reason: 'sent\ntwice' }, token: admin });
    assert.equal(reversed.json.reason, 'sent twice');
    assert.equal((await webhookEvents(kissi, reference)).at(-1).reason, 'sent twice');

    const partner = await partnerBank(kissi);
    const cashIn = await partner.cashIn({ phone_number: wallet.phone, narration: 'Cash\r\nin' });
    assert.equal(await narrationOf(cashIn.json.transaction_id), 'Cash in');

    const terminal = await terminalOf(kissi);
    const { card } = await bank.customer(100_000);
    const paid = await terminal.pay(card, { amount: 100 });
    const refund = await terminal.refund(paid.json.transaction_id, { amount: 50, reason: 'wrong\nsize' });
    assert.equal(await narrationOf(refund.json.transaction_id), 'wrong size');
  });

  test('given as the reason of a suspension is required, and kept as one line', async () => {
    const merchant = await newMerchant(kissi);
    const suspend = (reason: string): Promise<CallReply> =>
      kissi.call('POST', `/api/v1/processors/${merchant.id}/suspend`, { body: { reason }, token: admin });
    assertRefused(await suspend('\t'), 400, 'INVALID_REQUEST');
    assert.equal((await suspend('Complaints\nfrom customers')).status, 200);
    const [entry] = await auditLogs(kissi, { resource_id: merchant.id, action: 'processor.suspend' });
    assert.equal(entry.details.reason, 'Complaints from customers');
  });
});
