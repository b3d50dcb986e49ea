// Opens accounts and changes their limits and status, in the caller's transaction.
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
