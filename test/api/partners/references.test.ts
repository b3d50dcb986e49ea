// A partner's reference is one scope over cash-ins and inbound credits: it credits a wallet at most once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundRows, newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, movementCount } from '../../support/money.ts';
import { partnerHeaders } from '../../support/partner.ts';
import { assertRefused } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const partner = await testBank(kissi, {}, ['inbound:read', 'inbound:write', 'payments:read', 'payments:write']);

function cashIn(body: object) {
  const [path, raw, at] = ['/api/v1/partner/cashin', JSON.stringify(body), new Date(kissi.clock.now()).toISOString()];
  const headers = partnerHeaders(partner.key, partner.partnerId, { method: 'POST', path, at, body: raw });
  return kissi.call('POST', path, { raw, headers });
}

async function newCredit() {
  const wallet = await bank.wallet();
  const reference = newReference();
  return {
    ...{ wallet, reference },
    credit: () => partner.credit({ reference, msisdn: wallet.phone, amount: 700 }),
    cashIn: () => cashIn({ reference, phone_number: wallet.phone, amount: 700 }),
  };
}

test('the reference of a cash-in is a conflict for an inbound credit, and for the status of one', async () => {
  const { wallet, reference, ...send } = await newCredit();
  assert.equal((await partner.status(reference)).json.code, 'NOT_FOUND');
  assert.equal((await send.cashIn()).status, 200);
  assertRefused(await send.credit(), 409, 'REFERENCE_CONFLICT');
  assertRefused(await partner.status(reference), 409, 'REFERENCE_CONFLICT');
  assert.deepEqual(await inboundRows(kissi, reference), []);
  assert.equal(await bank.balance(wallet.id), 700);
});

test('the reference of an inbound credit is a conflict for a cash-in, even if the credit was refused', async () => {
  const { wallet, reference, ...send } = await newCredit();
  assert.equal((await send.credit()).json.code, 'COMPLETED');
  assertRefused(await send.cashIn(), 409, 'REFERENCE_CONFLICT');
  assert.equal((await partner.status(reference)).json.data.status, 'COMPLETED');
  assert.equal(await bank.balance(wallet.id), 700);
  const refused = newReference();
  const unknown = await partner.credit({ reference: refused, msisdn: '+23299000000', amount: 700 });
  assert.equal(unknown.json.code, 'BENEFICIARY_NOT_FOUND', unknown.text);
  assertRefused(
    await cashIn({ reference: refused, phone_number: wallet.phone, amount: 700 }),
    409,
    'REFERENCE_CONFLICT',
  );
});

test('a cash-in and a credit with one reference at the same time credit once', async () => {
  for (let round = 0; round < 5; round++) {
    const { wallet, ...send } = await newCredit();
    const replies = await Promise.all([send.cashIn(), send.credit(), send.cashIn(), send.credit()]);
    const codes = replies.map(({ status, json }) => (status === 200 ? 'credited' : json.code));
    const [byCashIn, byCredit] = [codes[0], codes[1]];
    assert.deepEqual([byCashIn, byCredit].sort(), ['REFERENCE_CONFLICT', 'credited'], String(codes));
    assert.deepEqual(codes.slice(2), [byCashIn, byCredit]);
    assert.deepEqual([await bank.balance(wallet.id), await movementCount(kissi, wallet.id)], [700, 1]);
  }
});

test('another partner can use the same reference', async () => {
  const { wallet, reference, ...send } = await newCredit();
  assert.equal((await send.cashIn()).status, 200);
  const other = await testBank(kissi);
  const credit = await other.credit({ reference, msisdn: wallet.phone, amount: 700 });
  assert.equal(credit.json.code, 'COMPLETED', credit.text);
  assert.equal((await other.status(reference)).json.data.status, 'COMPLETED');
  assert.equal(await bank.balance(wallet.id), 1_400);
});
