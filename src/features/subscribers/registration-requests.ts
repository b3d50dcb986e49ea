// Registrations by request id: a repeated one gets the subscriber that the first one registered.
import { type Caller, isAgentUser } from '../../auth/caller.ts';
import type { Queries } from '../../db/database.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { ENDED } from '../../parties/registration.ts';
import { COLUMNS, type SubscriberRow } from './record.ts';
import type { NewSubscriber } from './store.ts';

export interface RegistrationKey {
  scope: string;
  request_id: string;
}

/** Null for strangers, who share no credential that an id could belong to. */
export function registrationKey(caller: Caller, requestId: string | undefined): RegistrationKey | null {
  if (requestId === undefined || (caller.kind !== 'user' && caller.kind !== 'key')) return null;
  return { scope: (isAgentUser(caller) ? caller.agentId : null) ?? caller.id, request_id: requestId };
}

/** Waits for a concurrent request with this id. False: it was used. */
export async function claimKey(trx: Queries, key: RegistrationKey, subscriberId: string): Promise<boolean> {
  const row = trx.insertInto('registration_requests').values({ ...key, subscriber_id: subscriberId });
  const inserted = row.onConflict((conflict) => conflict.doNothing()).returning('subscriber_id');
  return (await inserted.executeTakeFirst()) !== undefined;
}

/** Null: the id is new. */
export async function firstRegistration(
  queries: Queries,
  { scope, request_id }: RegistrationKey,
  { phone_number, first_name, last_name }: NewSubscriber,
): Promise<SubscriberRow | Refusal | null> {
  const used = queries.selectFrom('registration_requests').select('subscriber_id').where('scope', '=', scope);
  const first = await used.where('request_id', '=', request_id).executeTakeFirst();
  if (!first) return null;
  const row = await queries
    .selectFrom('subscribers')
    .select(COLUMNS)
    .where('id', '=', first.subscriber_id)
    .where('status', '<>', ENDED)
    .executeTakeFirst();
  const isSame = row?.phone_number === phone_number && row.first_name === first_name && row.last_name === last_name;
  return row && isSame ? row : refuse('REQUEST_CONFLICT', 'This request_id was used before with different details.');
}
