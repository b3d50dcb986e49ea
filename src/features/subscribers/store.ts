// Queries on single rows of the subscribers table. Lists are in list-store.ts.
import type { Load } from '../../db/batch-loader.ts';
import type { Queries } from '../../db/database.ts';
import { text } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { lookup } from '../../db/lookup.ts';
import type { NewRow, RowChange } from '../../db/schema/tables.ts';
import { newAccountNumber } from '../../kernel/account-number.ts';
import { ENDED } from '../../parties/registration.ts';
import { COLUMNS, DECODERS, type SubscriberRow } from './record.ts';

export type NewSubscriber = Omit<NewRow<'subscribers'>, 'account_number' | 'search_text'>;
export type SubscriberChange = Omit<RowChange<'subscribers'>, 'id' | 'account_number' | 'search_text'>;

const ACCOUNT_NUMBER_TRIES = 10;

export function subscriberById(reader: Reader): Load<string, SubscriberRow | null> {
  return lookup(reader, { name: 'subscriber-by-id', table: 'subscribers', by: 'id', columns: DECODERS });
}

/** The current name of a user or an API key; null if the id belongs to neither. */
export function actorName(reader: Reader): Load<string, string | null> {
  const user = lookup(reader, {
    name: 'blocking-user-name',
    table: 'users',
    by: 'id',
    columns: { first_name: text, last_name: text },
  });
  const key = lookup(reader, { name: 'blocking-key-name', table: 'api_keys', by: 'id', columns: { name: text } });
  return async (id) => {
    const found = await user(id);
    return found ? `${found.first_name} ${found.last_name}` : ((await key(id))?.name ?? null);
  };
}

/**
 * Null if the phone number is taken. `on conflict do nothing` avoids an error, which would abort the transaction. If no
 * row was inserted, either the phone number is taken or, rarely, the random account number is.
 */
export async function insertSubscriber(trx: Queries, subscriber: NewSubscriber): Promise<SubscriberRow | null> {
  for (let tries = 0; tries < ACCOUNT_NUMBER_TRIES; tries++) {
    const row = await trx
      .insertInto('subscribers')
      .values({ ...subscriber, account_number: newAccountNumber() })
      .onConflict((conflict) => conflict.doNothing())
      .returning(COLUMNS)
      .executeTakeFirst();
    if (row) return row;
    if (await phoneTaken(trx, subscriber.phone_number)) return null;
  }
  throw new Error('no free account number was found');
}

/** The unique index on verified phone numbers. */
export const PHONE_KEY = 'subscribers_phone_number_key';

/** Whether a subscriber has the number. Registrations whose number is not verified do not count. */
export async function phoneTaken(trx: Queries, phoneNumber: string): Promise<boolean> {
  const holder = trx
    .selectFrom('subscribers')
    .select('id')
    .where('phone_number', '=', phoneNumber)
    .where('phone_verified', '=', true);
  return (await holder.executeTakeFirst()) !== undefined;
}

/** Locks the row until the transaction ends, so that changes are decided on the current record. */
export async function lockSubscriber(trx: Queries, id: string): Promise<SubscriberRow | null> {
  const subscriber = trx.selectFrom('subscribers').select(COLUMNS).where('id', '=', id).where('status', '<>', ENDED);
  return (await subscriber.forUpdate().executeTakeFirst()) ?? null;
}

/**
 * Reads the status under a lock: it cannot change until the transaction ends. Not a share lock: two changes of the PIN
 * would both hold it, and each audit entry locks the record, so they would deadlock.
 */
export async function lockStatus(trx: Queries, id: string): Promise<string | null> {
  const subscriber = trx.selectFrom('subscribers').select('status').where('id', '=', id).forNoKeyUpdate();
  return (await subscriber.executeTakeFirst())?.status ?? null;
}

export async function updateSubscriber(trx: Queries, id: string, change: SubscriberChange): Promise<SubscriberRow> {
  return trx.updateTable('subscribers').set(change).where('id', '=', id).returning(COLUMNS).executeTakeFirstOrThrow();
}
