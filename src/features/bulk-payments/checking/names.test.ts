// Tests which names count as the same person's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesMatch } from './names.ts';

const AMINATA = { first_name: 'Aminata', last_name: 'Kamara' };

test('order, case, accents, apostrophes and middle names do not matter', () => {
  for (const given of [
    'Aminata Kamara',
    'KAMARA, Aminata',
    'aminata  kamara',
    'Amínàta Kamara',
    'Aminata Binta Kamara',
  ]) {
    assert.equal(namesMatch(given, AMINATA), true, given);
  }
  assert.equal(namesMatch('Mariama Sesay', { first_name: 'Mariama Fatu', last_name: 'Sesay' }), true);
  assert.equal(namesMatch('Kone Ngozi', { first_name: 'Ŋgozi', last_name: 'Kɔnɛ' }), true);
  assert.equal(namesMatch('Abubakarr NDiaye', { first_name: 'Abu Bakarr', last_name: "N'Diaye" }), true);
});

test('another name, one word of two, and an empty name do not match', () => {
  for (const given of ['Isata Kamara', 'Aminata Sesay', 'Kamara', 'Aminata', 'Kamara Kamara', '- -', 'A. Kamara']) {
    assert.equal(namesMatch(given, AMINATA), false, given);
  }
});

test('a holder with a single name matches it', () => {
  assert.equal(namesMatch('Foday', { first_name: 'Foday', last_name: '.' }), true);
  assert.equal(namesMatch('Foday Sankoh', { first_name: 'Foday', last_name: '-' }), true);
  assert.equal(namesMatch('Sankoh', { first_name: 'Foday', last_name: '-' }), false);
});
