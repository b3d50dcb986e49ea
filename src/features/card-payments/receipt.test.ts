// Receipts: their content and line width.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { receiptOf, type Sale, WIDTH } from './receipt.ts';

const SALE: Sale = {
  businessName: 'Lumley Market',
  merchantId: 'M-1001',
  terminalId: 'T-7',
  cardSerial: '04:A1:B2:C3',
  status: 'APPROVED',
};
const POSTED = {
  transactionId: 'txn_01KJMXAZ00F8GQ2R4T6V8W0Y2A',
  at: Date.parse('2026-03-01T12:00:05.250Z'),
  amount: 123_456,
  payerFee: 0,
  payeeFee: 1_235,
  debited: 123_456,
  credited: 122_221,
  payerBalance: 1,
  payeeBalance: 1,
  allowances: [],
};

test('a receipt shows merchant, terminal, card, amount, code and transaction, but not the merchant’s fee', () => {
  assert.equal(
    receiptOf(SALE, POSTED),
    `         Lumley Market
Merchant                  M-1001
Terminal                     T-7
2026-03-01 12:00:05 UTC
--------------------------------
Card                    ****B2C3
Purchase            1,234.56 SLE
--------------------------------
APPROVED                  8W0Y2A
txn_01KJMXAZ00F8GQ2R4T6V8W0Y2A`,
  );
});

test('the slip of an authorisation does not call it a purchase; that of its capture has the same code', () => {
  const slip = receiptOf({ ...SALE, status: 'AUTHORIZED' }, POSTED);
  assert.match(slip, /\nAuthorisation {7}1,234\.56 SLE\n-+\nAUTHORIZED {16}8W0Y2A\n/);
  assert.doesNotMatch(slip, /Purchase/);
  const captured = receiptOf({ ...SALE, status: 'CAPTURED', code: '8W0Y2A' }, { ...POSTED, transactionId: 'txn_2' });
  assert.match(captured, /\nPurchase {12}1,234\.56 SLE\n-+\nCAPTURED {18}8W0Y2A\ntxn_2$/);
});

test("shows the customer's fee with the total, and no terminal for an app", () => {
  const receipt = receiptOf({ ...SALE, terminalId: null }, { ...POSTED, payerFee: 50 });
  assert.match(receipt, /Fee {21}0\.50 SLE\nTOTAL {15}1,235\.06 SLE/);
  assert.doesNotMatch(receipt, /Terminal/);
});

test('no line exceeds the width, whatever the names are', () => {
  const text = fc.string({ minLength: 1, maxLength: 120, unit: 'grapheme' });
  const property = fc.property(text, text, text, fc.nat(), (businessName, merchantId, terminalId, payerFee) => {
    const receipt = receiptOf(
      { ...SALE, businessName, merchantId, terminalId, cardSerial: 'C'.repeat(64) },
      { ...POSTED, payerFee },
    );
    for (const line of receipt.split('\n')) assert.ok([...line].length <= WIDTH, line);
  });
  fc.assert(property);
});
