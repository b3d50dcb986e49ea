// How the coordinator of a Citus cluster logs in to its workers: as the user or role of the session.
import { sql } from 'kysely';
import type { Queries } from '../database.ts';
import { statement } from '../driver/statement.ts';
import { APP_ROLE } from '../schema/migrate.ts';

/** Another login than the owner's takes the service's role, so that workers need no other one. */
export const AS_SERVICE = statement(
  'citus-as-service',
  `select set_config('role', '${APP_ROLE}', false) from pg_class c, pg_roles r
  where c.oid = 'accounts'::regclass and r.rolname = current_user and r.oid <> c.relowner and not r.rolsuper
    and pg_has_role(current_user, '${APP_ROLE}', 'member')`,
);

export interface UnreachableWorker {
  /** Host and port. */
  worker: string;
  reason: string;
}

/** Also empty if the caller may not take the role: then it is unknown. */
export async function unreachableWorkers(queries: Queries): Promise<UnreachableWorker[]> {
  return queries.transaction().execute(async (trx) => {
    const { rows: rights } = await sql<{ may: boolean }>`
      select pg_has_role(current_user, ${APP_ROLE}, 'member') as may`.execute(trx);
    if (!rights[0]?.may) return [];
    await sql`select set_config('role', ${APP_ROLE}, true)`.execute(trx);
    const { rows } = await sql<UnreachableWorker>`select nodename || ':' || nodeport as worker, result as reason
      from run_command_on_workers('select 1') where not success order by 1`.execute(trx);
    return rows;
  });
}
