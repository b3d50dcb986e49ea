// When the payments of a relation were made: the first and the last day.
import type { NetworkLink, NetworkNode } from '@kissi/client';
import { date } from '../../../format/time.ts';

export type Payments = Pick<NetworkLink, 'payments' | 'value'> & { first_at: string | null; last_at: string | null };

/** Such as `2 Nov 2026 – 9 Nov 2026`, or one day. */
export function datesOf({ first_at, last_at }: Pick<Payments, 'first_at' | 'last_at'>): string {
  if (!first_at || !last_at) return '';
  const [first, last] = [date(first_at), date(last_at)];
  return first === last ? last : `${first} – ${last}`;
}

/** Of the payments in both directions. */
export function nodeDates({ paid_by_subject: by, paid_to_subject: to }: NetworkNode): string {
  const firsts = [by?.first_at, to?.first_at].filter((at) => typeof at === 'string').sort();
  const lasts = [by?.last_at, to?.last_at].filter((at) => typeof at === 'string').sort();
  return datesOf({ first_at: firsts[0] ?? null, last_at: lasts.at(-1) ?? null });
}
