// Prepares text for the standard PDF fonts, which contain Western European letters only.

/** Replacements for letters of Sierra Leone's languages. */
const REPLACEMENTS: Record<string, string> = {
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

/** The scripts of the embedded font: Latin with all extensions, phonetic letters, Greek and Cyrillic. */
const EXTENDED = /^[\x20-\x7e\u00a0-\u052f\u1e00-\u1eff\u2010-\u2027\u2030-\u203a€]$/u;

/** Whether the standard fonts have every letter. */
export function isWestern(text: string): boolean {
  return [...text].every((letter) => KNOWN.test(letter));
}

/** For the embedded font: exact, except that letters of other scripts become `?`. */
export function extended(text: string): string {
  return [...text.replace(/\s+/gu, ' ')].map((letter) => (EXTENDED.test(letter) ? letter : drawable(letter))).join('');
}

/** One line of drawable letters. Others lose their accent, are replaced by a similar letter, or become `?`. */
export function printable(text: string): string {
  return [...text.normalize('NFC').replace(/\s+/gu, ' ')].map(drawable).join('');
}

function drawable(letter: string): string {
  if (KNOWN.test(letter)) return letter;
  const base = letter.normalize('NFD').charAt(0);
  const known = REPLACEMENTS[letter] ?? REPLACEMENTS[base] ?? base;
  // Combining marks, pictographs and control characters are removed. Any other unknown letter becomes a question mark.
  if (/^[\p{M}\p{C}\p{Extended_Pictographic}]$/u.test(letter)) return '';
  return KNOWN.test(known) ? known : '?';
}
