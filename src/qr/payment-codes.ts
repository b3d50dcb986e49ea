// What a payer scans: the static code of a merchant and the code of one payment request.
import { hasLuhnDigit } from '../kernel/account-number.ts';
import { readMerchantNumber } from '../kernel/merchant-number.ts';
import { asciiName } from './ascii.ts';
import { type EmvObject, emvText, readEmv, readObjects } from './emv.ts';

/** How the operator's merchants are identified: QR_GUID and QR_TEMPLATE. */
export interface QrScheme {
  guid: string;
  /** The id of the template with the merchant's number. */
  template: number;
}

export interface Payee {
  name: string;
  /** Null: the payee is a person. */
  merchantNumber: string | null;
}

export interface CodedRequest {
  /** Ten digits. */
  code: string;
  /** In minor units. Null: the payer enters it. */
  amount: number | null;
  payee: Payee;
}

/** The id that a scanned text contains. Everything else in it is only for display. */
export type PaymentCode = { kind: 'merchant'; number: string } | { kind: 'request'; code: string };

const [STATIC, DYNAMIC] = ['11', '12'];
/** ISO 18245 has no code for an unknown trade. Schemes with such merchants use this one. */
const MERCHANT_CATEGORY = '0000';
/** ISO 4217 and ISO 3166. */
const [LEONE, SIERRA_LEONE] = ['925', 'SL'];
/** A merchant's town is not on record. */
const CITY = 'Sierra Leone';
const [NAME_LENGTH, AMOUNT_LENGTH] = [25, 13];
/** Templates that do not belong to card schemes. */
const [FIRST_TEMPLATE, LAST_TEMPLATE] = [26, 51];
const [GUID, NUMBER, CODE] = ['00', '01', '02'];
const REQUEST_CODE = /^0\d{9}$/;

/** Valid as long as the merchant keeps its number. The payer enters the amount. */
export function staticQr(scheme: QrScheme, merchant: Payee): string {
  return emvText([['01', STATIC], account(scheme, merchant, null), ...details(merchant, null)]);
}

export function requestQr(scheme: QrScheme, { code, amount, payee }: CodedRequest): string {
  const reference: EmvObject = ['62', [['05', code]]];
  return emvText([['01', DYNAMIC], account(scheme, payee, code), ...details(payee, amount), reference]);
}

function account({ guid, template }: QrScheme, { merchantNumber }: Payee, code: string | null): EmvObject {
  return [
    String(template),
    [
      [GUID, guid],
      [NUMBER, merchantNumber],
      [CODE, code],
    ],
  ];
}

function details({ name }: Payee, amount: number | null): EmvObject[] {
  return [
    ['52', MERCHANT_CATEGORY],
    ['53', LEONE],
    ['54', amount === null ? null : decimal(amount)],
    ['58', SIERRA_LEONE],
    ['59', asciiName(name, NAME_LENGTH) || 'Merchant'],
    ['60', CITY],
  ];
}

/** 1250.00. Null if it is too long: the payer's wallet looks the amount up in any case. */
function decimal(amount: number): string | null {
  const digits = String(amount).padStart(3, '0');
  const text = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return text.length > AMOUNT_LENGTH ? null : text;
}

/** Null: the text is no payment code of this operator. The template's id may differ, because QR_TEMPLATE can change. */
export function readPaymentCode({ guid }: Pick<QrScheme, 'guid'>, text: string): PaymentCode | null {
  const objects = readEmv(text.trim());
  for (const [id, value] of objects ?? []) {
    if (Number(id) < FIRST_TEMPLATE || Number(id) > LAST_TEMPLATE) continue;
    const template = readObjects(value);
    if (template?.get(GUID)?.toLowerCase() === guid.toLowerCase()) return codeIn(template);
  }
  return null;
}

function codeIn(template: Map<string, string>): PaymentCode | null {
  const [typed, code] = [template.get(NUMBER), template.get(CODE)];
  if (code !== undefined) return REQUEST_CODE.test(code) && hasLuhnDigit(code) ? { kind: 'request', code } : null;
  const number = typed === undefined ? null : readMerchantNumber(typed);
  return number === null ? null : { kind: 'merchant', number };
}
