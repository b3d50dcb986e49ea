// Reads a search's text: what it could be, in the stored form of each identifier.
import { readMerchantNumber } from '../../kernel/merchant-number.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import { tidy } from '../../kernel/text.ts';
import type { SlipText } from '../../ledger/queries/movement-by-slip.ts';
import { readSerial, readSerialPrefix } from '../../parties/card.ts';

/** Each field is null if the text cannot be one. */
export interface SearchText {
  text: string;
  /** E.164. */
  phoneNumber: string | null;
  accountNumber: string | null;
  part: NumberPart | null;
  merchantNumber: string | null;
  serial: string | null;
  serialStart: string | null;
  /** A record's id. */
  id: string | null;
  slip: SlipText;
}

/** The first or last digits of a phone number, or the first ones of an account number. */
export interface NumberPart {
  /** E.164. */
  phoneStart: string | null;
  digits: string;
}

export interface PhoneReaders {
  phone: PhoneReader;
  phoneStart: PhoneReader;
}

const MIN_CHARACTERS = 3;
/** With fewer, a part of a number says nothing. */
const PART = /^\d{4,14}$/;
const ID = /^([a-z]+)_([0-9a-z]{26})$/i;
const ACCOUNT_NUMBER = /^\d{10}$/;
const AUTHORIZATION_CODE = /^[0-9A-Za-z]{6}$/;

/** Null for text that is too short to search for. */
export function readSearch(q: string, read: PhoneReaders): SearchText | null {
  const text = tidy(q);
  if ([...text].length < MIN_CHARACTERS) return null;
  const digits = text.replaceAll(/[\s-]/g, '');
  const [, prefix = '', rest = ''] = ID.exec(text) ?? [];
  const id = prefix === '' ? null : `${prefix.toLowerCase()}_${rest.toUpperCase()}`;
  return {
    text,
    phoneNumber: read.phone(text),
    accountNumber: ACCOUNT_NUMBER.test(digits) ? digits : null,
    part: partOf(digits, read.phoneStart(text)),
    merchantNumber: readMerchantNumber(text),
    serial: readSerial(text),
    serialStart: readSerialPrefix(text),
    id,
    slip: {
      movementId: id?.startsWith('txn_') ? id : null,
      // The reference of a settlement may be any line of text.
      reference: text,
      authorizationCode: AUTHORIZATION_CODE.test(text) ? text.toUpperCase() : null,
    },
  };
}

function partOf(typed: string, phoneStart: string | null): NumberPart | null {
  const digits = typed.replace(/^\+/, '');
  return PART.test(digits) ? { phoneStart, digits } : null;
}
