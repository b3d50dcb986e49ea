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

/** Checks the record after the change, and only if the change affects the level or a required field. */
export function kycRefusal(after: SubscriberRow, changed: readonly string[]): Refusal | null {
  const missing = (REQUIRED[after.kyc_level] ?? []).filter((field) => after[field] === null);
  const touched = changed.includes('kyc_level') || missing.some((field) => changed.includes(field));
  if (missing.length === 0 || !touched) return null;
  return refuse('KYC_REQUIREMENT_MISSING', `KYC level ${after.kyc_level} requires ${missing.join(', ')} on file.`, {
    details: { missing },
  });
}
