// The API keys of a processor's terminals and apps, as its own users see them: without scopes and secrets.
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Queries } from '../../db/database.ts';
import { textOrNull, timestamp } from '../../http/fields.ts';
import { listReply, type Page } from '../../http/paging.ts';
import { iso } from '../../kernel/clock.ts';

const STATUSES = ['active', 'expired', 'revoked'] as const;

export interface TerminalKey {
  id: string;
  name: string;
  status: (typeof STATUSES)[number];
  last_used_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
}

const key = Type.Object(
  {
    id: Type.String({ description: 'The terminal sends it as X-API-Key-ID.' }),
    name: Type.String(),
    status: Type.Enum(STATUSES, { description: 'Only an active key is accepted.' }),
    last_used_at: textOrNull('Its last request in the last 24 hours; null if there was none. ISO 8601, UTC.'),
    expires_at: textOrNull('ISO 8601, UTC; null: never.'),
    created_at: timestamp(),
  },
  { title: 'TerminalKey' },
);

export const terminalKeysReply = listReply('keys', key);

/** Newest first. The request log has the requests of the last 24 hours. */
export async function listTerminalKeys(
  queries: Queries,
  processorId: string,
  now: Date,
  { limit, offset, after }: Page,
): Promise<{ keys: TerminalKey[]; total: number }> {
  const counted = queries.selectFrom('api_keys').select(sql<number>`count(*)`.as('total'));
  const { total } = await counted.where('processor_id', '=', processorId).executeTakeFirstOrThrow();
  const { rows } = await sql<TerminalKey>`select k.id, k.name, k.expires_at, k.created_at, used.at as last_used_at,
      case when k.revoked_at is not null then 'revoked' when k.expires_at <= ${now} then 'expired' else 'active' end as status
    from api_keys k
    left join lateral (select at from request_log where key_id = k.id and verified order by seq desc limit 1) used on true
    where k.processor_id = ${processorId} and ${after ? sql`k.id < ${after}` : sql`true`}
    order by k.id desc limit ${limit} offset ${offset}`.execute(queries);
  return { keys: rows, total };
}

export function terminalKeyView({ last_used_at, expires_at, created_at, ...rest }: TerminalKey) {
  return {
    ...rest,
    last_used_at: last_used_at && iso(last_used_at),
    expires_at: expires_at && iso(expires_at),
    created_at: iso(created_at),
  };
}
