// Whether the name that a payer wrote is that of the wallet's holder, whatever the order, case, accents and middle names.

/** Letters of Krio and Mende that people replace on keyboards without them. */
const REPLACED: Record<string, string> = { ɛ: 'e', ɔ: 'o', ŋ: 'n', ɓ: 'b', ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', đ: 'd' };

function wordsIn(name: string): string[] {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ɛɔŋɓßæøłđ]/g, (letter) => REPLACED[letter] ?? letter)
    .replace(/['’‘`´]/g, '');
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/**
 * All words of the shorter name must be words of the longer one, each once, and at least two: a family name alone fits too
 * many people. A holder with a single name matches that name.
 */
export function namesMatch(given: string, holder: { first_name: string; last_name: string }): boolean {
  const [sent, stored] = [wordsIn(given), wordsIn(`${holder.first_name} ${holder.last_name}`)];
  if (sent.join('') === stored.join('') && sent.length > 0) return true;
  const [shorter, longer] = sent.length < stored.length ? [sent, stored] : [stored, [...sent]];
  if (shorter.length < Math.min(2, stored.length) || shorter.length === 0) return false;
  const left = [...longer];
  return shorter.every((word) => {
    const at = left.indexOf(word);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
}
