// Codes of merchants and payment requests, judged by a decoder from outside (emv-qrcps).
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { luhnCheckDigit } from '../kernel/account-number.ts';
import { newMerchantNumber, readMerchantNumber } from '../kernel/merchant-number.ts';
import { asciiName } from './ascii.ts';
import { emvText } from './emv.ts';
import { readPaymentCode, requestQr, staticQr } from './payment-codes.ts';

const { Merchant } = createRequire(import.meta.url)('emv-qrcps');
const SCHEME = { guid: 'sl.kissi.m', template: 26 };
const SHOP = { name: 'Lumley Beach Grill', merchantNumber: '1234566' };
const CODE = '0123456782';

/** What the outside decoder reads, by "id" or "template.id". It must also write the same text, with its own checksum. */
function decoded(text: string): Record<string, string> {
  const read = Merchant.Parser.toEMVQR(text);
  assert.equal(read.validate(), true);
  // It writes its checksum without leading zeros.
  const checksum = text.slice(-4).replace(/^0+/, '');
  assert.equal(read.generatePayload(), `${text.slice(0, -8)}630${checksum.length}${checksum}`);
  const values: Record<string, string> = {};
  let template = '';
  // Lines such as "26 25 0010sl.kissi.m01071234566" and, of the objects in a template, " 01 07 1234566".
  for (const line of String(read.rawData()).split('\n')) {
    const [, indent = '', id = '', value = ''] = /^(\s*)(\d\d) \d\d ?(.*)$/.exec(line) ?? [];
    if (id === '') continue;
    if (indent === '') template = id;
    values[indent === '' ? id : `${template}.${id}`] = value;
  }
  return values;
}

describe('the static code of a merchant', () => {
  test('names the merchant by its number, without an amount', () => {
    const text = staticQr(SCHEME, SHOP);
    assert.match(text, /^000201010211/);
    const { '26.00': guid, '26.01': number, '53': currency, '54': amount, '58': country, '59': name } = decoded(text);
    assert.deepEqual(
      { guid, number, currency, amount, country, name },
      { guid: 'sl.kissi.m', number: '1234566', currency: '925', amount: undefined, country: 'SL', name: SHOP.name },
    );
    assert.deepEqual(readPaymentCode(SCHEME, text), { kind: 'merchant', number: '1234566' });
  });

  test('uses the template and the identifier of the configuration', () => {
    const scheme = { guid: 'SL.GOV.BSL.SAPS', template: 51 };
    const text = staticQr(scheme, SHOP);
    assert.equal(decoded(text)['51.01'], '1234566');
    assert.deepEqual(readPaymentCode(scheme, text), { kind: 'merchant', number: '1234566' });
  });
});

describe('the code of a payment request', () => {
  test('has the amount and the code of the request', () => {
    const text = requestQr(SCHEME, { code: CODE, amount: 125_000, payee: SHOP });
    assert.match(text, /^000201010212/);
    const { '26.01': number, '26.02': code, '54': amount, '62.05': reference } = decoded(text);
    assert.deepEqual(
      { number, code, amount, reference },
      { number: '1234566', code: CODE, amount: '1250.00', reference: CODE },
    );
    assert.deepEqual(readPaymentCode(SCHEME, text), { kind: 'request', code: CODE });
  });

  test('to a person has no merchant number', () => {
    const text = requestQr(SCHEME, { code: CODE, amount: null, payee: { name: 'Aminata K.', merchantNumber: null } });
    const values = decoded(text);
    assert.deepEqual([values['26.01'], values['54'], values['59']], [undefined, undefined, 'Aminata K.']);
    assert.deepEqual(readPaymentCode(SCHEME, text), { kind: 'request', code: CODE });
  });

  test('writes amounts with two decimals, and none that is longer than the format allows', () => {
    const cases = [
      ...([
        [1, '0.01'],
        [50, '0.50'],
        [100, '1.00'],
        [999_999_999_999, '9999999999.99'],
      ] as const),
      ...([
        [1_000_000_000_000, undefined],
        [Number.MAX_SAFE_INTEGER, undefined],
      ] as const),
    ];
    for (const [amount, text] of cases) {
      assert.equal(decoded(requestQr(SCHEME, { code: CODE, amount, payee: SHOP }))['54'], text);
    }
  });
});

describe('reading a code', () => {
  test('trusts only the id: another name, amount or currency changes nothing', () => {
    const template = (number: string) =>
      [
        '26',
        [
          ['00', 'sl.kissi.m'],
          ['01', number],
        ],
      ] as const;
    const forged = emvText([['01', '12'], template('1234566'), ['53', '840'], ['54', '0.01'], ['59', 'Another shop']]);
    assert.deepEqual(readPaymentCode(SCHEME, forged), { kind: 'merchant', number: '1234566' });
    assert.equal(readPaymentCode(SCHEME, emvText([template('1234567')])), null);
  });

  test('refuses what is no code of this operator', () => {
    const text = staticQr(SCHEME, SHOP);
    assert.deepEqual(readPaymentCode(SCHEME, ` ${text}\n`), { kind: 'merchant', number: '1234566' });
    assert.equal(readPaymentCode({ guid: 'sl.other.m' }, text), null);
    const request = (code: string) => requestQr(SCHEME, { code, amount: 1, payee: SHOP });
    for (const other of [
      '',
      'https://example.com',
      '1234566',
      text.slice(1),
      request('0123456783'),
      request('1123456782'),
    ]) {
      assert.equal(readPaymentCode(SCHEME, other), null, other);
    }
    // Templates below 26 belong to card schemes.
    assert.equal(
      readPaymentCode(
        SCHEME,
        emvText([
          [
            '25',
            [
              ['00', 'sl.kissi.m'],
              ['01', '1234566'],
            ],
          ],
        ]),
      ),
      null,
    );
  });
});

test('any name, number and amount survives the outside decoder', () => {
  const random = seeded(20_261_119);
  const letters = [...'abc XYZ0189éÖɔɛŋÑ&"<>\'最Ж🎓-_./\u0301\u202e'];
  for (let run = 0; run < 500; run++) {
    const name = Array.from({ length: 1 + random(100) }, () => letters[random(letters.length)]).join('');
    const payee = { name, merchantNumber: newMerchantNumber() };
    const digits = `0${String(random(100_000_000)).padStart(8, '0')}`;
    const code = digits + luhnCheckDigit(digits);
    const amount = 1 + random(1_000_000_000);
    const [fixed, asked] = [staticQr(SCHEME, payee), requestQr(SCHEME, { code, amount, payee })];
    const [merchant, request] = [decoded(fixed), decoded(asked)];
    assert.ok((merchant['59'] ?? '').length <= 25 && /^[\x20-\x7e]+$/.test(fixed), fixed);
    assert.deepEqual([merchant['26.01'], request['26.02']], [payee.merchantNumber, code]);
    assert.equal(Math.round(Number(request['54']) * 100), amount);
    assert.deepEqual(readPaymentCode(SCHEME, fixed), { kind: 'merchant', number: payee.merchantNumber });
    assert.deepEqual(readPaymentCode(SCHEME, asked), { kind: 'request', code });
  }
});

test('names are reduced to ASCII and cut off after a word', () => {
  const cases = [
    ['Lumley Beach Grill', 'Lumley Beach Grill'],
    ['Café Été  “Öl”', 'Cafe Ete "Ol"'],
    ['Kɔnɛ Ŋgɛ', 'Kone Ngge'],
    ['Établissements Générales Koné & Frères', 'Etablissements Generales'],
    ['Supercalifragilisticexpialidocious', 'Supercalifragilisticexpia'],
    ['A Supercalifragilisticexpialidocious', 'A Supercalifragilisticexp'],
    ['最佳 🎓', ''],
  ] as const;
  for (const [text, name] of cases) assert.equal(asciiName(text, 25), name);
  assert.equal(decoded(staticQr(SCHEME, { ...SHOP, name: '最佳' }))['59'], 'Merchant');
});

test('merchant numbers are read in groups, and none with a mistyped digit is accepted', () => {
  for (const text of ['1234566', '123 4566', ' 123-4566 ']) assert.equal(readMerchantNumber(text), '1234566');
  for (const text of ['', '123456', '12345666', '0234566', '123456x', '１２３４５６６'])
    assert.equal(readMerchantNumber(text), null);
  for (let run = 0; run < 200; run++) {
    const number = newMerchantNumber();
    assert.equal(readMerchantNumber(number), number);
    for (let at = 0; at < number.length; at++) {
      const wrong = number.slice(0, at) + ((Number(number[at]) + 1 + (run % 9)) % 10) + number.slice(at + 1);
      assert.equal(readMerchantNumber(wrong), null, wrong);
    }
  }
});

/** Whole numbers below a limit, the same in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
