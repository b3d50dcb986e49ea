// Tests every text in both languages: the letters of an SMS, its length with the longest values, plurals and conditions.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LANGUAGES } from '../../../http/pages/language.ts';
import { gsmLength, toGsm } from '../../../kernel/gsm.ts';
import { fillIn } from '../template.ts';
import { wording } from '../wording.ts';
import type { TextKey } from './keys.ts';
import { TEXTS } from './texts.ts';

const KEYS = Object.keys(TEXTS.en) as TextKey[];

/** Longer names are shortened; nobody has a larger balance. */
const LONGEST = {
  device: 'Samsung Galaxy A15 5G Dual SIM of the whole family',
  payee: 'Kroo Town Road Pharmacy and General Merchandise Ltd',
  sender: 'Aminata-Josephine-Margaret K.',
  party: 'Kroo Town Road Pharmacy and General Merchandise Ltd',
  case: 'C-2026-4817362',
  code: '0123456789',
  ussd: '*715*0*0123456789#',
  id: 'txn_01KJMXAMP00000000000000006',
  until: '2026-11-26',
  amount: 999_999_999,
  fee: 'SLE 999,999.99',
  balance: 'SLE 9,999,999.99',
  minutes: 30,
  count: 10,
};

describe('every text', () => {
  for (const language of LANGUAGES) {
    test(`in ${language} has the letters of an SMS and fits into one, with the longest values`, () => {
      for (const key of KEYS) {
        const text = wording({ language }, 'chat', key, LONGEST);
        const length = gsmLength(text);
        assert.ok(length !== null && length <= 160, `${key}: ${length} ${text}`);
        assert.doesNotMatch(text, /[{}#]\s|undefined|null|NaN|\.\./, text);
      }
    });
  }

  test('has the same values in both languages', () => {
    const names = (text: string) =>
      [...text.matchAll(/\{(\w+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => name in LONGEST)
        .sort();
    for (const key of KEYS) assert.deepEqual(names(TEXTS.kri[key]), names(TEXTS.en[key]), key);
  });

  test('differs between the languages', () => {
    for (const key of KEYS) assert.notEqual(TEXTS.kri[key], TEXTS.en[key], key);
  });
});

describe('a template', () => {
  const texts: [template: string, values: Record<string, string | number | null>, en: string, kri: string][] = [
    ['{n, plural, one {# day} other {# days}}', { n: 1 }, '1 day', '1 days'],
    ['{n, plural, one {# day} other {# days}}', { n: 1_200 }, '1,200 days', '1,200 days'],
    ['{amount, money}', { amount: 125_000 }, 'SLE 1,250.00', 'SLE 1,250.00'],
    ['Paid.{fee, when { Fee #.}}', { fee: 'SLE 1.00' }, 'Paid. Fee SLE 1.00.', 'Paid. Fee SLE 1.00.'],
    ['Paid.{fee, when { Fee #.}}', { fee: null }, 'Paid.', 'Paid.'],
    ['{a} and {b}', { a: '{b}', b: '$&' }, '{b} and $&', '{b} and $&'],
  ];
  for (const [template, values, en, kri] of texts) {
    test(`${template} with ${JSON.stringify(values)}`, () => {
      assert.deepEqual([fillIn(template, values, 'en'), fillIn(template, values, 'kri')], [en, kri]);
    });
  }
});

test('an SMS has the letters that phones have: of Krio, of names and of typists', () => {
  assert.equal(toGsm('Kushɛ Ɔmɔs ŋ – “Zoë”… Ábel ñ 王'), `Kushe Omos ng - "Zoe"... Abel ñ ?`);
  assert.deepEqual([gsmLength('abc'), gsmLength('a€'), gsmLength('ɛ')], [3, 3, null]);
});

test('a name is no link', () => {
  const shown = (party: string) => wording({ language: 'en' }, 'chat', 'sent', { ...LONGEST, party });
  for (const party of ['kissi-help.com', 'https://bit.ly/x', 'a@b.sl']) {
    assert.doesNotMatch(shown(party), /[a-z][.:/@]+[a-z]/);
  }
  assert.match(shown('Aminata K.'), / to Aminata K\. Fee/);
  assert.match(shown('P.Z. Cussons'), / to P Z\. Cussons\. Fee/);
});

test('a name with a line break or a trick is one short line', () => {
  const text = wording({ language: 'en' }, 'sms', 'new_device', {
    device: 'Phone\nYour PIN is needed: call 99 now and say it',
  });
  assert.match(text, /^A new device, Phone Your PIN is neede\., can use/);
});
