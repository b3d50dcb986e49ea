// What the checks read from the database.
import { type RawBuilder, sql } from 'kysely';
import { EXTERNAL_ROLES } from '../../auth/caller.ts';
import type { Queries } from '../../db/database.ts';

async function one<Row>(queries: Queries, query: RawBuilder<Row>): Promise<Row> {
  const { rows } = await query.execute(queries);
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no row');
  return row;
}

export interface DatabaseConnection {
  /** Such as TLSv1.3; null: not encrypted. */
  version: string | null;
  /** Null: a Unix socket. */
  address: string | null;
}

/** PostgreSQL tells about a connection only the login that opened it, which is another role than the one of its queries. */
export function connection(queries: Queries): Promise<DatabaseConnection> {
  return queries.transaction().execute(async (trx) => {
    await sql`set local role none`.execute(trx);
    return one(
      trx,
      sql<DatabaseConnection>`select case when ssl then version end as version, host(inet_server_addr()) as address
        from pg_stat_ssl where pid = pg_backend_pid()`,
    );
  });
}

export async function serverVersion(queries: Queries): Promise<string> {
  return (await one(queries, sql<{ version: string }>`select current_setting('server_version') as version`)).version;
}

/** Those of the settings that are off. */
export async function settingsOff(queries: Queries, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from unnest(${names}::text[]) as name
    where current_setting(name) = 'off'`.execute(queries);
  return rows.map(({ name }) => name);
}

export function databaseTime(queries: Queries): Promise<{ at: number; address: string | null }> {
  return one(
    queries,
    sql<{ at: number; address: string | null }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at,
      host(inet_server_addr()) as address`,
  );
}

/** Logins without rights to see more of the others still see that they are connected. */
export function standbys(queries: Queries): Promise<{ connected: number; synchronous: boolean }> {
  return one(
    queries,
    sql<{ connected: number; synchronous: boolean }>`select count(*)::int as connected,
      current_setting('synchronous_standby_names') <> '' as synchronous from pg_stat_replication`,
  );
}

export interface ReplicaState {
  inRecovery: boolean;
  lagSeconds: number;
}

export function replicaState(queries: Queries): Promise<ReplicaState> {
  return one(
    queries,
    sql<ReplicaState>`select pg_is_in_recovery() as "inRecovery",
      case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
        else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0) end::float8
        as "lagSeconds"`,
  );
}

/** A backup names the server it was made of. */
export async function systemIdentifier(queries: Queries): Promise<string> {
  const found = await one(
    queries,
    sql<{ identifier: string }>`select system_identifier::text as identifier from pg_control_system()`,
  );
  return found.identifier;
}

export async function staffWithoutFactor(queries: Queries): Promise<number> {
  const { count } = await queries
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', 'active')
    .where('second_factor_at', 'is', null)
    .where('role', 'not in', EXTERNAL_ROLES)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function activeAdministrators(queries: Queries): Promise<string[]> {
  const rows = await queries
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'system_admin')
    .where('status', '=', 'active')
    .execute();
  return rows.map(({ id }) => id);
}

export async function knownPartners(queries: Queries, ids: readonly string[]): Promise<string[]> {
  const rows = await queries.selectFrom('partners').select('id').where('id', 'in', ids).execute();
  return rows.map(({ id }) => id);
}

/** Keys that nothing needs any more. */
export async function retiredKeys(queries: Queries, name: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from retired_keys where name = ${name} order by id`.execute(
    queries,
  );
  return rows.map(({ id }) => id);
}

/** The keys that running gateways write under. */
export async function writtenKeys(queries: Queries, name: string): Promise<string[]> {
  const { rows } = await sql<{ writes: string }>`select distinct writes from gateway_keys
    where name = ${name} and announced_until > now() order by writes`.execute(queries);
  return rows.map(({ writes }) => writes);
}
