// Checks of subscribers' fields: phone numbers, dates of birth, and what each KYC level requires.
import { isCalendarDay } from '../../http/fields.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { SubscriberRow } from './record.ts';

const EARLIEST_BIRTH = '1900-01-01';

export function readPhone(text: string, phone: PhoneReader): string | Refusal {
  return phone(text) ?? refuse('INVALID_REQUEST', 'phone_number is not a telephone number.');
}

export function birthRefusal(day: string | undefined, clock: Clock): Refusal | null {
  if (day === undefined) return null;
  if (isCalendarDay(day) && day >= EARLIEST_BIRTH && day < iso(clock.now()).slice(0, 10)) return null;
  return refuse('INVALID_REQUEST', 'date_of_birth must be a day in the past, as YYYY-MM-DD.');
}

type FiledField = 'id_number' | 'id_type' | 'id_document_url' | 'address';

/** The fields that each KYC level requires. */
const REQUIRED: Record<number, readonly FiledField[]> = {
  1: [],
  2: ['id_number', 'id_type', 'id_document_url'],
  3: ['id_number', 'id_type', 'id_document_url', 'address'],
};

/** Letters and digits of ASCII, and separators that the function identity_number in PostgreSQL removes. */
const DOCUMENT_NUMBER = /^[ -~\u00a0-\u00bf\u2000-\u206f\u2212\ufeff]*$/;

/**
 * At level 2 and 3 a document number consists of the letters and digits of machine-readable documents. Letters of other
 * alphabets that look the same, and characters without a glyph, would make a second number of one document.
 */
export function documentRefusal(after: SubscriberRow, changed: readonly string[]): Refusal | null {
  const { kyc_level, id_number } = after;
  const affected = changed.includes('id_number') || changed.includes('kyc_level');
  if (kyc_level === 1 || id_number === null || !affected) return null;
  const normalized = id_number.normalize('NFKC');
  if (DOCUMENT_NUMBER.test(normalized) && /[A-Za-z0-9]/.test(normalized)) return null;
  return refuse('INVALID_REQUEST', `id_number must consist of A to Z and digits at KYC level ${kyc_level}.`);
}

/** Checks the record after the change, and only if the change affects the level or a required field. */
export function kycRefusal(after: SubscriberRow, changed: readonly string[]): Refusal | null {
  const missing = (REQUIRED[after.kyc_level] ?? []).filter((field) => after[field] === null);
  const touched = changed.includes('kyc_level') || missing.some((field) => changed.includes(field));
  if (missing.length === 0 || !touched) return null;
  return refuse('KYC_REQUIREMENT_MISSING', `KYC level ${after.kyc_level} requires ${missing.join(', ')} on file.`, {
    details: { missing },
  });
}
