// Text for the standard PDF fonts: letters they lack are replaced.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable } from './text.ts';

test('replaces letters that the fonts lack with the nearest ones, and line breaks with spaces', () => {
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
  for (const [text, expected] of cases) assert.equal(printable(text), expected);
});
