// Recognizes a message that may be a PIN: four digits of any script and nothing else that can be seen.

// Spaces, control and format characters, and marks such as those that turn a digit into a keycap.
const INVISIBLE = /[\s\p{Z}\p{C}\p{M}]+/gu;
const FOUR_DIGITS = /^\p{Nd}{4}$/u;

export function isFourDigits(text: string): boolean {
  return FOUR_DIGITS.test(text.normalize('NFKC').replace(INVISIBLE, ''));
}
