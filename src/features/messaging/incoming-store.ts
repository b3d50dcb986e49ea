// The table of incoming messages: each message id is stored once and answered by one gateway.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Lease } from '../../db/leased-queue.ts';

interface ReceivedMessage {
  /** Assigned by the platform. */
  id: string;
  place: string;
  platformUser: string;
  sender: string;
  sealedText: Buffer;
}

/** A message that only this process may answer until the lease expires. */
export interface UnansweredMessage {
  id: string;
  platform_user: string;
  sender: string;
  verified: boolean;
  sealed_text: Buffer;
}

/** The most messages of one sender that wait for an answer. Further ones are discarded. */
const MAX_WAITING = 20;

export function createIncomingStore(queries: Queries) {
  return {
    /** Returns the number of new messages. */
    async insert(received: ReceivedMessage[], { verified, at }: { verified: boolean; at: Date }): Promise<number> {
      const [ids, places, platformUsers, senders, texts] = (
        ['id', 'place', 'platformUser', 'sender', 'sealedText'] as const
      ).map((column) => received.map((message) => message[column]));
      // Ordered by id, so that two gateways that insert the same messages cannot deadlock.
      const { numAffectedRows } = await sql`
        insert into incoming_messages (id, place, platform_user, sender, verified, sealed_text, received_at)
        select received.id, received.place, received.platform_user, received.sender, ${verified},
          case when waiting.count + row_number() over (partition by received.sender order by received.place) <= ${MAX_WAITING}
            then received.sealed_text end, ${at}
        from unnest(${ids}::text[], ${places}::text[], ${platformUsers}::text[], ${senders}::text[], ${texts}::bytea[])
          as received (id, place, platform_user, sender, sealed_text)
        cross join lateral (select count(*) from (select from incoming_messages i
          where i.sender = received.sender and i.sealed_text is not null limit ${MAX_WAITING}) w) waiting
        where not exists (select from incoming_messages known where known.id = received.id)
        order by received.id
        on conflict do nothing`.execute(queries);
      return Number(numAffectedRows ?? 0);
    },
    async claim(limit: number, { lease, now, until }: Lease): Promise<UnansweredMessage[]> {
      // One message per sender at a time, in order of arrival.
      const { rows } = await sql<UnansweredMessage>`
        with due as materialized (
          select i.id from incoming_messages i
          where i.sealed_text is not null and (i.leased_until is null or i.leased_until <= ${now})
            and not exists (select from incoming_messages earlier
              where earlier.sender = i.sender and earlier.sealed_text is not null and earlier.place < i.place)
          order by i.place limit ${limit} for update skip locked)
        update incoming_messages i set lease = ${lease}, leased_until = ${until} from due where i.id = due.id
        returning i.id, i.platform_user, i.sender, i.verified, i.sealed_text`.execute(queries);
      return rows;
    },
    async release(id: string, lease: string): Promise<void> {
      await queries
        .updateTable('incoming_messages')
        .set({ lease: null, leased_until: null })
        .where('id', '=', id)
        .where('lease', '=', lease)
        .execute();
    },
    /** Deletes finished messages received before the given time. Returns how many. */
    async prune(before: Date, limit: number): Promise<number> {
      const { numAffectedRows } = await sql`delete from incoming_messages where ctid = any (array(
        select ctid from incoming_messages where received_at < ${before} and sealed_text is null
        order by received_at limit ${limit} for update skip locked))`.execute(queries);
      return Number(numAffectedRows ?? 0);
    },
  };
}

/** Marks a message as finished and deletes its text. False if the lease was lost. */
export async function finishIncoming(trx: Queries, id: string, lease: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('incoming_messages')
    .set({ sealed_text: null, lease: null, leased_until: null })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
