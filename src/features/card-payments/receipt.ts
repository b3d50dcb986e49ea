// The receipt of a purchase: a block of short lines, ready to print, in the customer's words.
import { iso } from '../../kernel/clock.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { Receipt } from '../../payments/payment.ts';

export interface Sale {
  businessName: string;
  merchantId: string;
  /** Null in an app. */
  terminalId: string | null;
  cardSerial: string;
}

/** What paper rolls of 58 mm take, in the font every printer has. */
export const WIDTH = 32;
const RULE = '-'.repeat(WIDTH);

/** The merchant's fee is the merchant's business: only what the customer bore is on it. */
export function receiptOf({ businessName, merchantId, terminalId, cardSerial }: Sale, done: Receipt): string {
  const { amount, payerFee, transactionId } = done;
  const charged =
    payerFee > 0 ? [...pair('Fee', formatMoney(payerFee)), ...pair('TOTAL', formatMoney(amount + payerFee))] : [];
  return [
    ...wrapped(businessName).map(centred),
    ...pair('Merchant', merchantId),
    ...(terminalId === null ? [] : pair('Terminal', terminalId)),
    `${iso(done.at).slice(0, 19).replace('T', ' ')} UTC`,
    RULE,
    ...pair('Card', `****${cardSerial.replaceAll(/[^A-Z0-9]/g, '').slice(-4)}`),
    ...pair('Purchase', formatMoney(amount)),
    ...charged,
    RULE,
    ...pair('APPROVED', authorizationCode(transactionId)),
    ...wrapped(transactionId),
  ].join('\n');
}

/** The end of the transaction's id, which is its random part: whoever has the slip can find the transaction. */
export function authorizationCode(transactionId: string): string {
  return transactionId.slice(-6);
}

/** Left and right on one line; where that is too long, the right one begins a line of its own. */
function pair(left: string, right: string): string[] {
  const gap = WIDTH - lengthOf(left) - lengthOf(right);
  return gap > 0 ? [left + ' '.repeat(gap) + right] : [left, ...wrapped(right)];
}

function centred(line: string): string {
  return ' '.repeat((WIDTH - lengthOf(line)) >> 1) + line;
}

/** At blanks where there are any; a word longer than a line is cut. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).flatMap(pieces)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && lengthOf(longer) <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function pieces(word: string): string[] {
  if (word.length <= WIDTH) return word === '' ? [] : [word];
  const letters = [...word];
  const count = Math.ceil(letters.length / WIDTH);
  return Array.from({ length: count }, (_, n) => letters.slice(n * WIDTH, (n + 1) * WIDTH).join(''));
}

/** What JavaScript counts as one each: nearly everything that is written anywhere. */
const PLAIN = /^[\0-\ud7ff]*$/;

/** In characters, not in the units JavaScript counts. */
function lengthOf(text: string): number {
  return PLAIN.test(text) ? text.length : [...text].length;
}
