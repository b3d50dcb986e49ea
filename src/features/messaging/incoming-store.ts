// The table of incoming messages: each id of the platform's is taken once, and answered by one gateway.
import type { Pool } from 'pg';
import type { Queries } from '../../db/database.ts';
import type { Lease } from '../../db/leased-queue.ts';

interface Arrived {
  /** The platform's. */
  id: string;
  place: string;
  platformUser: string;
  sender: string;
  sealedText: Buffer;
}

/** A message that this process alone may answer until its lease ends. */
export interface Waiting {
  id: string;
  platform_user: string;
  sender: string;
  verified: boolean;
  sealed_text: Buffer;
}

/** Of one sender, more than this do not wait: whoever writes faster than we answer is not read to the end. */
const MAX_WAITING = 20;

// In order of the ids, so that two gateways which are told of the same messages wait for each other in line.
const TAKE = `insert into incoming_messages (id, place, platform_user, sender, verified, sealed_text, received_at)
  select given.id, given.place, given.platform_user, given.sender, $6,
    case when waiting.count + row_number() over (partition by given.sender order by given.place) <= ${MAX_WAITING}
      then given.sealed_text end, $7
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[])
    as given (id, place, platform_user, sender, sealed_text)
  cross join lateral (select count(*) from (
    select from incoming_messages i where i.sender = given.sender and i.sealed_text is not null limit ${MAX_WAITING}) w) waiting
  where not exists (select from incoming_messages known where known.id = given.id)
  order by given.id
  on conflict do nothing`;

// One of a sender at a time, in the order of arrival.
const CLAIM = `with due as materialized (
    select i.id from incoming_messages i
    where i.sealed_text is not null and (i.leased_until is null or i.leased_until <= $1)
      and not exists (select from incoming_messages earlier
        where earlier.sender = i.sender and earlier.sealed_text is not null and earlier.place < i.place)
    order by i.place limit $2 for update skip locked)
  update incoming_messages i set lease = $3, leased_until = $4 from due where i.id = due.id
  returning i.id, i.platform_user, i.sender, i.verified, i.sealed_text`;

const RELEASE = `update incoming_messages set lease = null, leased_until = null where id = $1 and lease = $2`;

const PRUNE = `delete from incoming_messages where ctid = any (array(
  select ctid from incoming_messages where received_at < $1 and sealed_text is null
  order by received_at limit $2 for update skip locked))`;

export function createIncomingStore(pool: Pool) {
  return {
    /** How many of them are new. */
    async take(arrived: Arrived[], { verified, at }: { verified: boolean; at: Date }): Promise<number> {
      const columns = (['id', 'place', 'platformUser', 'sender', 'sealedText'] as const).map((column) =>
        arrived.map((message) => message[column]),
      );
      const query = { name: 'incoming-take', text: TAKE, values: [...columns, verified, at] };
      return (await pool.query(query)).rowCount ?? 0;
    },
    async claim(limit: number, { lease, now, until }: Lease): Promise<Waiting[]> {
      const query = { name: 'incoming-claim', text: CLAIM, values: [now, limit, lease, until] };
      return (await pool.query<Waiting>(query)).rows;
    },
    async release(id: string, lease: string): Promise<void> {
      await pool.query({ name: 'incoming-release', text: RELEASE, values: [id, lease] });
    },
    /** Forgets those that came before and are done with; says how many. */
    async prune(before: Date, limit: number): Promise<number> {
      return (await pool.query({ name: 'incoming-prune', text: PRUNE, values: [before, limit] })).rowCount ?? 0;
    },
  };
}

/** Done with, and its text forgotten; false when the lease was lost. */
export async function finishIncoming(trx: Queries, id: string, lease: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('incoming_messages')
    .set({ sealed_text: null, lease: null, leased_until: null })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
