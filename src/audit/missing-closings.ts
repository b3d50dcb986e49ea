// Finds closings of keys that the audit log records and that were removed or exchanged.
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import { FORMAT } from './chain.ts';

export const CLOSE_KEY = 'keys.close';

/** "audit 1" for the first closing of the audit chain. */
export async function missingClosings(trx: Queries): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select details ->> 'chain' || ' ' || (details ->> 'number') as name from audit_log recorded
    where action = ${CLOSE_KEY} and format = ${FORMAT.keyed} and not exists (select from key_closings k
      where k.chain = details ->> 'chain' and k.number::text = details ->> 'number'
        and encode(k.new_mac, 'hex') = details ->> 'mac')
    order by name`.execute(trx);
  return rows.map(({ name }) => name);
}
