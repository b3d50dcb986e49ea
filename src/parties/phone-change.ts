// Changes of a holder's phone number: who made them, and who may therefore not reset the PIN.
import { areIndependentOf } from '../audit/independence.ts';
import { keyHolders } from '../audit/key-holders.ts';
import type { Actor } from '../audit/log.ts';
import type { Caller } from '../auth/caller.ts';
import type { Queries } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { endResetCode } from './pin-reset.ts';

/** Columns of subscribers and agents: the last change. The table phone_changes has all of them. */
export interface PhoneChange {
  phone_changed_at: Date | null;
  /** The user or key; under an approval policy, the requester. */
  phone_changed_by: string | null;
}

/** Stores who changes the number, before the audit entry, and ends the code for a new PIN that the old number got. */
export async function recordPhoneChange(
  trx: Queries,
  { caller, approval }: Actor,
  ownerId: string,
  clock: Clock,
): Promise<PhoneChange> {
  const [changedBy, at] = [String(caller.id), new Date(clock.now())];
  const approvedBy = approval ? String(approval.approvedBy.id) : null;
  const row = { id: newId('pch', clock), owner_id: ownerId, changed_at: at, changed_by: changedBy };
  await trx
    .insertInto('phone_changes')
    .values({ ...row, approved_by: approvedBy })
    .execute();
  await endResetCode(trx, ownerId);
  return { phone_changed_at: at, phone_changed_by: changedBy };
}

/**
 * Separation of duties: people who took part in a change of the number, in person or with a key whose secret they hold, could
 * have the code sent to their own phone. A login that they made or changed is theirs too. Call it with the holder's row
 * locked.
 */
export async function ownPhoneChangeRefusal(
  trx: Queries,
  callers: readonly Caller[],
  { id, phone_changed_by }: { id: string } & Partial<PhoneChange>,
  now: number,
): Promise<Refusal | null> {
  const changes = trx.selectFrom('phone_changes').select(['changed_by', 'approved_by']).where('owner_id', '=', id);
  const rows = await changes.distinct().execute();
  const authors = rows.map(({ changed_by }) => changed_by);
  const holders = await keyHolders(trx, authors);
  // Changes made by version 0.4 have no row.
  const involved = [...authors, ...rows.map(({ approved_by }) => approved_by), ...holders, phone_changed_by];
  const others = involved.filter((each) => each !== null && each !== undefined);
  const users = callers.map((caller) => String(caller.id));
  if (await areIndependentOf(trx, users, others, now)) return null;
  return refuse(
    'FORBIDDEN',
    'Users who requested or approved a change of this phone number, or who are not independent of one who did, cannot reset the PIN: other users must request and approve the reset.',
  );
}
