// Queries on staff notes about subscribers.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { NewRow, Row } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';

export interface Note extends Row<'subscriber_notes'> {
  author_name: string | null;
}

export async function insertNote(trx: Queries, note: NewRow<'subscriber_notes'>): Promise<void> {
  await trx.insertInto('subscriber_notes').values(note).execute();
}

export function findNote(queries: Queries, id: string): Promise<Note> {
  return notes(queries).where('n.id', '=', id).executeTakeFirstOrThrow();
}

/** Newest first. */
export async function listNotes(
  queries: Queries,
  subscriberId: string,
  { limit, offset, after }: Page,
): Promise<{ notes: Note[]; total: number }> {
  const all = notes(queries).where('n.subscriber_id', '=', subscriberId);
  const page = (after ? all.where('n.id', '<', after) : all).orderBy('n.id', 'desc').limit(limit).offset(offset);
  const counted = queries
    .selectFrom('subscriber_notes')
    .select(sql<number>`count(*)`.as('total'))
    .where('subscriber_id', '=', subscriberId);
  return { notes: await page.execute(), total: (await counted.executeTakeFirstOrThrow()).total };
}

function notes(queries: Queries) {
  return queries
    .selectFrom('subscriber_notes as n')
    .leftJoin('users as u', 'u.id', 'n.author_id')
    .select(['n.id', 'n.subscriber_id', 'n.text', 'n.author_id', 'n.created_at'])
    .select(sql<string | null>`u.first_name || ' ' || u.last_name`.as('author_name'));
}
