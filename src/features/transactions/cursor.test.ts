// Tests that cursors keep their content, reveal none of it, and are not accepted once altered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVault } from '../../auth/vault.ts';
import { createCursors } from './cursor.ts';

const cursors = createCursors(createVault('a master key for the cursors of a test'));
const ID = 'txn_01HZXJ8K3N5P7Q9R1S3T5V7W9X';

test('a cursor reads back as it was written', () => {
  for (const cursor of [
    { position: '12', total: 30, isMinimum: false },
    { position: ID, total: 30, isMinimum: true, left: 7 },
  ]) {
    assert.deepEqual(cursors.read(cursors.write(cursor)), cursor);
  }
});

test("a cursor does not show a movement's id", () => {
  const text = cursors.write({ position: ID, total: 30 });
  assert.ok(!Buffer.from(text, 'base64url').toString('latin1').includes(ID.slice(-6)));
});

test('text that is not a genuine cursor is not read', () => {
  const text = cursors.write({ position: '12', total: 30 });
  const plain = Buffer.from('12.30', 'latin1').toString('base64url');
  for (const other of ['', 'x', plain, `${text}=`, `${text.slice(0, -2)}AA`, text.slice(1)]) {
    assert.equal(cursors.read(other), null, other);
  }
});
