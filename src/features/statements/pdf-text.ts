// Text for the fonts that every PDF reader has: they know the letters of western Europe and no others.

/** Letters of the country's languages that have a near relative. */
const RELATIVES: Record<string, string> = {
  ɛ: 'e',
  Ɛ: 'E',
  ɔ: 'o',
  Ɔ: 'O',
  ŋ: 'n',
  Ŋ: 'N',
  ɓ: 'b',
  Ɓ: 'B',
  ɗ: 'd',
  Ɗ: 'D',
  ɣ: 'g',
  '‑': '-',
  '−': '-',
};

const KNOWN = /^[\x20-\x7e\u00a1-\u00ff–—‘’“”•…€™]$/u;

/** On one line, and in letters that can be drawn: as it is, or without its accents, or a relative, or a question mark. */
export function printable(text: string): string {
  return [...text.normalize('NFC').replace(/\s+/gu, ' ')].map(drawable).join('');
}

function drawable(letter: string): string {
  if (KNOWN.test(letter)) return letter;
  const base = letter.normalize('NFD').charAt(0);
  const known = RELATIVES[letter] ?? RELATIVES[base] ?? base;
  // An accent on its own, a picture or a control character has no place; anything else is at least seen to be there.
  if (/^[\p{M}\p{C}\p{Extended_Pictographic}]$/u.test(letter)) return '';
  return KNOWN.test(known) ? known : '?';
}
