// Amounts: the API counts in minor units; people read and write 1,250.50. Integers only, so that no cent is lost.

const DECIMALS = 2;
const WRITTEN = /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?(?: ?([A-Z]{3}))?$/;

/**
 * Reads an amount such as `1250.5`, `1,250.50` or `1,250.50 SLE` as minor units (125050). Throws a RangeError for
 * anything else, such as `1.250,50`, three decimals, or more than a number can hold exactly.
 */
export function parseMoney(text: string, { currency = 'SLE' }: { currency?: string } = {}): number {
  const [, sign, whole, fraction = '', unit = currency] = WRITTEN.exec(text.trim()) ?? [];
  if (whole === undefined) throw new RangeError(`"${text}" is not an amount like 1,250.50`);
  if (unit !== currency) throw new RangeError(`"${text}" is not in ${currency}`);
  const minorUnits = Number(BigInt(`${sign}${whole.replaceAll(',', '')}${fraction.padEnd(DECIMALS, '0')}`));
  if (!Number.isSafeInteger(minorUnits)) throw new RangeError(`"${text}" is too large`);
  return minorUnits;
}

/** Marks that keep their place in text copied from elsewhere, and are not seen. */
const INVISIBLE = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const CURRENCY = /^(?:SLE|NLe|Le)\s*|\s*(?:SLE|NLe|Le)$/gi;
/** Thousands are separated by commas or by spaces, or not at all. */
const TYPED = /^(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\s\d{3})+)(?:\.\d{1,2})?$/;

/**
 * Reads what a person types, such as `1250.5`, `NLe 1,250` or `1 250.50`, as minor units. Null for anything else: in
 * `12,50` nobody knows whether a comma or a digit is wrong.
 */
export function readMoney(text: string): number | null {
  const plain = text.replace(INVISIBLE, '').trim().replace(CURRENCY, '');
  if (!TYPED.test(plain)) return null;
  const [whole = '', fraction = ''] = plain.replace(/[\s,]/g, '').split('.');
  const minorUnits = Number(whole + fraction.padEnd(DECIMALS, '0'));
  return Number.isSafeInteger(minorUnits) && minorUnits > 0 ? minorUnits : null;
}

/** Writes minor units for people: `formatMoney(125050)` is `1,250.50`, and with a currency `1,250.50 SLE`. */
export function formatMoney(minorUnits: number | bigint, { currency }: { currency?: string } = {}): string {
  if (typeof minorUnits === 'number' && !Number.isSafeInteger(minorUnits)) {
    throw new RangeError(`${minorUnits} is not a whole number of minor units`);
  }
  const amount = BigInt(minorUnits);
  const digits = String(amount < 0n ? -amount : amount).padStart(DECIMALS + 1, '0');
  const whole = digits.slice(0, -DECIMALS).replace(/\B(?=(\d{3})+$)/g, ',');
  const written = `${amount < 0n ? '-' : ''}${whole}.${digits.slice(-DECIMALS)}`;
  return currency === undefined ? written : `${written} ${currency}`;
}
