// Names in the letters that every QR scanner shows: ASCII.

/** Letters that are no letter with an accent. */
const SIMILAR: Record<string, string> = {
  ...{ ɛ: 'e', Ɛ: 'E', ɔ: 'o', Ɔ: 'O', ŋ: 'ng', Ŋ: 'Ng', ɓ: 'b', Ɓ: 'B', ɗ: 'd', Ɗ: 'D', ɣ: 'gh', Ɣ: 'Gh' },
  ...{ ß: 'ss', æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i' },
  ...{ '’': "'", '‘': "'", '“': '"', '”': '"', '–': '-', '—': '-', '‑': '-', '…': '...' },
};

/** At most `length` characters, cut off after a word if that leaves at least half. Empty: none of its letters has an equivalent. */
export function asciiName(text: string, length: number): string {
  const letters = [...text.normalize('NFKD')].map((letter) => SIMILAR[letter] ?? letter).join('');
  const name = letters
    .replaceAll(/[^\x20-\x7e]/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
  if (name.length <= length) return name;
  const words = name.slice(0, length + 1).replace(/ [^ ]*$/, '');
  return words.length >= length / 2 && words.length <= length ? words : name.slice(0, length).trimEnd();
}
