// Canonical forms of references and names, so that the spelling of a bank compares with the spelling of the books.

/** What banks write where there is no reference. */
const NO_REFERENCE = new Set(['', 'NONREF', 'NOREF', 'NOTPROVIDED', 'NONE', 'NA', 'NULL', 'NIL', '0']);

/** Letters and digits only, in upper case. Null: no reference that identifies a payment. */
export function referenceOf(text: string | null): string | null {
  const plain = lettersAndDigits(text ?? '');
  return NO_REFERENCE.has(plain) ? null : plain;
}

/** Null: the name has no letters or digits. */
export function nameOf(text: string | null): string | null {
  return lettersAndDigits(text ?? '') || null;
}

function lettersAndDigits(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Names of counterparties: at most this many words. */
const MAX_WORDS = 8;
/** Shorter names occur in descriptions by chance. */
const MIN_LENGTH = 4;

/**
 * The counterparty of a bank entry: what the bank names, or the one known name that its description contains. Null: none, or the
 * description contains several names of which none contains the others.
 */
export function counterpartyOf(
  { counterparty, description }: { counterparty: string | null; description: string | null },
  known: ReadonlySet<string>,
): string | null {
  const named = nameOf(counterparty);
  if (named !== null && known.has(named)) return named;
  const words = `${counterparty ?? ''} ${description ?? ''}`.split(/[\s,;/|]+/).map(lettersAndDigits);
  const found = new Set<string>();
  for (let start = 0; start < words.length; start += 1) {
    let name = '';
    for (const word of words.slice(start, start + MAX_WORDS)) {
      name += word;
      if (name.length >= MIN_LENGTH && known.has(name)) found.add(name);
    }
  }
  const longest = [...found].reduce((best, name) => (name.length > best.length ? name : best), '');
  if (longest !== '' && [...found].every((name) => longest.includes(name))) return longest;
  return found.size === 0 ? named : null;
}
