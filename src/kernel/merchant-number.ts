// Merchant numbers: seven digits that a payer types, the last of which is a Luhn check digit.
import { randomInt } from 'node:crypto';
import { hasLuhnDigit, luhnCheckDigit } from './account-number.ts';

const NUMBER = /^[1-9]\d{6}$/;

/** Random, so that merchant numbers do not reveal the number of merchants. */
export function newMerchantNumber(): string {
  const body = String(randomInt(100_000, 1_000_000));
  return body + luhnCheckDigit(body);
}

/** The digits of a number as a person types it, in groups or not. Null: there is no such number, for example a mistyped one. */
export function readMerchantNumber(text: string): string | null {
  const digits = text.replaceAll(/[\s-]/g, '');
  return NUMBER.test(digits) && hasLuhnDigit(digits) ? digits : null;
}

/** 123 4567 */
export function groupedMerchantNumber(number: string): string {
  return `${number.slice(0, 3)} ${number.slice(3)}`;
}
