// Reads whom to pay from what was typed, pasted or scanned.
export type Named =
  | { type: 'transfer'; phone_number: string }
  | { type: 'transfer'; account_number: string }
  | { type: 'merchant'; merchant_number: string }
  | { type: 'merchant'; qr: string }
  | { type: 'payment_request'; code: string }
  | { type: 'payment_request'; payment_request_id: string };

/** The number that the customer typed, to check it against the name. */
export function typedNumber(named: Named): string | null {
  if ('phone_number' in named) return named.phone_number;
  if ('account_number' in named) return named.account_number;
  return 'merchant_number' in named ? named.merchant_number : null;
}

/** Account numbers have ten digits and do not begin with 0; phone numbers here have nine with their 0. */
export function readPerson(text: string): Named | null {
  const plain = text.replace(/[\s().-]/g, '');
  if (/^[1-9]\d{9}$/.test(plain)) return { type: 'transfer', account_number: plain };
  return /^\+?\d{8,15}$/.test(plain) ? { type: 'transfer', phone_number: plain } : null;
}

/** A link to pay, its code, a merchant number, or the text of a QR code. */
export function readPayment(text: string): Named | null {
  const link = /\/pay\/([\w-]{16,64})(?:[?#].*)?$/.exec(text.trim())?.[1];
  if (link) return { type: 'payment_request', code: link };
  if (/^0002\d\d/.test(text.trim()) && text.length > 40) return { type: 'merchant', qr: text.trim() };
  const dialled = /^\*[\d*]*\*(0\d{9})#$/.exec(text.trim())?.[1];
  const plain = dialled ?? text.replace(/[\s.-]/g, '');
  if (/^0\d{9}$/.test(plain)) return { type: 'payment_request', code: plain };
  return /^\d{7}$/.test(plain) ? { type: 'merchant', merchant_number: plain } : null;
}
