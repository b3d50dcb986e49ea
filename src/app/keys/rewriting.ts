// Rewrites stored values under the new key, in small transactions beside the service: one pass over each table, by its key.
import { sql } from 'kysely';
import { type AuditLog, SYSTEM } from '../../audit/log.ts';
import type { RecordRef } from '../../audit/records.ts';
import type { Database, Queries } from '../../db/database.ts';
import type { StoredColumn } from './stored-values.ts';

const BATCH = 200;

export interface Rewriting {
  database: Database;
  audit: AuditLog;
  /** SQL of the ids of the keys that a value needs. */
  idSql(column: string): string;
  /** The id of the new key. */
  target: string;
  /** Which values are to be rewritten: those that need other keys, or those that do not name the new one. */
  needs: 'only' | 'among';
  /** The value under the new key; null: it stays. */
  rewrite(stored: Buffer, owner: string, column: StoredColumn): Buffer | null;
  action: string;
  stopping?: AbortSignal | undefined;
}

interface FoundRow {
  id: string;
  owner: string;
  value: Buffer;
}

/** Returns the number of values that were rewritten. Values that change meanwhile are left: the service wrote them. */
export async function rewriteColumn(rewriting: Rewriting, column: StoredColumn): Promise<number> {
  let rewritten = 0;
  for (let after = ''; !rewriting.stopping?.aborted; ) {
    const rows = await nextRows(rewriting, column, after);
    const last = rows.at(-1);
    if (!last) break;
    rewritten += await rewriting.database.transact((trx) => rewriteRows(rewriting, column, { trx, rows }));
    after = last.id;
  }
  return rewritten;
}

async function nextRows({ database, idSql, target, needs }: Rewriting, stored: StoredColumn, after: string) {
  const { table, column, id, owner = id, batch = BATCH } = stored;
  const ids = sql.raw<string>(idSql(column));
  const isOld = needs === 'only' ? sql`${ids} <> ${target}` : sql`${target} <> all (string_to_array(${ids}, '+'))`;
  const { rows } = await sql<FoundRow>`
    select ${sql.raw(id)} as id, ${sql.raw(owner)} as owner, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${sql.ref(column)} is not null and ${sql.raw(id)} > ${after} and ${isOld}
    order by ${sql.raw(id)} limit ${batch}`.execute(database.queries);
  return rows;
}

interface Found {
  trx: Queries;
  rows: readonly FoundRow[];
}

async function rewriteRows(rewriting: Rewriting, stored: StoredColumn, { trx, rows }: Found): Promise<number> {
  const changes = rows.flatMap(({ id, owner, value }) => {
    const next = rewriting.rewrite(value, owner, stored);
    return next === null ? [] : [{ id, owner, value, next }];
  });
  const { table, column, id } = stored;
  const { rows: written } = await sql<{ id: string }>`
    update ${sql.table(table)} set ${sql.ref(column)} = changed.next
    from unnest(${changes.map((each) => each.id)}::text[], ${changes.map(({ value }) => value)}::bytea[],
      ${changes.map(({ next }) => next)}::bytea[]) as changed (row_id, value, next)
    where ${sql.raw(qualified(id, table))} = changed.row_id and ${sql.ref(`${table}.${column}`)} = changed.value
    returning changed.row_id as id`.execute(trx);
  const ids = new Set(written.map((each) => each.id));
  await record(rewriting, trx, {
    stored,
    owners: changes.filter((each) => ids.has(each.id)).map(({ owner }) => owner),
  });
  return ids.size;
}

/** Every id is a column of the table, or an expression of its columns. */
function qualified(id: string, table: string): string {
  return id.replace(/\b(id|user_id|owner_id|subscriber_id|bearer_hash|hash)\b/g, `${table}.$1`);
}

interface Rewritten {
  stored: StoredColumn;
  owners: readonly string[];
}

/** The values are part of protected records: the audit log gets their new states. */
async function record({ audit, action, target }: Rewriting, trx: Queries, { stored, owners }: Rewritten) {
  const kindOf = stored.record;
  if (!kindOf || owners.length === 0) return;
  const also = [...new Set(owners)].map((id): RecordRef => ({ kind: kindOf(id), id }));
  const details = { table: stored.table, key: target, count: owners.length };
  await audit.record(trx, SYSTEM, { action, resourceType: 'stored_values', details, also });
}
