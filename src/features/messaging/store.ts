// The table of outgoing messages.
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { MessagesTable } from '../../db/tables.ts';

export async function insertMessage(trx: Queries, row: Insertable<MessagesTable>): Promise<void> {
  await trx.insertInto('messages').values(row).execute();
}

export async function listMessages(
  queries: Queries,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Selectable<MessagesTable>[]; total: number }> {
  const rows = await queries
    .selectFrom('messages')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const counted = queries.selectFrom('messages').select(sql<number>`count(*)`.as('total'));
  return { rows, total: (await counted.executeTakeFirstOrThrow()).total };
}
