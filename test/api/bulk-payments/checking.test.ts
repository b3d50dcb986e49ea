// Checking bulk payments: what it says about each row, what it must not say, fees and limits, two gateways and killed ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEASE_MS } from '../../../src/db/leased-queue.ts';
import {
  bulkRows,
  checkedBulk,
  csvOf,
  getBulk,
  newReference,
  uploadBulk,
  whenChecked,
} from '../../support/bulk-payments.ts';
import { pdfText } from '../../support/crawl.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { partnerBank } from '../../support/partner.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { directPayments, merchantToken } from '../../support/processors.ts';
import { auditLogs, runChore, staffToken } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';
import { receiver } from '../../webhooks/receiver.ts';
import { onlyEvent } from '../webhooks/support.ts';

const { kissi, bank } = await bankForFile({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
const merchant = await directPayments(kissi, bank).fundedMerchant(50_000);
const shop = await merchantToken(kissi, merchant);
const finance = await staffToken(kissi, 'finance_user');
const nurse = await bank.wallet();

const outcomes = async (token: string, id: string) =>
  (await bulkRows(kissi, token, id)).map((row) => [row.status, row.reason]);

test('unknown, blocked and waiting wallets have one reason', async () => {
  const blocked = await bank.wallet();
  const body = {
    phone_number: '+23277000111',
    first_name: 'Isata',
    last_name: 'Koroma',
    pin: '1234',
    status: 'PENDING',
  };
  assertStatus(await kissi.asAdmin.post('/subscribers', body), 201);
  assertStatus(await kissi.asAdmin.post(`/subscribers/${blocked.id}/block`, { reason: 'Lost phone' }), 200);
  const phones = ['+23299000001', blocked.phone, '+23277000111', nurse.phone];
  const { id } = await checkedBulk(kissi, shop, csvOf(phones.map((phone) => ({ phone, name: 'Aminata Kamara' }))));
  const rows = await bulkRows(kissi, shop, id);
  for (const row of rows.slice(0, -1)) {
    const { status, reason, reason_text, name_match } = row;
    assert.deepEqual(
      [status, reason, reason_text, name_match],
      [...['invalid', 'RECIPIENT_UNAVAILABLE', 'No active wallet has this number.', null]],
    );
  }
  assert.deepEqual([rows.at(-1)?.status, rows.at(-1)?.name_match], ['valid', 'match']);
});

test('a number that is none makes only its row invalid, and names are compared, never shown', async () => {
  const isata = await bank.wallet(0, { first_name: 'Isata', last_name: 'Koroma' });
  const file = csvOf([
    { phone: '12' },
    { phone: isata.phone, name: 'KOROMA Isata Mary' },
    { phone: isata.phone, name: 'Fatu Sesay' },
    { phone: isata.phone },
  ]);
  const payment = await checkedBulk(kissi, shop, file);
  const rows = await bulkRows(kissi, shop, payment.id);
  assert.deepEqual(
    rows.map((row) => [row.phone_number, row.reason, row.name, row.name_match, row.warnings]),
    [
      ['12', 'INVALID_PHONE_NUMBER', null, null, []],
      [isata.phone, null, 'KOROMA Isata Mary', 'match', []],
      [isata.phone, null, 'Fatu Sesay', 'no_match', ['REPEATED_RECIPIENT']],
      [isata.phone, null, null, null, ['REPEATED_RECIPIENT']],
    ],
  );
  const { valid_count, invalid_count, name_mismatch_count, repeated_count } = payment;
  assert.deepEqual([valid_count, invalid_count, name_mismatch_count, repeated_count], [3, 1, 1, 2]);
  const [mismatch] = await bulkRows(kissi, shop, payment.id, '?name_match=no_match');
  assert.equal(mismatch?.name, 'Fatu Sesay');
  assert.equal((await bulkRows(kissi, shop, payment.id, '?status=invalid')).length, 1);
});

test('of rows with one reference in a file the first is valid, also over batches', async () => {
  const reference = newReference();
  const many = Array.from({ length: 1_000 }, () => ({ phone: nurse.phone }));
  const double = { reference, phone: nurse.phone };
  const { id } = await checkedBulk(kissi, finance, csvOf([double, double, ...many, double]), { treasury: 'true' });
  const invalid = await bulkRows(kissi, finance, id, '?status=invalid');
  assert.deepEqual(
    invalid.map(({ line, reason }: Json) => [line, reason]),
    [
      [3, 'DUPLICATE_REFERENCE'],
      [1_004, 'DUPLICATE_REFERENCE'],
    ],
  );
});

test('a total that the balance does not cover is told, and nothing is held', async () => {
  const payment = await checkedBulk(kissi, shop, csvOf([{ phone: nurse.phone, amount: '500.01' }]));
  assert.deepEqual([payment.total_amount, payment.available_amount, payment.covered], [50_001, 50_000, false]);
  const { rows } = await kissi.db.query('select held from accounts where id = $1', [merchant.id]);
  assert.equal(Number(rows[0].held), 0);
});

test('rows of a partner cost what funding costs and keep to its limits; codes cost a withdrawal', async () => {
  const partner = await partnerBank(kissi, {
    fields: { min_amount: 1_000, max_amount: 20_000_000, outstanding_limit: 5_000_000 },
  });
  const fee = {
    transaction_type: 'vult_fund',
    party_type: 'sender',
    fee_type: 'percentage',
    fee_value: 2,
    debit_enabled: true,
  };
  assertStatus(await kissi.asAdmin.put('/fee-settings', { ...fee, credit_enabled: false }), 200);
  const blocked = await bank.wallet();
  const types = { reason: 'Lost phone', transaction_types: ['vult_fund'] };
  assertStatus(await kissi.asAdmin.post(`/subscribers/${blocked.id}/block`, types), 200);
  const file = csvOf([
    { phone: nurse.phone, amount: '100' },
    { phone: nurse.phone, amount: '9.99' },
    { phone: '+23299000002', amount: '200' },
    { phone: '+23299000003', amount: '100000.01' },
    { phone: blocked.phone, amount: '100' },
  ]);
  const payment = await checkedBulk(kissi, finance, file, { partner_id: partner.id, unclaimed: 'code' });
  const rows = await bulkRows(kissi, finance, payment.id);
  assert.deepEqual(
    rows.map((row) => [row.status, row.reason, row.fee]),
    [
      ['valid', null, 200],
      ['invalid', 'AMOUNT_OUT_OF_RANGE', null],
      ['valid', null, 200],
      ['invalid', 'CODE_AMOUNT_EXCEEDED', null],
      ['invalid', 'RECIPIENT_UNAVAILABLE', null],
    ],
  );
  assert.deepEqual([payment.code_count, payment.valid_fees, payment.available_amount], [1, 400, 5_000_000]);
  assertStatus(await kissi.asAdmin.delete('/fee-settings/vult_fund/sender'), 204);
});

test('what compliance rules say is for staff', async () => {
  const rule = {
    ...{
      name: 'Large transfer of a merchant',
      kind: 'amount',
      transaction_types: ['processor_transfer'],
      side: 'payee',
    },
    ...{ threshold: 30_000, outcome: 'block', severity: 'HIGH', enabled: true },
  };
  const created = assertStatus(await kissi.asAdmin.post('/compliance/rules', rule), 201);
  const payment = await checkedBulk(kissi, shop, csvOf([{ phone: nurse.phone, amount: '300.01' }]));
  assert.equal(payment.compliance_count, null);
  assert.deepEqual((await bulkRows(kissi, shop, payment.id))[0]?.warnings, []);
  assert.equal((await getBulk(kissi, finance, payment.id)).compliance_count, 1);
  assert.deepEqual((await bulkRows(kissi, finance, payment.id))[0]?.warnings, ['COMPLIANCE_BLOCK']);
  const id = created.json.rule.id;
  assertStatus(await kissi.asAdmin.put(`/compliance/rules/${id}`, { enabled: false }), 200);
});

test('nothing depends on what a recipient has or may have', async () => {
  const rich = await bank.wallet(49_999_999);
  const { id } = await checkedBulk(kissi, shop, csvOf([{ phone: rich.phone, amount: '1' }]));
  assert.deepEqual(await outcomes(shop, id), [['valid', null]]);
});

test('a politically exposed recipient is like any other for the payer, and withheld from other staff without access', async () => {
  const minister = await bank.wallet(0, { first_name: 'Foday', last_name: 'Bangura' });
  await markPep(kissi, minister.id);
  const payment = await checkedBulk(
    kissi,
    shop,
    csvOf([{ phone: minister.phone, name: 'Foday Bangura', amount: '77' }]),
  );
  const [own] = await bulkRows(kissi, shop, payment.id);
  assert.deepEqual([own.phone_number, own.amount, own.name_match], [minister.phone, 7_700, 'match']);
  const [hidden] = await bulkRows(kissi, finance, payment.id);
  assert.deepEqual(
    [hidden.line, hidden.status, hidden.phone_number, hidden.amount, hidden.name],
    [2, 'valid', null, null, null],
  );
  const report = await kissi.call('GET', `/api/v1/bulk-payments/${payment.id}/report.csv`, { token: finance });
  assert.equal(report.text.includes(minister.phone), false);
  const authorized = await newAuthorizedStaff(kissi, 'finance_user');
  await openAccess(kissi, authorized);
  const [seen] = await bulkRows(kissi, authorized.token, payment.id);
  assert.equal(seen.phone_number, minister.phone);
  assert.equal((await auditLogs(kissi, { action: 'pep.access', actor_id: authorized.id })).length, 1);
  const uploaded = await checkedBulk(kissi, finance, csvOf([{ phone: minister.phone, amount: '78' }]), {
    treasury: 'true',
  });
  assert.equal((await bulkRows(kissi, finance, uploaded.id))[0]?.amount, 7_800);
});

test('an endpoint that chose it gets bulk_payment.checked', async () => {
  const server = await receiver();
  const body = { url: server.url, events: ['bulk_payment.checked'] };
  assertStatus(await kissi.call('POST', '/api/v1/webhook-endpoints', { token: shop, body }), 201);
  const payment = await checkedBulk(kissi, shop, csvOf([{ phone: nurse.phone }]));
  const object = await onlyEvent(kissi, server, 'bulk_payment.checked');
  assert.deepEqual(object, payment);
  await server.close();
});

test('two gateways check one file once, and another goes on when one is killed', async () => {
  const other = await testGateway({ db: kissi.db, clock: kissi.clock });
  const rows = Array.from({ length: 2_500 }, (_, index) => ({ phone: index % 5 === 0 ? '+23299000009' : nurse.phone }));
  const { id } = assertStatus(await uploadBulk(kissi, finance, { treasury: 'true' }, csvOf(rows)), 202).json
    .bulk_payment;
  await Promise.all([runChore(other, 'check bulk payments'), runChore(kissi, 'check bulk payments')]);
  const payment = await whenChecked(kissi, finance, id);
  assert.deepEqual([payment.checked_count, payment.valid_count, payment.invalid_count], [2_500, 2_000, 500]);
  const second = csvOf([{ phone: nurse.phone }]);
  const killed = await checkedBulk(kissi, finance, second, { treasury: 'true' });
  await kissi.db.query(
    `with back as (update bulk_payment_rows set status = 'pending', recipient_id = null where bulk_payment_id = $1)
    update bulk_payments set status = 'checking', lease = 'killed', leased_until = $2, checked_count = 0, valid_count = 0,
      valid_amount = 0, checked_at = null where id = $1`,
    [killed.id, new Date(kissi.clock.now() + LEASE_MS)],
  );
  await runChore(kissi, 'check bulk payments');
  assert.equal((await getBulk(kissi, finance, killed.id)).checked_count, 0, 'the lease has not ended');
  kissi.clock.advance(LEASE_MS + 1);
  await waitFor('another gateway has checked it', async () => {
    await runChore(other, 'check bulk payments');
    return (await getBulk(other, finance, killed.id)).status === 'checked';
  });
  assert.equal((await getBulk(kissi, finance, killed.id)).valid_count, 1);
  await other.close();
});

test('a cancelled payment is not checked any more, and its rows are cancelled', async () => {
  const rows = Array.from({ length: 2_100 }, () => ({ phone: nurse.phone }));
  const { id } = assertStatus(await uploadBulk(kissi, finance, { treasury: 'true' }, csvOf(rows)), 202).json
    .bulk_payment;
  assertStatus(await kissi.call('POST', `/api/v1/bulk-payments/${id}/cancel`, { token: finance }), 200);
  const payment = await waitFor('all rows are cancelled', async () => {
    await runChore(kissi, 'check bulk payments');
    const found = await getBulk(kissi, finance, id);
    return found.cancelled_count === 2_100 && found;
  });
  assert.equal(payment.status, 'cancelled');
  assert.equal(payment.cancelled_amount, 21_000_000);
});

test('reports have every row, leones and neutral text, and are recorded', async () => {
  const file = csvOf([
    { reference: 'ok-1', phone: nurse.phone, amount: '1250.50', name: 'Aminata Kamara' },
    { reference: 'no-1', phone: '+23299000010', amount: '3' },
  ]);
  const { id } = await checkedBulk(kissi, finance, file, { treasury: 'true', name: 'Nurses' });
  const csv = await kissi.call('GET', `/api/v1/bulk-payments/${id}/report.csv`, { token: finance });
  assert.equal(csv.headers.get('content-disposition'), `attachment; filename="${id}.csv"`);
  const [header, first, second] = csv.text.split('\r\n');
  assert.equal(header?.split(',').length, 16);
  assert.equal(first, `2,ok-1,${nurse.phone},,Aminata Kamara,1250.50,0.00,SLE,,valid,match,,,,,`);
  assert.match(second ?? '', /^3,no-1,.*,3\.00,,SLE,,invalid,,RECIPIENT_UNAVAILABLE,No active wallet/);
  const address = `${kissi.url}/api/v1/bulk-payments/${id}/report.pdf`;
  const pdf = await fetch(address, { headers: { authorization: `Bearer ${finance}` } });
  assert.equal(pdf.headers.get('content-type'), 'application/pdf');
  const text = pdfText(Buffer.from(await pdf.arrayBuffer()));
  for (const part of ['Nurses', id, '1,250.50 SLE', 'no-1', 'No active wallet has this number.']) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  const reports = await auditLogs(kissi, { action: 'bulk_payment.report', resource_id: id });
  assert.deepEqual(
    reports.map(({ details }) => details.format),
    ['pdf', 'csv'],
  );
});

test('the list is filtered by payer, state and time', async () => {
  const list = async (query: string) =>
    assertStatus(await kissi.call('GET', `/api/v1/bulk-payments?${query}`, { token: finance }), 200).json;
  const all = await list('limit=100');
  const ofShop = await list(`processor_id=${merchant.id}&status=checked`);
  assert.ok(ofShop.total_count > 0 && ofShop.total_count < all.total_count);
  assert.ok(ofShop.bulk_payments.every((each: Json) => each.processor_id === merchant.id && each.status === 'checked'));
  assert.ok((await list('treasury=true')).bulk_payments.every((each: Json) => each.treasury));
  assert.equal((await list('to=2020-01-01')).total_count, 0);
});
