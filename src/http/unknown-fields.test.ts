// Which unknown fields count as misspellings, and how ignored fields are named in a header.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ignoredFields, misspeltRefusal } from './unknown-fields.ts';

const ABSENT = ['amount', 'pin', 'agent_id', 'request_id', 'recipient_card_serial', 'currency'];
const meant = (sent: string, absent = ABSENT) =>
  /Did you mean "(\w+)"/.exec(misspeltRefusal([sent], absent)?.message ?? '')?.[1];

describe('an unknown field is a misspelling of an absent one', () => {
  test('if it has the same letters in another case, with or without separators', () => {
    for (const sent of ['Amount', 'AMOUNT', 'aMount']) assert.equal(meant(sent), 'amount', sent);
    for (const sent of ['requestId', 'requestID', 'request-id', 'Request_Id', 'REQUEST_ID']) {
      assert.equal(meant(sent), 'request_id', sent);
    }
    assert.equal(meant('recipientCardSerial'), 'recipient_card_serial');
  });

  test('if one letter is missing, added, replaced or swapped with its neighbour', () => {
    for (const sent of ['amont', 'amoount', 'amaunt', 'amuont', 'amount ']) assert.equal(meant(sent), 'amount', sent);
    for (const sent of ['pinn', 'pi', 'pim', 'ipn']) assert.equal(meant(sent), 'pin', sent);
  });

  test('from eight characters on, if it differs in two places', () => {
    for (const sent of ['reqest_i', 'rekwest_id', 'requset_di', 'reuqestt_id', 'request']) {
      assert.equal(meant(sent), sent === 'request' ? undefined : 'request_id', sent);
    }
    assert.equal(meant('curenci'), 'currency');
    assert.equal(meant('amnt_'), undefined);
  });

  test('and not otherwise', () => {
    for (const sent of ['notes', 'colour', 'amt', 'pan_', 'id', '', '___', 'é', 'x'.repeat(500), '__proto__']) {
      assert.equal(meant(sent), undefined, sent);
    }
    assert.equal(misspeltRefusal(['reqest_id'], ['amount']), null);
  });

  test('and the closest one is suggested', () => {
    assert.equal(meant('bank_entry_id', ['bank_entry_idx', 'bank_entri_ids', 'bank_entry_ids']), 'bank_entry_idx');
    assert.equal(meant('max_amunt', ['min_amount', 'max_amount']), 'max_amount');
  });
});

test('a thousand fields that resemble known ones, and are none, are too many', () => {
  const alike = Array.from({ length: 1_001 }, (_, n) => `di_tseuqer${String(n).padStart(4, '0')}`);
  assert.equal(misspeltRefusal(alike.slice(1), ABSENT), null);
  assert.equal(misspeltRefusal(alike, ABSENT)?.message, 'Too many unknown fields resemble known ones.');
});

test('the refusal quotes the field as JSON text', () => {
  assert.equal(
    misspeltRefusal(['colour', 'reqest_id'], ABSENT)?.message,
    'Unknown field "reqest_id". Did you mean "request_id"?',
  );
  assert.equal(misspeltRefusal(['pi"n'], ABSENT)?.message, 'Unknown field "pi\\"n". Did you mean "pin"?');
});

test('ignored fields are listed once each, at most ten, short and in characters that are safe in a header', () => {
  assert.equal(ignoredFields(['colour', 'a\r\nSet-Cookie: b=1', 'colour', '']), 'colour, a__Set-Cookie__b_1, _');
  assert.equal(ignoredFields(['Ünïcode, x', 'y'.repeat(100)]), `_n_code__x, ${'y'.repeat(40)}`);
  const many = Array.from({ length: 30 }, (_, index) => `f${index}`);
  assert.equal(ignoredFields(many).split(', ').length, 10);
});
