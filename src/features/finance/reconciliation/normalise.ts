// Canonical forms of references and names, so that the spelling of a bank compares with the spelling of the books.

/** What banks write where there is no reference. */
const NO_REFERENCE = new Set(['', 'NONREF', 'NOREF', 'NOTPROVIDED', 'NONE', 'NA', 'NULL', 'NIL', '0']);

/** Letters and digits only, in upper case. Null: no reference that identifies a payment. */
export function referenceOf(text: string | null): string | null {
  const plain = lettersAndDigits(text ?? '');
  return NO_REFERENCE.has(plain) ? null : plain;
}

/** Banks that have room for fewer characters cut a pay-out's reference; with fewer than this, it says too little. */
export const CUT_REFERENCE_LENGTH = 10;
const PAYOUT_REFERENCE = /^PO[0-9A-Z]{12}$/;

/**
 * Completes references of pay-outs that the bank cut, where only one of the open pay-outs has a reference that begins so. Others
 * stay as they are.
 */
export function completeCutReferences(open: Iterable<string | null>): (reference: string | null) => string | null {
  const payouts = [...new Set(open)].filter((each) => each !== null && PAYOUT_REFERENCE.test(each));
  const byStart = Map.groupBy(payouts, (each) => String(each).slice(0, CUT_REFERENCE_LENGTH));
  return (reference) => {
    if (reference === null || reference.length < CUT_REFERENCE_LENGTH) return reference;
    const candidates = byStart.get(reference.slice(0, CUT_REFERENCE_LENGTH)) ?? [];
    const [only, ...others] = candidates.filter((each) => each?.startsWith(reference));
    return only && others.length === 0 ? only : reference;
  };
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
