// What records show of PIN resets: a code that was sent, and the reduced outgoing payments of the day after a reset, which the
// ledger enforces.
import { NO_CODE } from '../auth/one-time-codes.ts';
import type { Load } from '../db/batch-loader.ts';
import type { Queries } from '../db/database.ts';
import { integer, text, timestampOrNull } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { lookup } from '../db/lookup.ts';
import type { Row } from '../db/schema/tables.ts';
import { DAY_MS } from '../kernel/clock.ts';

export const REDUCED_MS = DAY_MS;

/** Null if outgoing payments are not reduced now. */
export function reducedUntil({ pin_reset_at }: { pin_reset_at: Date | null }, now: number): Date | null {
  const until = pin_reset_at && new Date(pin_reset_at.getTime() + REDUCED_MS);
  return until && until.getTime() > now ? until : null;
}

const COLUMNS = { phone_number: text, code_expires_at: timestampOrNull, tries_left: integer };

export type SentCode = Pick<Row<'pin_resets'>, keyof typeof COLUMNS>;

/** The last code for a new PIN that was sent to a subscriber or agent. */
export function sentResetCode(reader: Reader): Load<string, SentCode | null> {
  return lookup(reader, { name: 'pin-reset-by-owner', table: 'pin_resets', by: 'owner_id', columns: COLUMNS });
}

/** The code that was used, or that was sent to a number which the holder no longer has. */
export async function endResetCode(trx: Queries, ownerId: string): Promise<void> {
  await trx.updateTable('pin_resets').set(NO_CODE).where('owner_id', '=', ownerId).execute();
}

/** Until when the holder of the number can set a new PIN with the code; null if it is not valid. */
export function resetCodeUntil(sent: SentCode | null, { phone_number }: { phone_number: string }, now: number) {
  // A code is valid only for the number that it was sent to.
  if (!sent?.code_expires_at || sent.tries_left <= 0 || sent.phone_number !== phone_number) return null;
  return sent.code_expires_at.getTime() > now ? sent.code_expires_at : null;
}
