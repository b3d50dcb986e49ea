// The GSM 7-bit alphabet: an SMS holds 160 of its characters, but only 70 if a single one is missing from it.
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Each takes the place of two. */
const EXTENDED = '^{}\\[~]|€';

const BASIC_SET = new Set(BASIC);
const EXTENDED_SET = new Set(EXTENDED);

/** What Krio and typists write, in letters that the alphabet has. */
const REPLACED: Record<string, string> = {
  ɛ: 'e',
  Ɛ: 'E',
  ɔ: 'o',
  Ɔ: 'O',
  ŋ: 'ng',
  Ŋ: 'Ng',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '\t': ' ',
  '\u00A0': ' ',
};

/** The places that the text takes in the alphabet; null if a character is missing from it. */
export function gsmLength(text: string): number | null {
  let length = 0;
  for (const character of text) {
    if (BASIC_SET.has(character)) length += 1;
    else if (EXTENDED_SET.has(character)) length += 2;
    else return null;
  }
  return length;
}

/** Without accents that the alphabet lacks, and a question mark for every other character that it lacks. */
export function toGsm(text: string): string {
  return [...text.normalize('NFC')].map(toGsmCharacter).join('');
}

function toGsmCharacter(character: string): string {
  if (BASIC_SET.has(character) || EXTENDED_SET.has(character)) return character;
  const replaced = REPLACED[character];
  if (replaced !== undefined) return replaced;
  const [letter = ''] = character.normalize('NFD');
  return BASIC_SET.has(letter) ? letter : '?';
}
