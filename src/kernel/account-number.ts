// Account numbers: ten digits, the last of which is a Luhn check digit that detects typing errors.
import { randomInt } from 'node:crypto';

const BODY_DIGITS = 9;

export function luhnCheckDigit(body: string): number {
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    const digit = Number(body.charAt(body.length - 1 - i));
    const doubled = i % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return (10 - (sum % 10)) % 10;
}

/** Whether the last digit is the check digit of the others. */
export function hasLuhnDigit(digits: string): boolean {
  return digits.endsWith(String(luhnCheckDigit(digits.slice(0, -1))));
}

/** Random, so that account numbers do not reveal the number of accounts. */
export function newAccountNumber(): string {
  const body = String(randomInt(10 ** (BODY_DIGITS - 1), 10 ** BODY_DIGITS));
  return body + luhnCheckDigit(body);
}
