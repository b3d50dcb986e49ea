// Normalizes phone numbers and validates dates of birth; refusals name the invalid field.
import { isCalendarDay } from '../../http/fields.ts';
import type { Clock } from '../../kernel/clock.ts';
import { iso } from '../../kernel/clock.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';

const EARLIEST_BIRTH = '1900-01-01';

export function readPhone(text: string, phone: PhoneReader): string | Refusal {
  return phone(text) ?? refuse('INVALID_REQUEST', 'phone_number is not a telephone number.');
}

export function birthRefusal(day: string | null | undefined, clock: Clock): Refusal | null {
  if (day === null || day === undefined) return null;
  if (isCalendarDay(day) && day >= EARLIEST_BIRTH && day < iso(clock.now()).slice(0, 10)) return null;
  return refuse('INVALID_REQUEST', 'date_of_birth must be a day in the past, as YYYY-MM-DD.');
}
