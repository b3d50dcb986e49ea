// The numbers of cases, which people read out: the year, six random digits and a check digit.
import { randomInt } from 'node:crypto';
import { luhnCheckDigit } from '../../kernel/account-number.ts';

/** Random, so that a number does not tell how many complain. */
export function newCaseNumber(now: number): string {
  const body = String(randomInt(1_000_000)).padStart(6, '0');
  return `C-${new Date(now).getUTCFullYear()}-${body}${luhnCheckDigit(body)}`;
}

const NUMBER = /^c?[\s-]*(\d{4})[\s-]*(\d{7})$/i;

/** A number as somebody typed it: c 2026 4817362. The text itself if it is not one. */
export function readCaseNumber(text: string): string {
  const [, year, digits] = NUMBER.exec(text.trim()) ?? [];
  return year === undefined ? text : `C-${year}-${digits}`;
}
