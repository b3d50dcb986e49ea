// Cursors: round trip, and rejection of any other text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCursor, writeCursor } from './cursor.ts';

test('reads back the cursors it wrote and rejects any other text', () => {
  const cursors = [
    { position: '1772366400000001', total: 0, isMinimum: false },
    { position: 'txn_01KJN3M4PQRSTVWXYZ0123456A', total: 1_000_000, isMinimum: true, left: 7 },
  ];
  for (const cursor of cursors) assert.deepEqual(readCursor(writeCursor(cursor)), cursor);
  const text = writeCursor({ position: '5', total: 1 });
  for (const other of ['', 'x', `${text}=`, ` ${text}`, Buffer.from('5.1.1.1').toString('base64url')]) {
    assert.equal(readCursor(other), null, other);
  }
  fc.assert(fc.property(fc.string(), (random) => readCursor(random) === null || random.length > 3));
});
