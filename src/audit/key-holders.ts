// Who holds the secret of an API key: the user who created it, and those who rotated it. What the key does, they can do alone.
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';

/** Rotations are read from the audit log. An entry is in the inbox or in the log, never in both. Other ids are left out. */
export async function keyHolders(queries: Queries, keyIds: readonly string[]): Promise<string[]> {
  return [...new Set((await holdersByKey(queries, keyIds)).map(({ holder }) => holder))];
}

export async function holdersByKey(queries: Queries, keyIds: readonly string[]) {
  if (keyIds.length === 0) return [];
  const { rows } = await sql<{ key: string; holder: string }>`
    select id as key, created_by as holder from api_keys where id = any(${[...keyIds]})
    union select resource_id, actor_id from audit_log
      where resource_id = any(${[...keyIds]}) and action = 'api_key.rotate'
    union select resource_id, actor_id from audit_inbox
      where resource_id = any(${[...keyIds]}) and action = 'api_key.rotate'`.execute(queries);
  return rows;
}
