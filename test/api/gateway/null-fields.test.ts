// null in request bodies: an optional field that is null counts as absent, a required one is named, metadata keeps it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bodyFields, readFields } from '../../../src/http/body-fields.ts';
import { RAW_TEXT } from '../../../src/http/validation.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { partnerBank, newReference as partnerReference } from '../../support/partner.ts';
import { assertRefused, newMerchantBody } from '../../support/processors.ts';
import { newRequestId, terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();
const asAdmin = (method: string, path: string, body: unknown) =>
  kissi.call(method, `/api/v1${path}`, { body, token: admin });

/** Every JSON body of the service. */
function bodies(): { route: string; schema: Json }[] {
  return kissi.gateway.routeGroups.flatMap(({ prefix, endpoints }) =>
    endpoints.flatMap(({ method, path, body }) =>
      body ? [{ route: `${method} ${prefix}${path}`, schema: body }] : [],
    ),
  );
}

describe("in every route's body", () => {
  test('a field that is null is read as absent, unless any JSON value is allowed', () => {
    let kept = 0;
    for (const { route, schema } of bodies()) {
      const fields = bodyFields(schema);
      for (const [name, field] of Object.entries<Json>(schema.properties)) {
        const keepsNull = field[RAW_TEXT] === 'json';
        const expected = keepsNull ? { [name]: 'null' } : {};
        assert.deepEqual(readFields(`{"${name}": null}`, fields), expected, `${route} ${name}`);
        kept += Number(keepsNull && name === 'metadata');
      }
    }
    assert.equal(kept, 5, 'the metadata of POS, in-app and inbound payments and of payment requests, two routes');
  });

  test('a nested field that is null is read as absent; unknown nested fields are kept', () => {
    const credit = bodies().find(({ route }) => route === 'POST /api/v1/inbound/credit')?.schema;
    const read = readFields('{"payer":{"name":null,"bank_code":"B1","other":null}}', bodyFields(credit));
    assert.deepEqual(read, { payer: { bank_code: 'B1', other: null } });
  });

  test('no field accepts null by its schema, so that the document does not contradict the rule', () => {
    for (const { route, schema } of bodies()) {
      for (const [name, field] of Object.entries<Json>(schema.properties)) {
        const types = [field, ...(field.anyOf ?? [])].flatMap(({ type }) => type ?? []);
        assert.ok(field.readOnly || !types.includes('null'), `${route} ${name}`);
      }
    }
  });
});

describe('records', () => {
  test('are created with null for every optional field', async () => {
    const subscriber = await asAdmin('POST', '/subscribers', {
      ...{ phone_number: '+23277000001', first_name: 'Isatu', last_name: 'Bah', pin: PIN },
      ...{ email: null, date_of_birth: null, address: null, id_number: null, id_type: null, max_child_cards: null },
      ...{ id_document_url: null, selfie_url: null, status: null, is_pep: null },
    });
    assert.equal(subscriber.status, 201, subscriber.text);
    const { status, max_child_cards, is_pep, email } = subscriber.json.subscriber;
    assert.deepEqual([status, max_child_cards, is_pep, email], ['ACTIVE', 4, false, null]);

    const processor = assertStatus(await asAdmin('POST', '/processors', newMerchantBody({ merchant_id: null })), 201);
    assert.match(processor.json.processor.merchant_id, /\w/);

    const key = { name: 'k', scopes: ['payments:read'], expires_at: null, partner_id: null, processor_id: null };
    assert.equal((await asAdmin('POST', '/admin/api-keys', { ...key, rate_limit: null })).status, 201);

    const terms = { webhook_url: null, ip_allowlist: null, min_amount: null, max_amount: null, status: null };
    const partner = await asAdmin('POST', '/admin/partners', { name: 'Bank', outstanding_limit: null, ...terms });
    assert.equal(partner.status, 201, partner.text);
    assert.deepEqual([partner.json.partner.min_amount, partner.json.partner.status], [1, 'active']);
  });

  test('keep their values where an update has null; empty text clears them', async () => {
    const { id } = await bank.wallet(0, { email: 'a@example.com', address: 'Lumley' });
    const put = (body: object) => asAdmin('PUT', `/subscribers/${id}`, body);
    const kept = assertStatus(await put({ email: null, first_name: null, address: 'Aberdeen' }), 200);
    assert.deepEqual([kept.json.subscriber.email, kept.json.subscriber.address], ['a@example.com', 'Aberdeen']);
    const cleared = await put({ email: '', address: null });
    assert.deepEqual([cleared.json.subscriber.email, cleared.json.subscriber.address], [null, 'Aberdeen']);
    assertRefused(await put({ email: null }), 400, 'INVALID_REQUEST', 'no field is left to change');
  });

  test('are refused by the name of a required field that is null', async () => {
    const body = { phone_number: '+23277000009', first_name: 'Isatu', last_name: 'Bah', pin: PIN };
    for (const name of Object.keys(body)) {
      const reply = await asAdmin('POST', '/subscribers', { ...body, [name]: null });
      assertRefused(reply, 400, 'INVALID_REQUEST', name);
      assert.equal(reply.json.error, `${name} is required.`);
    }
  });
});

/** Sends the payment with and without nulls: the second request must be recognized as a retry of the first. */
async function assertRetried(send: (nulls: object) => Promise<CallReply>, nulls: object): Promise<void> {
  const first = assertStatus(await send(nulls), 200);
  const again = await send({});
  assert.deepEqual([again.status, again.text], [200, first.text]);
}

describe('a payment', () => {
  test('by the wallet: null and absent are the same request', async () => {
    const [from, to] = [await bank.wallet(1_000), await bank.wallet()];
    const body = { sender_id: from.id, recipient_id: to.id, amount: 100, pin: PIN, request_id: 'null-1' };
    await assertRetried((nulls) => bank.post('/wallet/transfer', { ...body, ...nulls }), {
      recipient_phone: null,
      description: null,
    });
    assert.equal(await bank.balance(to.id), 100);
    const required = await bank.post('/wallet/transfer', { ...body, amount: null });
    assertRefused(required, 400, 'INVALID_REQUEST');
    assert.equal(required.json.error, 'amount is required.');
  });

  test('by request_id null is a payment without one', async () => {
    const [from, to] = [await bank.wallet(1_000), await bank.wallet()];
    const body = { sender_id: from.id, recipient_id: to.id, amount: 100, pin: PIN, request_id: null };
    for (const _ of [1, 2]) assert.equal((await bank.post('/wallet/transfer', body)).json.request_id, null);
    assert.equal(await bank.balance(to.id), 200);
  });

  test('by a partner bank: null and absent are the same credit, also inside payer', async () => {
    const inbound = await testBank(kissi);
    const wallet = await bank.wallet();
    const body = { reference: newReference(), amount: 100, msisdn: wallet.phone, payer: { bank_code: 'B1' } };
    const payer = { bank_code: 'B1', name: null, account_masked: null };
    const nulls = { currency: null, account_number: null, card_serial: null, beneficiary_ref: null, narration: null };
    await assertRetried((extra) => inbound.credit({ ...body, ...extra }), { ...nulls, payer });
    assert.equal(await bank.balance(wallet.id), 100);
    // In metadata, null is a value.
    assertRefused(await inbound.credit({ ...body, metadata: null }), 409, 'REFERENCE_CONFLICT');
    assertStatus(await inbound.credit({ ...body, reference: newReference(), metadata: null }), 200);
  });

  test("by the partner API and by a cash-in notification's fields", async () => {
    const partner = await partnerBank(kissi);
    const wallet = await bank.wallet();
    const body = { reference: partnerReference(), phone_number: wallet.phone, amount: 100 };
    const nulls = { card_serial: null, account_number: null, narration: null };
    await assertRetried((extra) => partner.cashIn({ ...body, ...extra }), nulls);
    assert.equal(await bank.balance(wallet.id), 100);
    assert.equal((await partner.history({ from: null, to: null, limit: null, cursor: null })).status, 200);
  });

  test('by card: null and absent are the same request, but not in metadata', async () => {
    const terminal = await terminalOf(kissi);
    const { card } = await bank.customer(100_000);
    const body = terminal.payment(card, { terminal_id: undefined, amount: 100 });
    await assertRetried((nulls) => terminal.send('/payment', { ...body, ...nulls }), { currency: null, pin: null });
    assertRefused(await terminal.send('/payment', { ...body, metadata: null }), 409, 'REQUEST_CONFLICT');
    const echoed = await terminal.payInApp(card, { amount: 100, metadata: null });
    assert.equal(echoed.json.metadata, null);
    assert.ok(!('metadata' in (await terminal.payInApp(card, { amount: 100 })).json));
    const refund = { request_id: newRequestId(), transaction_id: echoed.json.transaction_id };
    await assertRetried((nulls) => terminal.send('/payment/refund', { ...refund, ...nulls }), {
      amount: null,
      reason: null,
    });
  });
});
