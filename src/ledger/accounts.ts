// Opens accounts and changes their limits and status, in the caller's transaction.
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import type { AccountKind } from './account-kinds.ts';
import type { MovementType } from './movement-types.ts';

export interface AccountTerms {
  /** The owner's id. */
  id: string;
  kind: AccountKind;
  /** Null: no bound. The default floor is zero. */
  floor?: number | null;
  ceiling?: number | null;
  dailyLimit?: number | null;
  frozen?: boolean;
  openedAt: Date;
}

export async function openAccount(trx: Queries, terms: AccountTerms): Promise<void> {
  const { id, kind, floor = 0, ceiling = null, dailyLimit = null, frozen = false, openedAt } = terms;
  const row = { id, kind, floor, ceiling, daily_limit: dailyLimit, frozen, opened_at: openedAt };
  await trx.insertInto('accounts').values(row).execute();
}

export interface AccountChange {
  floor?: number | null;
  ceiling?: number | null;
  dailyLimit?: number | null;
  /** A frozen account neither sends nor receives. */
  frozen?: boolean;
  disabledTypes?: MovementType[];
  /** Serials of the cards that cannot be used. */
  blockedCards?: string[];
}

/** Locks the account until the transaction ends, and returns its balance. */
export async function lockBalance(trx: Queries, id: string): Promise<number> {
  const account = trx.selectFrom('accounts').select('balance').where('id', '=', id).forUpdate();
  return (await account.executeTakeFirstOrThrow()).balance;
}

/** Waits for a batch that has the account locked: a payment sees the account entirely before or after the change. */
export async function changeAccount(trx: Queries, id: string, change: AccountChange): Promise<void> {
  const { floor, ceiling, dailyLimit, frozen, disabledTypes, blockedCards } = change;
  const columns = {
    ...(floor !== undefined ? { floor } : {}),
    ...(ceiling !== undefined ? { ceiling } : {}),
    ...(dailyLimit !== undefined ? { daily_limit: dailyLimit } : {}),
    ...(frozen !== undefined ? { frozen } : {}),
    ...(disabledTypes !== undefined ? { disabled_types: disabledTypes } : {}),
    ...(blockedCards !== undefined ? { barred: blockedCards } : {}),
  };
  if (Object.keys(columns).length === 0) return;
  await trx.updateTable('accounts').set(columns).where('id', '=', id).execute();
}

/**
 * Until the given time, a wallet can pay a tenth of its daily limit, and a tenth of the balance can leave a float. Returns the
 * balance that must stay in a float; null for a wallet. Repeating it does not let another tenth leave.
 */
export async function reduceOutgoing(
  trx: Queries,
  id: string,
  { now, until }: { now: Date; until: Date },
): Promise<number | null> {
  const { rows } = await sql<{ reduced_floor: number | null }>`
    update accounts set reduced_until = ${until}::timestamptz, reduced_floor = case when kind = 'agent_float' then
      greatest(balance - balance / 10, case when reduced_until > ${now}::timestamptz then reduced_floor end) end
    where id = ${id} returning reduced_floor`.execute(trx);
  return rows[0]?.reduced_floor ?? null;
}
