// Counts the stored values that need each key.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { createCodeKeys } from '../../features/customer-payments/cash-out-code.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import type { KeyRing } from '../../kernel/key-ring.ts';
import { openKeys } from '../../ledger/seals/closing.ts';
import { COLUMNS, ID_SQL, type KeyName, SHORT_LIVED } from './stored-values.ts';

export interface KeyUse {
  name: KeyName;
  id: string;
  /** A table, or a chain. */
  where: string;
  count: number;
  /** The values expire: nothing rewrites them. */
  expires: boolean;
}

/** Reads whole tables. */
export async function countUses(queries: Queries, clock: Clock, ring: KeyRing): Promise<KeyUse[]> {
  const uses: KeyUse[] = [];
  for (const name of ['MASTER_KEY', 'PIN_PEPPER'] as const) {
    for (const { table, column } of COLUMNS[name]) {
      const counted = await countIds(queries, ID_SQL[name](column), table, `${column} is not null`);
      uses.push(...counted.map((each) => ({ name, where: `${table}.${column}`, expires: false, ...each })));
    }
    for (const { table, column, until } of SHORT_LIVED[name]) {
      const isLive = `${column} is not null and ${until} > '${iso(clock.now())}'`;
      const counted = await countIds(queries, ID_SQL[name](column), table, isLive);
      uses.push(...counted.map((each) => ({ name, where: `${table}.${column}`, expires: true, ...each })));
    }
  }
  return merged([...uses, ...(await countCodes(queries, clock, ring)), ...(await countOpenChains(queries))]);
}

/** A wrapped hash needs each pepper that it names. */
async function countIds(queries: Queries, idSql: string, table: string, where: string) {
  const { rows } = await sql<{ ids: string; count: string }>`
    select ${sql.raw(idSql)} as ids, count(*) as count from ${sql.table(table)}
    where ${sql.raw(where)} and ${sql.raw(idSql)} is not null group by 1 order by 1`.execute(queries);
  return rows.flatMap(({ ids, count }) => ids.split('+').map((id) => ({ id, count: Number(count) })));
}

/** Cash-out codes name their key by an id of its own. */
async function countCodes(queries: Queries, clock: Clock, ring: KeyRing): Promise<KeyUse[]> {
  const keys = createCodeKeys(ring);
  const { rows } = await sql<{ key_id: string; count: string }>`
    select key_id, count(*) as count from cash_out_codes where expires_at > ${new Date(clock.now())} and not void
    group by 1`.execute(queries);
  return rows.map(({ key_id, count }) => ({
    ...{ name: 'MASTER_KEY', id: keys.masterKeyId(key_id) ?? `unknown (${key_id})`, where: 'cash_out_codes' },
    ...{ count: Number(count), expires: true },
  }));
}

/** Chains whose key has not ended: their next seals need it. */
async function countOpenChains(queries: Queries): Promise<KeyUse[]> {
  const open = (await openKeys(queries, '')).map((id) => ({ id, where: 'seals of the ledger' }));
  const { rows } = await sql<{ id: string }>`
    select coalesce((select new_key from key_closings where chain = 'audit' order by number desc limit 1), 'k1') as id
    from audit_head where seq > 0`.execute(queries);
  const all = [...open, ...rows.map(({ id }) => ({ id, where: 'the audit chain' }))];
  return all.map((each) => ({ name: 'MASTER_KEY', count: 1, expires: false, ...each }));
}

function merged(uses: readonly KeyUse[]): KeyUse[] {
  const byPlace = Map.groupBy(uses, ({ name, id, where }) => `${name} ${id} ${where}`);
  return [...byPlace.values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ ...first, count: same.reduce((sum, { count }) => sum + count, 0) }] : [];
  });
}
