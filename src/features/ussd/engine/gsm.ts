// The GSM 7-bit alphabet (3GPP TS 23.038): how long a text is on the air, and how any text is written in it.

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Each takes two places. */
const EXTENDED = new Set('^{}\\[~]|€');

/** Letters of Krio and of other languages of the country, and the punctuation of word processors. */
const REPLACED: Record<string, string> = {
  ...{ ɛ: 'e', Ɛ: 'E', ɔ: 'o', Ɔ: 'O', ŋ: 'ng', Ŋ: 'Ng', ɓ: 'b', Ɓ: 'B', ɗ: 'd', Ɗ: 'D', ƙ: 'k', Ƙ: 'K' },
  ...{ '’': "'", '‘': "'", '“': '"', '”': '"', '–': '-', '—': '-', '‐': '-', '‑': '-', '…': '...', '\u00A0': ' ' },
};

/** Null: a character is not in the alphabet, and a page with it would hold 80 characters at most. */
export function septets(text: string): number | null {
  let length = 0;
  for (const character of text) {
    if (BASIC.has(character)) length += 1;
    else if (EXTENDED.has(character)) length += 2;
    else return null;
  }
  return length;
}

/** Names and other texts that people typed, on one line. */
export function gsmText(text: string): string {
  return [...text.replace(/\s+/g, ' ')].map(gsmCharacter).join('').trim();
}

function gsmCharacter(character: string): string {
  if (BASIC.has(character)) return character;
  const replaced = REPLACED[character];
  if (replaced !== undefined) return replaced;
  const base = character.normalize('NFD').replace(/\p{M}+/gu, '');
  if (base === '') return '';
  return BASIC.has(base) ? base : '?';
}

/** At most so many places; what is cut ends with a dot. */
export function clipped(text: string, length: number): string {
  const plain = gsmText(text);
  return plain.length <= length ? plain : `${plain.slice(0, length - 1).trimEnd()}.`;
}
