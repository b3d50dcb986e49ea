// Tests GET /transactions/{id}/evidence: a PDF with the facts and the seal, for those who may see them, audited with its digest.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import type { Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { merchantToken } from '../../support/processors.ts';
import { assertRefused, auditLogs, openSession, staffMember } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();

const path = (id: string) => `/api/v1/transactions/${id}/evidence`;

interface Evidence {
  bytes: Buffer;
  text: string;
  pages: number;
  headers: Headers;
}

async function evidence(id: string, token: string): Promise<Evidence> {
  const reply = await fetch(`${kissi.url}${path(id)}`, { headers: { authorization: `Bearer ${token}` } });
  const bytes = Buffer.from(await reply.arrayBuffer());
  assert.equal(reply.status, 200, bytes.toString());
  const pages = bytes.toString('latin1').match(/\/Type \/Page\n/g)?.length ?? 0;
  return { bytes, text: textOf(bytes), pages, headers: reply.headers };
}

/** The text of the pages in one line: hex strings in brackets, possibly split by kerning. */
function textOf(pdf: Buffer): string {
  const streams = [...pdf.toString('latin1').matchAll(/FlateDecode\n>>\nstream\n([\s\S]*?)\nendstream/g)];
  const drawn = streams.map(([, deflated = '']) => inflateSync(Buffer.from(deflated, 'latin1')).toString('latin1'));
  return [...drawn.join('\n').matchAll(/\[(.*?)\] TJ/g)]
    .map(([, line = '']) => [...line.matchAll(/<([0-9a-f]+)>/g)].map(([, hex = '']) => hex).join(''))
    .map((hex) => Buffer.from(hex, 'hex').toString('latin1'))
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

function assertShows({ text }: Evidence, phrases: readonly string[]): void {
  for (const phrase of phrases) assert.ok(text.includes(phrase), `${phrase} in: ${text}`);
}

const member = await staffMember(kissi, 'support_user');
const support = { id: member.id, token: (await openSession(kissi, member)).token };
const terminal = await terminalOf(kissi);
const customer = await bank.customer(500_000);
const paid: Json = (await terminal.pay(customer.card, { amount: 123_456 })).json;

describe('evidence', () => {
  test('is one page with the facts, the postings, the seal and how to verify it', async () => {
    const document = await evidence(paid.transaction_id, support.token);
    assert.equal(document.headers.get('content-type'), 'application/pdf');
    const name = `attachment; filename="kissi-evidence-${paid.transaction_id}.pdf"`;
    assert.equal(document.headers.get('content-disposition'), name);
    assert.match(document.bytes.toString('latin1').trimEnd(), /^%PDF-[\s\S]*%%EOF$/);
    const details = await kissi.call('GET', `/api/v1/transactions/${paid.transaction_id}`, { token: support.token });
    const { seal } = details.json.transaction;
    assertShows(document, [
      'Transaction evidence',
      '1,234.56 SLE',
      'One thousand two hundred and thirty-four leones and fifty-six cents',
      'Aminata Kamara',
      `Phone: ${customer.wallet.phone}`,
      `Account: ${details.json.transaction.payer.account_number}`,
      `Merchant id: ${details.json.transaction.payee.account_number}`,
      `Owner: ${details.json.transaction.payee.owner}`,
      'Lumley Beach Grill',
      paid.transaction_id,
      '1 March 2026, 12:00:00.000 UTC',
      'Africa/Freetown (GMT',
      'the payer paid 0.00 SLE; the payee paid 12.35 SLE',
      paid.authorization_code,
      'The 3 postings sum to zero',
      '-1,234.56',
      '1,222.21',
      'in the audit log of Kissi under the transaction id',
      `Batch ${seal.batch}: number ${seal.number} of chain ${seal.chain}, format ${seal.format}`,
      seal.mac.slice(0, 8),
      seal.mac.slice(-8),
      'npm run ledger:verify',
      `support_user ${support.id}`,
      'Page 1 of 1',
    ]);
    assert.equal(document.pages, 1);
  });

  test('by staff shows no balance of any party, because it may be handed to one of them', async () => {
    const { json } = await kissi.call('GET', `/api/v1/transactions/${paid.transaction_id}`, { token: support.token });
    const balances = json.transaction.postings.map((posting: Json) => posting.balance_after);
    assert.deepEqual(balances, [500_000 - 123_456, 122_221, null], 'the JSON has them');
    for (const token of [support.token, await kissi.adminToken()]) {
      const { text } = await evidence(paid.transaction_id, token);
      for (const hidden of ['Balance', '3,765.44']) assert.ok(!text.includes(hidden), hidden);
    }
  });

  test('is audited with the digest of the file and the number of the document', async () => {
    const { bytes, text } = await evidence(paid.transaction_id, support.token);
    const [entry] = await auditLogs(kissi, { action: 'transaction.evidence', resource_id: paid.transaction_id });
    assert.equal(entry?.actor_id, support.id);
    assert.deepEqual(entry?.details, { sha256: createHash('sha256').update(bytes).digest('hex') });
    assert.ok(text.includes(`Document ${entry?.request_id}`));
  });

  test('names refunds and their original, on as many pages as it needs', async () => {
    const refund = (await terminal.refund(paid.transaction_id, { amount: 4_000, reason: 'Wrong size' })).json;
    const ofRefund = await evidence(refund.transaction_id, support.token);
    assert.equal(ofRefund.pages, 1);
    assertShows(ofRefund, ['Card payment refund', 'Original payment', paid.transaction_id, 'Wrong size']);
    const refunds: Json[] = [refund];
    for (let n = 0; n < 30; n++) refunds.push((await terminal.refund(paid.transaction_id, { amount: 100 })).json);
    const document = await evidence(paid.transaction_id, support.token);
    assert.equal(document.pages, 2);
    assertShows(document, ['Page 1 of 2', 'Page 2 of 2', ...refunds.map(({ transaction_id }) => transaction_id)]);
  });

  test('keeps long narrations, and letters that the standard fonts lack', async () => {
    const sender = await bank.wallet(9_000_000, { first_name: 'Fɔday', last_name: 'Kɔrɔma-Ŋgaima '.repeat(5).trim() });
    const to = await bank.wallet(0, { first_name: 'Zoë', last_name: "N'Diaye" });
    const body = { sender_id: sender.id, recipient_id: to.id, amount: 7_654_321, pin: PIN };
    const sent = await bank.post('/wallet/transfer', {
      ...body,
      description: `${'agreed rent '.repeat(30)}in one sum`,
    });
    const document = await evidence(sent.json.transaction_id, support.token);
    assertShows(document, ['Zoë', 'in one sum']);
    assert.match(document.bytes.toString('latin1'), /FontName \/[A-Z]+\+DejaVuSans-Bold/, 'the font is embedded');
    const plain = await evidence(paid.transaction_id, support.token);
    assert.doesNotMatch(plain.bytes.toString('latin1'), /DejaVu/, 'only where it is needed');
  });

  test('shows an owner its own posting only, and nothing of others', async () => {
    const merchant = await merchantToken(kissi, terminal.merchant);
    const document = await evidence(paid.transaction_id, merchant);
    assertShows(document, ['Aminata K.', 'the payee paid 12.35 SLE', 'Balance after', 'whose owner requested it']);
    for (const secret of ['Aminata Kamara', '-1,234.56', 'sys_fees_', 'API key']) {
      assert.ok(!document.text.includes(secret), secret);
    }
    const elsewhere = await terminalOf(kissi);
    const foreign = (await elsewhere.pay(customer.card, { amount: 50 })).json.transaction_id;
    const refused = assertRefused(await kissi.call('GET', path(foreign), { token: merchant }), 404, 'NOT_FOUND');
    assert.deepEqual((await kissi.call('GET', path('txn_none'), { token: merchant })).json, refused.json);
    assert.deepEqual(await auditLogs(kissi, { action: 'transaction.evidence', resource_id: foreign }), []);
  });

  test('of a politically exposed person needs PEP access', async () => {
    const pep = await bank.customer(100_000);
    const { transaction_id } = (await terminal.pay(pep.card, { amount: 700 })).json;
    await markPep(kissi, pep.wallet.id);
    assertRefused(await kissi.call('GET', path(transaction_id), support), 404, 'NOT_FOUND');
    const document = await evidence(transaction_id, await merchantToken(kissi, terminal.merchant));
    assertShows(document, ['Aminata K.']);
    assert.ok(!document.text.includes('Kamara'));
    assert.ok(!document.text.includes(pep.wallet.id));
  });
});
