// The printable receipt of a card payment, for the customer.
import { iso } from '../../kernel/clock.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { Receipt } from '../../payments/plan.ts';

export interface Sale {
  businessName: string;
  merchantId: string;
  /** Null in an app. */
  terminalId: string | null;
  cardSerial: string;
  /** AUTHORIZED: the amount is reserved, and not paid yet. */
  status: 'APPROVED' | 'AUTHORIZED' | 'CAPTURED';
  /** Of a captured payment: what the authorisation's slip says too. */
  code?: string;
}

/** Characters per line of 58 mm paper in the standard printer font. */
export const WIDTH = 32;
const RULE = '-'.repeat(WIDTH);

/** Shows the customer's fee but not the merchant's. */
export function receiptOf(sale: Sale, done: Receipt): string {
  const { businessName, merchantId, terminalId, cardSerial, status } = sale;
  const { amount, payerFee, transactionId } = done;
  const { code = authorizationCode(transactionId) } = sale;
  const charged =
    payerFee > 0 ? [...pair('Fee', formatMoney(payerFee)), ...pair('TOTAL', formatMoney(amount + payerFee))] : [];
  return [
    ...wrapped(businessName).map(centred),
    ...pair('Merchant', merchantId),
    ...(terminalId === null ? [] : pair('Terminal', terminalId)),
    `${iso(done.at).slice(0, 19).replace('T', ' ')} UTC`,
    RULE,
    ...pair('Card', `****${cardSerial.replaceAll(/[^A-Z0-9]/g, '').slice(-4)}`),
    ...pair(status === 'AUTHORIZED' ? 'Authorisation' : 'Purchase', formatMoney(amount)),
    ...charged,
    RULE,
    ...pair(status, code),
    ...wrapped(transactionId),
  ].join('\n');
}

/** The last characters of the transaction id, which are random. A receipt thus identifies its transaction. */
export function authorizationCode(transactionId: string): string {
  return transactionId.slice(-6);
}

/** Left and right aligned on one line, or on separate lines if they do not fit. */
function pair(left: string, right: string): string[] {
  const gap = WIDTH - lengthOf(left) - lengthOf(right);
  return gap > 0 ? [left + ' '.repeat(gap) + right] : [left, ...wrapped(right)];
}

function centred(line: string): string {
  return ' '.repeat((WIDTH - lengthOf(line)) >> 1) + line;
}

/** Breaks at white space. A word longer than a line is split. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).flatMap(splitLongWord)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && lengthOf(longer) <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function splitLongWord(word: string): string[] {
  if (word.length <= WIDTH) return word === '' ? [] : [word];
  const letters = [...word];
  const count = Math.ceil(letters.length / WIDTH);
  return Array.from({ length: count }, (_, n) => letters.slice(n * WIDTH, (n + 1) * WIDTH).join(''));
}

/** Text in which every character is one UTF-16 unit: the common case. */
const PLAIN = /^[\0-\ud7ff]*$/;

/** In characters, not in UTF-16 units. */
function lengthOf(text: string): number {
  return PLAIN.test(text) ? text.length : [...text].length;
}
