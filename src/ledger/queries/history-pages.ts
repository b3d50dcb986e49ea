// Movements' pages in the order of their ids, with the kinds of their accounts, for replays.
import { type RawBuilder, sql } from 'kysely';
import { isDistributed } from '../../db/citus/queries.ts';
import type { Queries } from '../../db/database.ts';
import type { AccountKind } from '../account-kinds.ts';
import { type MovementType, sqlType } from '../movement-types.ts';

export interface ReplayedMovement {
  id: string;
  type: MovementType;
  amount: number;
  fee: number;
  fromAccount: string;
  toAccount: string;
  fromKind: AccountKind;
  toKind: AccountKind;
  /** Milliseconds since 1970. */
  at: number;
}

interface PageRequest {
  after: string;
  below: string;
  types: readonly MovementType[];
  limit: number;
}

interface PageRow {
  last: string | null;
  scanned: number;
  /** Null: no movement of the page has one of the types. */
  id: string | null;
  type: MovementType;
  amount: number;
  fee: number;
  from_account: string;
  to_account: string;
  from_kind: AccountKind;
  to_kind: AccountKind;
  at: Date;
}

interface Page {
  last: string | null;
  scanned: number;
  movements: ReplayedMovement[];
}

/** Types without the index movements_by_type. */
const FREQUENT: readonly MovementType[] = ['transfer_p2p', 'pos_payment', 'agent_cashin'];

export function haveIndex(types: readonly MovementType[]): boolean {
  return types.every((type) => !FREQUENT.includes(type));
}

const KINDS = {
  kinds: sql``,
  kindOf: (alias: string, id: string) =>
    sql.raw(`left join lateral (select kind from accounts where id = ${id} limit 1) ${alias} on true`),
};
/** A page's accounts are not on its movements' shards. */
const KINDS_ON_CITUS = {
  kinds: sql`, ids as materialized (select from_account as id from page union select to_account from page),
    kinds as materialized (select a.id, a.kind from accounts a where a.id in (select id from ids))`,
  kindOf: (alias: string, id: string) => sql.raw(`left join kinds ${alias} on ${alias}.id = ${id}`),
};

export async function readPage(queries: Queries, request: PageRequest): Promise<Page> {
  const { types } = request;
  const { kinds, kindOf } = isDistributed(queries) ? KINDS_ON_CITUS : KINDS;
  const { rows } = await sql<PageRow>`with page as materialized (${pageOf(request)})${kinds}
    select scan.last, scan.scanned, m.* from (select max(id) as last, count(*) as scanned from page) scan
    left join lateral (select p.*, payer.kind as from_kind, payee.kind as to_kind from page p
      ${kindOf('payer', 'p.from_account')} ${kindOf('payee', 'p.to_account')}
      where p.type = any (${[...types]}::text[])) m on true`.execute(queries);
  const [first] = rows;
  return { last: first?.last ?? null, scanned: first?.scanned ?? 0, movements: rows.flatMap(movementOf) };
}

/** All movements by id, or only those of the types, if these have an index. */
function pageOf({ after, below, types, limit }: PageRequest): RawBuilder<unknown> {
  const select = (condition: RawBuilder<unknown>) => sql`(select id, type, amount, fee, from_account, to_account, at
    from movements where id > ${after} and id < ${below} and ${condition} order by id limit ${limit})`;
  if (!haveIndex(types)) return select(sql`true`);
  // The planner uses the partial index only for a literal.
  const ofTypes = types.map((type) => select(sql`type = ${sql.raw(sqlType(type))}`));
  return sql`select * from (${sql.join(ofTypes, sql` union all `)}) found order by id limit ${limit}`;
}

function movementOf(row: PageRow): ReplayedMovement[] {
  const { id, type, amount, fee, from_account, to_account, from_kind, to_kind, at } = row;
  if (id === null) return [];
  const accounts = { fromAccount: from_account, toAccount: to_account, fromKind: from_kind, toKind: to_kind };
  return [{ id, type, amount, fee, ...accounts, at: at.getTime() }];
}
