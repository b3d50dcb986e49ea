// Ends old keys of the ledger's seals: records the last batch, chain and archive under them, sealed under both keys.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import {
  type Closing,
  closingKeys,
  insertClosing,
  type LedgerEnd,
  nextClosing,
  sealClosing,
} from '../../db/key-closings.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { KeyRing } from '../../kernel/key-ring.ts';

/**
 * In a transaction, after every gateway has left the old keys. Returns the closings that it made: none for keys that were
 * closed before.
 */
export async function closeSealKeys(ring: KeyRing, clock: Clock, trx: Queries): Promise<Closing<LedgerEnd>[]> {
  const made: Closing<LedgerEnd>[] = [];
  for (;;) {
    const number = await nextClosing(trx, 'ledger');
    const [oldKey] = await openKeys(trx, ring.writing.id);
    if (oldKey === undefined) return made;
    const about = { chain: 'ledger', number, oldKey, newKey: ring.writing.id } as const;
    const closing = sealClosing(closingKeys(ring), { ...about, at: clock.now(), content: await endOf(trx, oldKey) });
    await insertClosing(trx, closing);
    made.push(closing);
  }
}

/** Keys that sealed something, and that are not closed. */
export async function openKeys(queries: Queries, except: string): Promise<string[]> {
  const { rows } = await sql<{ key_id: string }>`
    select key_id from seal_chains union select key_id from ledger_archives
    except select old_key from key_closings where chain = 'ledger' order by key_id`.execute(queries);
  return rows.map(({ key_id }) => key_id).filter((id) => id !== except);
}

async function endOf(trx: Queries, key: string): Promise<LedgerEnd> {
  const heads = await sql<{ batch: string; mac: string }>`
    select s.batch::text as batch, encode(s.mac, 'hex') as mac from seal_chains c cross join lateral (
      select batch, mac from seals where batch > c.id::bigint << 32 and batch < (c.id::bigint + 1) << 32
      order by batch desc limit 1) s where c.key_id = ${key} order by s.batch`.execute(trx);
  const rest = await sql<{ chain: number; archive: number; pruned: string | null }>`
    select (select coalesce(max(id), 0) from seal_chains) as chain,
      (select coalesce(max(number), 0) from ledger_archives) as archive,
      (select (extract(epoch from max(before)) * 1000)::bigint::text from request_pruning where before > '-infinity')
        as pruned`.execute(trx);
  const { chain = 0, archive = 0, pruned = null } = rest.rows[0] ?? {};
  return {
    heads: heads.rows.map(({ batch, mac }) => [batch, mac]),
    ...{ chain: Number(chain), archive: Number(archive), prunedBefore: pruned === null ? null : Number(pruned) },
  };
}
