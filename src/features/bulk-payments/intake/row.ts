// Reads the columns of a row. What is wrong with a column makes the whole file invalid; a number that is no phone number
// makes only its row invalid, so that the payer sees all of them at once.
import { TEXT_RULES } from '../../../http/validation.ts';
import { KYC_LIMITS } from '../../../kernel/kyc.ts';
import { formatMoney, parseDecimal } from '../../../kernel/money.ts';
import type { PhoneReader } from '../../../kernel/phone.ts';
import { tidy } from '../../../kernel/text.ts';
import type { BulkRow } from '../types.ts';
import { FileFault, shown } from './fault.ts';

export const COLUMNS = ['reference', 'phone_number', 'account_number', 'name', 'amount', 'description'] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** The texts of a row's columns; empty or absent: none. */
export type Fields = Partial<Record<ColumnName, string>>;

/** A row as it is stored, without what checking finds. */
export type FileRow = Pick<
  BulkRow,
  'line' | 'reference' | 'phone_number' | 'account_number' | 'given_name' | 'amount' | 'description' | 'reason'
>;

/** A row with this number cannot be paid; its reason is known before checking. */
export const INVALID_PHONE = 'INVALID_PHONE_NUMBER';

const MAX_CHARACTERS = { reference: 100, name: 100, description: 500, phone_number: 32, account_number: 32 } as const;
const LEONES = { separator: '.', maxDecimals: 2 } as const;
/** No wallet holds more. */
const MAX_AMOUNT = Math.max(...Object.values(KYC_LIMITS).map(({ maxBalance }) => maxBalance));
const FORMULA = /^[\s'"]*[=+\-@＝＋－＠]/;
const PHONE_SHAPE = /^\+?[\d\s().\-/]+$/;

export interface Place {
  /** Of a CSV file, or the number of the row in JSON. */
  line: number;
  unit: 'Line' | 'Row';
}

export function readRow(fields: Fields, place: Place, phone: PhoneReader): FileRow {
  const sentPhone = text(fields, 'phone_number', place);
  const account_number = text(fields, 'account_number', place);
  if ((sentPhone === null) === (account_number === null)) {
    const found = sentPhone === null ? 'both are empty' : 'both are given';
    throw faultAt(place, 'phone_number', `exactly one of phone_number and account_number is needed, and ${found}.`);
  }
  const phone_number = sentPhone === null ? null : phone(sentPhone);
  return {
    line: place.line,
    reference: required(fields, 'reference', place),
    phone_number: phone_number ?? sentPhone,
    account_number,
    given_name: text(fields, 'name', place),
    amount: amountIn(fields, place),
    description: text(fields, 'description', place),
    reason: sentPhone !== null && phone_number === null ? INVALID_PHONE : null,
  };
}

function required(fields: Fields, column: 'reference', place: Place): string {
  const found = text(fields, column, place);
  if (found === null) throw faultAt(place, column, 'it is empty.');
  return found;
}

function text(fields: Fields, column: Exclude<ColumnName, 'amount'>, place: Place): string | null {
  const sent = fields[column];
  if (sent === undefined || sent === '') return null;
  const found = tidy(sent);
  if (found === '') return null;
  const isPhone = column === 'phone_number' && PHONE_SHAPE.test(found) && !found.startsWith('-');
  if (!isPhone && FORMULA.test(found)) {
    throw faultAt(place, column, `${shown(found)} begins like a formula (=, +, - or @).`);
  }
  if (!TEXT_RULES.line.accepts.test(found) || !found.isWellFormed()) {
    throw faultAt(place, column, `${shown(found)} is not one line of visible text.`);
  }
  const most = MAX_CHARACTERS[column];
  if (found.length > most) throw faultAt(place, column, `it is longer than ${most} characters.`);
  return found;
}

function amountIn({ amount = '' }: Fields, place: Place): number {
  const sent = amount.trim();
  const minorUnits = parseDecimal(sent, LEONES);
  if (minorUnits === null) {
    throw faultAt(place, 'amount', `${shown(sent)} is not an amount in leones such as 1250 or 1250.50.`);
  }
  if (minorUnits === 0) throw faultAt(place, 'amount', 'it must be more than zero.');
  if (minorUnits > MAX_AMOUNT) {
    throw faultAt(place, 'amount', `${shown(sent)} is more than any wallet holds (${formatMoney(MAX_AMOUNT)}).`);
  }
  return minorUnits;
}

export function faultAt({ line, unit }: Place, column: string, problem: string): FileFault {
  return new FileFault(`${unit} ${line}, column ${column}: ${problem}`);
}
