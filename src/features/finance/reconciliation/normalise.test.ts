// Tests that references and names compare whatever their spelling.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completeCutReferences, counterpartyOf, nameOf, referenceOf } from './normalise.ts';

describe('referenceOf', () => {
  it('ignores case, spaces and punctuation', () => {
    assert.equal(referenceOf(' inv-2026/0042 '), 'INV20260042');
    assert.equal(referenceOf('INV 2026.0042'), 'INV20260042');
  });

  it('is null for what banks write where there is no reference', () => {
    for (const text of [null, '', ' ', '---', 'NONREF', 'NOTPROVIDED', 'n/a', 'None']) {
      assert.equal(referenceOf(text), null, String(text));
    }
  });
});

describe('completeCutReferences', () => {
  const complete = completeCutReferences([
    'PO0123456789AB',
    'PO0123456789AB',
    'PO01234567ZZZZ',
    'POABCDEFGHJKMN',
    'INV2026004211',
    null,
  ]);

  it('completes the reference of the only open pay-out that begins so', () => {
    assert.equal(complete('POABCDEFGH'), 'POABCDEFGHJKMN');
    assert.equal(complete('PO0123456789A'), 'PO0123456789AB');
  });

  it('leaves what is ambiguous, too short, of no pay-out or no cut', () => {
    for (const text of ['PO01234567', 'POABCDEFG', 'INV2026004', 'POABCDEFGHX', 'POABCDEFGHJKMNX', null]) {
      assert.equal(complete(text), text);
    }
  });
});

describe('counterpartyOf', () => {
  const known = new Set(['ORANGEMONEYSL', 'ACMESTORES', 'ACMESTORESNORTH', 'ABC']);
  const named = (counterparty: string | null, description: string | null = null) =>
    counterpartyOf({ counterparty, description }, known);

  it('is the name that the bank gives', () => {
    assert.equal(named('Orange Money (SL)'), 'ORANGEMONEYSL');
    assert.equal(named('Acmé Stores'), nameOf('Acme Stores'));
    assert.equal(named('Unknown Traders'), 'UNKNOWNTRADERS');
  });

  it('is the known name that the description contains', () => {
    assert.equal(named(null, 'TRF 0042/ORANGE MONEY SL/settlement'), 'ORANGEMONEYSL');
    assert.equal(named(null, 'from acme stores north, Freetown'), 'ACMESTORESNORTH');
  });

  it('is unknown if the description contains several names, a part of a word, or a very short name', () => {
    assert.equal(named(null, 'orange money sl for acme stores'), null);
    assert.equal(named(null, 'XACME STORESX'), null);
    assert.equal(named(null, 'abc'), null);
    assert.equal(named(null, null), null);
  });
});
