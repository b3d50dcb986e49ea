// Tests key rings: the forms of their text, what is derived from each key, and values that name their key.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pinHasher } from '../../auth/pins/hasher.ts';
import { createVault } from '../../auth/vault.ts';
import { createCodeKeys } from '../../features/customer-payments/cash-out-code.ts';
import { Derived, keysFault, MissingKey, parseKeys, ringOf } from '../../kernel/key-ring.ts';

const [ONE, TWO] = ['first-key-0123456789-abcdefghijklmno', 'second-key-0123456789-abcdefghijklmno'];
const BOTH = `k2:${TWO},k1:${ONE}`;
const OWNER = 'sub_1';

describe('the text of a ring', () => {
  test('is a plain value, which is k1, or keys with ids, separated by commas or line ends', () => {
    const keys = [
      { id: 'k2', value: TWO },
      { id: 'k1', value: ONE },
    ];
    assert.deepEqual(parseKeys(ONE), [{ id: 'k1', value: ONE }]);
    for (const text of [BOTH, `k2:${TWO}\nk1:${ONE}\n`, ` k2:${TWO}, k1:${ONE}`.trim()]) {
      assert.deepEqual(parseKeys(text), keys, text);
    }
    assert.deepEqual(parseKeys('a:b,c'), [{ id: 'k1', value: 'a:b,c' }]);
  });

  test('has long values, and each id and each value once', () => {
    for (const text of [ONE, BOTH]) assert.equal(keysFault(text, 32), null);
    assert.match(keysFault('short', 32) ?? '', /^must have at least 32 characters\.$/);
    assert.match(keysFault(`k2:short,k1:${ONE}`, 32) ?? '', /in each key; k2 has fewer/);
    assert.match(keysFault(`k1:${TWO},k1:${ONE}`, 32) ?? '', /same key id twice/);
    assert.match(keysFault(`k2:${ONE},k1:${ONE}`, 32) ?? '', /same value under two key ids/);
    assert.match(keysFault(`k2:${TWO},${ONE}`, 32) ?? '', /must be one value, or several/);
  });

  test('names the keys that the first one replaces: none that is configured in advance', () => {
    assert.deepEqual(
      ringOf(BOTH).replaced.map(({ id }) => id),
      ['k1'],
    );
    assert.deepEqual(ringOf(`k1:${ONE},k2:${TWO}`).replaced, []);
    assert.equal(ringOf(BOTH).oldest.id, 'k1');
  });
});

test('what is derived follows the key that is written under', () => {
  const ring = ringOf(BOTH);
  const derived = new Derived(ring, (value, id) => `${id} ${value.length}`);
  assert.equal(derived.writing, `k2 ${TWO.length}`);
  ring.writeUnder('k1');
  assert.equal(derived.writing, `k1 ${ONE.length}`);
  assert.throws(() => ring.writeUnder('k3'), MissingKey);
  ring.addRetired({ id: 'k3', value: 'x' });
  assert.throws(() => derived.of('k3'), MissingKey);
  assert.equal(derived.known('k3'), 'k3 1');
  assert.equal(derived.usable.length, 2);
  assert.equal(derived.all.length, 3);
});

describe('an encrypted secret', () => {
  const [before, both, after] = [createVault(ONE), createVault(BOTH), createVault(`k2:${TWO}`)];

  test('is read with the key that it names', () => {
    for (const vault of [before, both]) assert.equal(vault.open(before.seal('x', OWNER), OWNER), 'x');
    for (const vault of [after, both]) assert.equal(vault.open(both.seal('x', OWNER), OWNER), 'x');
    assert.throws(() => before.open(both.seal('x', OWNER), OWNER), /the key k2 is needed/);
    assert.throws(() => after.open(before.seal('x', OWNER), OWNER), /the key k1 is needed/);
  });

  test('is not read with a retired key', () => {
    const ring = ringOf(`k2:${TWO}`);
    ring.addRetired({ id: 'k1', value: ONE });
    assert.throws(() => createVault(ring).open(before.seal('x', OWNER), OWNER), MissingKey);
  });
});

describe('a PIN', () => {
  const [before, both, after] = [pinHasher(ONE), pinHasher(BOTH), pinHasher(`k2:${TWO}`)];
  const old = before.make(OWNER, '1234');

  test('matches under the pepper that it names', () => {
    assert.equal(old.hash.length, 32);
    assert.equal(both.matches(OWNER, '1234', old), true);
    assert.equal(both.matches(OWNER, '1235', old), false);
    assert.equal(both.isCurrent(old), false);
    assert.throws(() => after.matches(OWNER, '1234', old), MissingKey);
  });

  test('that is wrapped needs both peppers, and is wrapped once', () => {
    const hash = both.wrap(old.hash) ?? assert.fail('it was not wrapped');
    const wrapped = { salt: old.salt, hash };
    assert.equal(both.matches(OWNER, '1234', wrapped), true);
    assert.equal(both.matches(OWNER, '1235', wrapped), false);
    assert.equal(both.wrap(hash), null);
    for (const hasher of [before, after]) assert.throws(() => hasher.matches(OWNER, '1234', wrapped), MissingKey);
  });

  test('that is made again needs the new pepper alone', () => {
    const again = { salt: old.salt, hash: both.remake(OWNER, '1234', old) };
    assert.equal(both.isCurrent(again), true);
    assert.equal(after.matches(OWNER, '1234', again), true);
    assert.equal(after.matches('sub_2', '1234', again), false);
  });
});

test('a cash-out code is derived again and found under the key that it was made with', () => {
  const [before, both] = [createCodeKeys(ONE), createCodeKeys(BOTH)];
  const code = before.derive('hold', 0);
  assert.equal(both.deriveAgain(before.id, 'hold', 0), code);
  assert.notEqual(both.derive('hold', 0), code);
  assert.equal(createCodeKeys(`k2:${TWO}`).deriveAgain(before.id, 'hold', 0), null);
  assert.ok(both.hashes(OWNER, code).some((hash) => hash.equals(before.hash(OWNER, code))));
  assert.equal(both.fingerprint('+23276000001', code), before.fingerprint('+23276000001', code));
  assert.equal(both.masterKeyId(before.id), 'k1');
});
