// The names of users and API keys in entries of the audit log.
import type { Queries } from '../db/database.ts';

export interface NamedActor {
  actor_type: string | null;
  actor_id: string | null;
}

/** By id. Names can change later, so that entries have ids only. */
export async function actorNames(queries: Queries, entries: readonly NamedActor[]): Promise<Map<string, string>> {
  const idsOf = (type: string) => [
    ...new Set(entries.flatMap(({ actor_type, actor_id }) => (actor_type === type && actor_id ? [actor_id] : []))),
  ];
  const [userIds, keyIds] = [idsOf('user'), idsOf('key')];
  const users =
    userIds.length === 0
      ? []
      : await queries
          .selectFrom('users')
          .select(['id', 'first_name', 'last_name'])
          .where('id', 'in', userIds)
          .execute();
  const keys =
    keyIds.length === 0
      ? []
      : await queries.selectFrom('api_keys').select(['id', 'name']).where('id', 'in', keyIds).execute();
  return new Map([
    ...users.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`] as const),
    ...keys.map(({ id, name }) => [id, name] as const),
  ]);
}
