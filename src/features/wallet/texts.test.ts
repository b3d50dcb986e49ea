// The small pure pieces: cursors, words for movements, letters for PDFs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeEntry } from '../statements/entry-description.ts';
import { printable } from '../statements/pdf-text.ts';
import { readCursor, writeCursor } from '../transactions/cursor.ts';

test('a cursor is read as it was written, and nothing else is one', () => {
  const cursors = [
    { position: '1772366400000001', total: 0, isMinimum: false },
    { position: 'txn_01KJN3M4PQRSTVWXYZ0123456A', total: 1_000_000, isMinimum: true, left: 7 },
  ];
  for (const cursor of cursors) assert.deepEqual(readCursor(writeCursor(cursor)), cursor);
  const text = writeCursor({ position: '5', total: 1 });
  for (const other of ['', 'x', `${text}=`, ` ${text}`, Buffer.from('5.1.1.1').toString('base64url')]) {
    assert.equal(readCursor(other), null, other);
  }
  fc.assert(fc.property(fc.string(), (nonsense) => readCursor(nonsense) === null || nonsense.length > 3));
});

test('a movement is put in the words of who looks at it', () => {
  const cases: [string, boolean, string | null, string][] = [
    ['transfer_p2p', true, 'Aminata K.', 'Transfer to Aminata K.'],
    ['transfer_p2p', false, 'Aminata K.', 'Transfer from Aminata K.'],
    ['transfer_p2p', false, null, 'Transfer'],
    ['wallet_withdraw', true, null, 'Cash withdrawal'],
    ['something_new', true, null, 'Something new'],
    ['something_new', true, 'Rokel', 'Something new, Rokel'],
  ];
  for (const [type, paid, name, words] of cases) assert.equal(describeEntry(type, paid, name), words);
});

test('what the fonts cannot draw becomes what comes nearest, on one line', () => {
  const cases: [string, string][] = [
    ['Sésay – “Öl” 5 € …', 'Sésay – “Öl” 5 € …'],
    ['Kɔnɛ Ŋga', 'Kone Nga'],
    ['e\u0301', 'é'],
    ['Ğül Ž', 'Gül Z'],
    ['a\tb\nc', 'a b c'],
    ['fees 🎓', 'fees '],
    ['漢', '?'],
    ['\u202Ex\u0007', 'x'],
  ];
  for (const [text, drawn] of cases) assert.equal(printable(text), drawn);
});
