// Distributes the ledger's tables over the workers of a Citus cluster, in one transaction. Everything else stays on the coordinator.
import { sql } from 'kysely';
import { plural } from '../../kernel/plural.ts';
import type { DatabaseTransaction, Queries } from '../database.ts';
import { APP_ROLE } from '../schema/migrate.ts';
import { unreachableWorkers } from './workers.ts';

/** What stops a distribution. The message tells operators what to do. */
export class DistributionError extends Error {}

/** One statement, and what it does. */
export interface Step {
  what: string;
  statement: string;
  /** It is about the service's role, not about a table. */
  isOfRole?: true;
}

/** Their columns. The first is distributed by itself; the others are co-located with it: rows with equal keys are on the same worker. */
export const DISTRIBUTED: readonly (readonly [table: string, column: string])[] = [
  ['accounts', 'id'],
  ['postings', 'account_id'],
  ['account_checkpoints', 'account_id'],
  ['movements', 'id'],
  ['requests', 'request_id'],
  ['allowances', 'id'],
];

/** Workers plan the service's statements by index, as the service's own connections do; see `BY_INDEX` in database.ts. */
const WORKER_SETTINGS = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'];

interface ClusterState {
  version: string | null;
  workers: number;
  distributed: string[];
  canLogIn: boolean;
  settings: string[];
  sessions: number;
}

/** The steps that are missing. Empty: the ledger is distributed. */
export async function planDistribution(queries: Queries): Promise<Step[]> {
  const state = await stateOf(queries);
  const { version, workers, distributed } = state;
  if (version === null) throw new DistributionError('The extension citus is not created in this database.');
  if (workers === 0)
    throw new DistributionError('The cluster has no worker: add one with citus_add_node, then try again.');
  const missing = DISTRIBUTED.filter(([table]) => !distributed.includes(table));
  const [first] = DISTRIBUTED;
  return [
    ...roleSteps(state),
    ...missing.map(([table, column]) => tableStep(table, column, table === first?.[0] ? workers : null)),
  ];
}

function roleSteps({ canLogIn, settings }: ClusterState): Step[] {
  const missing = WORKER_SETTINGS.filter((name) => !settings.includes(`${name}=off`));
  return [
    ...(canLogIn
      ? []
      : [
          {
            what: 'Workers accept connections of the service',
            statement: `alter role ${APP_ROLE} login`,
            isOfRole: true as const,
          },
        ]),
    ...missing.map((name) => ({
      what: `Workers plan by index (${name})`,
      statement: `alter role ${APP_ROLE} set ${name} = off`,
      isOfRole: true as const,
    })),
  ];
}

/** One shard per worker: a payment's cost grows with the number of shards that its batch touches. */
function tableStep(table: string, column: string, shards: number | null): Step {
  const place = shards === null ? `colocate_with => 'accounts'` : `colocate_with => 'none', shard_count => ${shards}`;
  return {
    what: shards === null ? `Distribute ${table} like accounts` : `Distribute ${table} over ${plural(shards, 'shard')}`,
    statement: `select create_distributed_table('${table}', '${column}', ${place})`,
  };
}

/** Before the tables are distributed: the coordinator must be able to log in to the workers as the service's role. */
export async function prepareRole(queries: Queries, steps: readonly Step[]): Promise<void> {
  for (const { statement, isOfRole } of steps) if (isOfRole) await sql.raw(statement).execute(queries);
  const [failed] = await unreachableWorkers(queries);
  if (!failed) return;
  throw new DistributionError(
    `The coordinator cannot log in to ${failed.worker} as ${APP_ROLE} (${failed.reason.trim()}): ` +
      'allow it in pg_hba.conf of the workers, and if it needs a password, set it and add it to .pgpass of the servers.',
  );
}

/** All or nothing: a gateway must never see some of the tables distributed. */
export async function distribute(trx: DatabaseTransaction, steps: readonly Step[]): Promise<void> {
  await assertNoGateway(trx);
  // Several tables in one transaction share the connections to the workers.
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(trx);
  for (const { statement } of steps) await sql.raw(statement).execute(trx);
  // The rows have other positions now: a pass over the idempotency keys begins again.
  await trx.updateTable('request_pruning').set({ page: 0 }).where('page', 'is not', null).execute();
  // A gateway that has started since would take the database for one PostgreSQL.
  await assertNoGateway(trx);
}

async function assertNoGateway(trx: DatabaseTransaction): Promise<void> {
  // Otherwise the view shows what it showed first in the transaction.
  await sql`select pg_stat_clear_snapshot()`.execute(trx);
  const { sessions } = await stateOf(trx);
  if (sessions === 0) return;
  throw new DistributionError(
    `The service is connected (${plural(sessions, 'session')}): stop all gateways, then try again.`,
  );
}

/** The distributed tables of which the coordinator still has the rows that were there before. */
export async function localCopies(queries: Queries): Promise<string[]> {
  const names = DISTRIBUTED.map(([table]) => table);
  const { rows } = await sql<{ name: string }>`select logicalrelid::text as name from pg_dist_partition
    where logicalrelid::text = any(${names}) and pg_relation_size(logicalrelid) > 0 order by 1`.execute(queries);
  return rows.map(({ name }) => name);
}

/** Deletes these copies. */
export async function truncateLocalCopies(queries: Queries, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(queries);
  }
}

async function stateOf(queries: Queries): Promise<ClusterState> {
  const { rows: extensions } = await sql<{ extversion: string }>`
    select extversion from pg_extension where extname = 'citus'`.execute(queries);
  const version = extensions[0]?.extversion ?? null;
  const { rows: roles } = await sql<{ rolcanlogin: boolean; settings: string[] }>`
    select rolcanlogin, coalesce(rolconfig, '{}') as settings from pg_roles where rolname = ${APP_ROLE}`.execute(
    queries,
  );
  const { rows: others } = await sql<{ count: string }>`select count(*) from pg_stat_activity
    where datname = current_database() and application_name = 'kissi' and pid <> pg_backend_pid()`.execute(queries);
  const role = { canLogIn: roles[0]?.rolcanlogin ?? false, settings: roles[0]?.settings ?? [] };
  const state = { version, ...role, sessions: Number(others[0]?.count ?? 0) };
  if (version === null) return { ...state, workers: 0, distributed: [] };
  const { rows: nodes } = await sql<{ count: string }>`select count(*) from pg_dist_node
    where isactive and shouldhaveshards and noderole = 'primary'`.execute(queries);
  const { rows: tables } = await sql<{ name: string }>`select logicalrelid::text as name from pg_dist_partition
    where partmethod = 'h'`.execute(queries);
  return { ...state, workers: Number(nodes[0]?.count ?? 0), distributed: tables.map(({ name }) => name) };
}
