// Replaces values that differ between runs, and secrets, by stable values that are obviously invented.
import { stringify } from 'csv-stringify/sync';
import { requestQr } from '../../src/qr/payment-codes.ts';
import { parseCsv } from '../support/csv.ts';
import type { Json } from '../support/gateway.ts';

/** Longer lists are shortened. */
const MAX_ITEMS = 2;

/** By a field's name. The values have the form of the real ones. */
const INVENTED: Record<string, Json> = {
  token: 'eyJhbGciOiJIUzI1NiJ9.EXAMPLE-ACCESS-TOKEN.EXAMPLE-SIGNATURE',
  refresh_token: 'EXAMPLE-REFRESH-TOKEN',
  device_token: 'EXAMPLE-DEVICE-TOKEN',
  challenge: 'EXAMPLE-CHALLENGE',
  quote_id: 'EXAMPLE-QUOTE',
  key: 'svc_EXAMPLE-BEARER-VALUE',
  webhook_secret: 'EXAMPLE-WEBHOOK-SECRET',
  encrypted_pin: 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..EXAMPLE.EXAMPLE.EXAMPLE',
  beneficiary_ref: 'EXAMPLE.BENEFICIARY-REF',
  temporary_password: 'Example-Password-1',
  password: 'Example-Password-1',
  current_password: 'Example-Password-1',
  new_password: 'Example-Password-2',
  otpauth_uri: 'otpauth://totp/Kissi:mariama.bangura@example.com?secret=EXAMPLE&issuer=Kissi',
  qr_code: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
  clientDataJSON: 'EXAMPLE',
  attestationObject: 'EXAMPLE',
  rawId: 'EXAMPLE',
  next_cursor: 'EXAMPLE-CURSOR',
  authorization_code: 'K7M2Q9',
  merchant_number: '1234566',
  pin: '4821',
  current_pin: '4821',
  new_pin: '7305',
  prefix: 'svc_test_EXAM',
  signature: 'EXAMPLE==',
  x: 'EXAMPLE',
  version: '0.5.0',
  uptime_seconds: 86400,
  duration_ms: 38,
  hostname: 'gateway-1',
};

const REQUEST_CODE = '0123456782';
const QR = requestQr(
  { guid: 'sl.kissi.m', template: 26 },
  { code: REQUEST_CODE, amount: 45_000, payee: { name: 'Lumley Beach Grill', merchantNumber: '1234566' } },
);
const ULID = /\b((?:[a-z]+_)+)[0-9A-HJKMNP-TV-Z]{26}\b/g;
/** The receiver of the test. */
const RECEIVER = /http:\/\/127\.0\.0\.1:\d+\/hooks/g;
const RECEIPT_LINK = /\/r\/[\w-]{22}(?![\w-])/g;
const STANDARD_SIGNATURE = /\bv1,[\w+/]{43}=/g;
const HEX = /\b[0-9a-f]{32,}\b/g;
const ACCOUNT_NUMBER = /\b\d{10}\b/g;
const PAYOUT_REFERENCE = /\bPO[0-9A-Z]{12}\b/g;
/** The scenario's times; others are the machine's. */
const SCENARIO_TIME = /^20(26-0[23]|27)/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

export class Normalizer {
  private readonly known = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  value(value: Json, name = ''): Json {
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((each) => this.value(each, name));
    if (value !== null && typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.value(inner, key)]));
    }
    const invented = Object.hasOwn(INVENTED, name) && typeof value === typeof INVENTED[name];
    return invented ? INVENTED[name] : typeof value === 'string' ? this.text(value, name) : value;
  }

  /** The header and the first lines of an export. */
  csv(text: string): string {
    const { columns, rows } = parseCsv(text);
    const lines = rows.slice(0, MAX_ITEMS).map((row) => row.map((cell, n) => this.cell(cell, columns[n])));
    return stringify([columns, ...lines], { record_delimiter: 'windows' });
  }

  /** Lists and objects are JSON in a cell. */
  private cell(cell: string, name = ''): string {
    return /^[[{]/.test(cell) ? JSON.stringify(this.value(JSON.parse(cell), name)) : this.value(cell, name);
  }

  private text(value: string, name: string): string {
    if (name === 'secret') return 'EXAMPLE-SECRET';
    if (name === 'recovery_codes') return 'example-0001';
    if (name === 'id' && /^[\w-]{80,}$/.test(value)) return 'EXAMPLE-QUOTE';
    if (name === 'code' && /^\d{6}$/.test(value)) return '123456';
    if (name === 'code' && /^\d{8}$/.test(value)) return '48210473';
    if (name === 'code' && /^0\d{9}$/.test(value)) return REQUEST_CODE;
    if (name === 'qr') return QR;
    if (name === 'account_number' && value.startsWith('*')) return '******1007';
    if (name === 'id' && /^[\w-]{40,}$/.test(value)) return 'EXAMPLE';
    if (name === 'text') return value.replaceAll(/\b\d{4,6}\b|(?<=for customers: )[\d ]+|(?<=assword: )\S+/g, '…');
    if (TIME.test(value)) return SCENARIO_TIME.test(value) ? value : '2026-01-01T00:00:00.000Z';
    return value
      .replace(/(?<=\/pay\/)[\w-]{22}$/, 'EXAMPLE-TOKEN-EXAMPLE0')
      .replace(RECEIVER, 'https://bank.example/hooks')
      .replace(RECEIPT_LINK, '/r/EXAMPLE-RECEIPT-TOKEN0')
      .replace(ULID, (id, prefix) => this.same(id, prefix, (n) => `${prefix}01KJMXAMP${String(n).padStart(17, '0')}`))
      .replaceAll(STANDARD_SIGNATURE, 'v1,EXAMPLE=')
      .replace(HEX, (hex) => 'e0'.repeat(hex.length / 2))
      .replace(ACCOUNT_NUMBER, (number) => this.accountNumber(number, name))
      .replace(PAYOUT_REFERENCE, 'POEXAMPLE00001')
      .replace(/(?<=APPROVED +)\w{6}/, 'K7M2Q9');
  }

  /** Other fields have numbers of ten digits too. */
  private accountNumber(number: string, name: string): string {
    const isKnown = name === 'account_number' || this.known.has(number);
    return isKnown ? this.same(number, 'account', accountNumber) : number;
  }

  /** The same value has the same replacement everywhere. Each kind is counted separately. */
  private same(value: string, kind: string, replacement: (n: number) => string): string {
    const known = this.known.get(value);
    if (known !== undefined) return known;
    const n = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, n);
    this.known.set(value, replacement(n));
    return replacement(n);
  }
}

/** Ten digits, the last one a Luhn check digit. */
function accountNumber(n: number): string {
  const digits = `64834${String(n).padStart(4, '0')}`;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
