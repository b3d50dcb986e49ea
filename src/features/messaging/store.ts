// The table of outgoing messages: the local outbox that staff read, and the queue for the platform.
import { sql } from 'kysely';
import { countedPage, type Listed } from '../../db/counted-page.ts';
import type { Queries } from '../../db/database.ts';
import type { Lease } from '../../db/leased-queue.ts';
import { equal } from '../../db/list-filter.ts';
import type { NewRow } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';
import type { Channel } from './channel.ts';

/** Those that are there already stay as they are. */
export async function insertMessages(trx: Queries, rows: NewRow<'messages'>[]): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('messages')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export interface LocalMessage {
  id: string;
  recipient: string;
  kind: string;
  channel: Channel;
  sealed_text: Buffer;
  created_at: Date;
}

/** Newest first. */
export function listLocal(queries: Queries, page: Page, recipient?: string): Promise<Listed<LocalMessage>> {
  const columns = ['id', 'recipient', 'kind', 'channel', 'sealed_text', 'created_at'];
  return countedPage(queries, { table: 'messages', columns, filters: equal({ status: 'local', recipient }) }, page);
}

/** A message that only this process may send until the lease expires. */
export interface Claimed {
  id: string;
  recipient: string;
  kind: string;
  sealed_text: Buffer;
  /** The number of attempts so far. */
  attempts: number;
  expires_at: Date | null;
}

export interface Result {
  id: string;
  lease: string;
  status: 'pending' | 'sent' | 'failed' | 'dropped';
  at: Date;
  nextAt: Date | null;
  error: string | null;
}

export interface Backlog {
  /** The number of messages not yet sent. */
  waiting: number;
  /** The time of the earliest due attempt. */
  due: Date | null;
  /** The arrival time of the oldest message without an answer. */
  unanswered: Date | null;
}

export function createMessageStore(queries: Queries) {
  return {
    async backlog(): Promise<Backlog> {
      const { rows } = await sql<Backlog>`select
        (select count(*) from (select from messages where status = 'pending' limit 20000) pending) as waiting,
        (select min(next_attempt_at) from messages where status = 'pending') as due,
        (select received_at from incoming_messages where sealed_text is not null order by place limit 1) as unanswered
        `.execute(queries);
      return rows[0] ?? { waiting: 0, due: null, unanswered: null };
    },
    async claim(channel: Channel, limit: number, { lease, now, until }: Lease): Promise<Claimed[]> {
      // Messages to one recipient are sent in order, but do not wait for the retry of a failed one, which may never
      // succeed. Several gateways claim at once: each skips the rows that another has locked.
      const { rows } = await sql<Claimed>`
        with due as materialized (
          select m.id from messages m
          where m.status = 'pending' and m.channel = ${channel} and m.next_attempt_at <= ${now} and (m.leased_until is null or m.leased_until <= ${now})
            and not exists (select from messages earlier where earlier.recipient = m.recipient and earlier.channel = m.channel
              and earlier.status = 'pending' and earlier.attempts = 0 and earlier.id < m.id)
          order by m.next_attempt_at, m.id limit ${limit} for update skip locked)
        update messages m set lease = ${lease}, leased_until = ${until} from due where m.id = due.id
        returning m.id, m.recipient, m.kind, m.sealed_text, m.attempts, m.expires_at`.execute(queries);
      return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    /** False if the lease was lost. Deletes the text when no further attempt follows. */
    async record({ id, lease, status, at, nextAt, error }: Result): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update messages set status = ${status}, attempts = attempts + 1, next_attempt_at = ${nextAt}, last_error = ${error},
          finished_at = case when ${status} = 'pending' then null else ${at}::timestamptz end,
          sealed_text = case when ${status} = 'pending' then sealed_text end, lease = null, leased_until = null
        where id = ${id} and lease = ${lease}`.execute(queries);
      return numAffectedRows === 1n;
    },
    /** Gives up the claim. */
    async release(id: string, lease: string): Promise<void> {
      await queries
        .updateTable('messages')
        .set({ lease: null, leased_until: null })
        .where('id', '=', id)
        .where('lease', '=', lease)
        .execute();
    },
    /** Deletes messages with a lower id, except pending ones. Returns how many. */
    async prune(below: string, limit: number): Promise<number> {
      const old = queries.selectFrom('messages').select('id').where('id', '<', below).where('status', '!=', 'pending');
      const { numDeletedRows } = await queries
        .deleteFrom('messages')
        .where('id', 'in', old.orderBy('id').limit(limit))
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}
