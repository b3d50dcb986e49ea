// Recognizes a message that may be a PIN: four digits of any script, with no letter beside them.

// All but letters and numbers, such as spaces, marks, punctuation and what chats use for bold text; and letters without a shape.
const OTHERS = /[^\p{L}\p{N}]+|\p{Default_Ignorable_Code_Point}+/gu;
const FOUR_DIGITS = /^\p{N}{4}$/u;

export function isFourDigits(text: string): boolean {
  return (['NFC', 'NFKC'] as const).some((form) => FOUR_DIGITS.test(text.normalize(form).replace(OTHERS, '')));
}

const ANY_FOUR_DIGITS = /(?<!\p{N})\p{N}(?:[\s.-]?\p{N}){3}(?!\p{N})/gu;

/** What is kept of a text that speaks of a PIN: four digits in it are hidden. */
export function withoutPins(text: string): string {
  return /\bpin\b/i.test(text.normalize('NFKC')) ? text.replaceAll(ANY_FOUR_DIGITS, '****') : text;
}
