// The secrets of test gateways, and the search for a PIN or code in a text.

export const SECRETS = {
  JWT_SECRET: 'test-jwt-secret-0123456789abcdefghijklmnop',
  MASTER_KEY: 'test-master-key-0123456789abcdefghijklmnop',
  PIN_PEPPER: 'test-pin-pepper-0123456789abcdefghijklmnop',
  CLOSE_SIGNING_KEY: 'dGVzdC1jbG9zZS1zaWduaW5nLWtleS0wMTIzNDU2Nzg=',
};

/** Whether the digits of a PIN or code occur as a value. Within a time, an id or a fraction they occur by chance. */
export function containsDigits(text: string, digits: string): boolean {
  return new RegExp(`(?<![\\w.+-]|\\d:)${RegExp.escape(digits)}(?![\\w-]|[.:]\\d)`).test(text);
}
