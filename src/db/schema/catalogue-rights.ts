// Queries who may do what in a database: rights on objects, roles and settings.
import { FUNCTION_NAME, IS_OWN, OWNER } from './catalogue-objects.ts';
import { APP_ROLE } from './migrate.ts';

/**
 * `app`: the role of the service and the logins that are members of it, but not owners and who administers the role.
 * `reach`: these, what they are members of, and everybody.
 */
export const ROLE_PARTS = `
  app as materialized (select r.* from pg_roles r where r.rolname = '${APP_ROLE}'
    or pg_has_role(r.oid, '${APP_ROLE}'::name, 'member') and not pg_has_role(r.oid, ${OWNER}, 'member')
      and not exists (select from pg_auth_members m where m.member = r.oid and m.roleid = '${APP_ROLE}'::regrole and m.admin_option)),
  reach as materialized (select 0::oid as oid union select r.oid from pg_roles r join app on pg_has_role(app.oid, r.oid, 'member'))`;

const NAME_OF_GRANTEE = `case when g.grantee = 0 then 'public' else coalesce((select rolname from pg_roles where oid = g.grantee), g.grantee::text) end`;

/** The rights of all but the owner, who has every right. `acl`: the column, and the default of PostgreSQL for its kind. */
const GRANTS = (what: string, from: string, owner: string, acl: string, where = 'true') => `
  select 'grant on ' || ${what} || ' to ' || ${NAME_OF_GRANTEE},
    string_agg(g.privilege_type || case when g.is_grantable then ' with grant option' else '' end, ', ' order by g.privilege_type)
  from ${from} cross join lateral aclexplode(${acl}) g where g.grantee <> ${owner} and ${where} group by 1`;

const RIGHTS = [
  GRANTS(`'table ' || c.name`, 'own c', 'c.relowner', 'c.relacl'),
  GRANTS(
    `'column ' || c.name || '.' || a.attname`,
    'own c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0',
    'c.relowner',
    'a.attacl',
  ),
  GRANTS(
    `'function ' || ${FUNCTION_NAME}`,
    `(select * from pg_proc p where ${IS_OWN('pg_proc', 'p')}) p`,
    'p.proowner',
    `coalesce(p.proacl, acldefault('f', p.proowner))`,
  ),
  GRANTS(
    `'schema ' || n.nspname`,
    'pg_namespace n',
    'n.nspowner',
    `coalesce(n.nspacl, acldefault('n', n.nspowner))`,
    `(n.nspname = 'public' or g.privilege_type = 'CREATE' and g.grantee in (table reach))`,
  ),
  GRANTS(
    `'the database'`,
    '(select * from pg_database where datname = current_database()) d',
    'd.datdba',
    'd.datacl',
    `g.privilege_type = 'CREATE' and g.grantee in (table reach)`,
  ),
  GRANTS(`'parameter ' || a.parname`, 'pg_parameter_acl a', '10', 'a.paracl', 'g.grantee in (table reach)'),
  // PostgreSQL's own tables and functions.
  ...[
    ['table', 'pg_class', 'rel'],
    ['function', 'pg_proc', 'pro'],
  ].map(([kind, catalogue, prefix]) =>
    GRANTS(
      `'${kind} ' || ${kind === 'table' ? 'o.oid::regclass' : 'o.oid::regprocedure'}`,
      `(select * from ${catalogue} o where not (${IS_OWN(String(catalogue), 'o')})) o`,
      `o.${prefix}owner`,
      `o.${prefix}acl`,
      'g.grantee in (select oid from app)',
    ),
  ),
];

/** Memberships that docs/operations.md recommends, or that only read. */
const HARMLESS_ROLES = `'pg_read_all_stats', 'pg_monitor', 'pg_read_all_settings', 'pg_stat_scan_tables'`;
/** Roles of PostgreSQL with which rows, files and programs of the server can be changed. */
const POWERFUL_ROLES = `'pg_write_all_data', 'pg_write_server_files', 'pg_read_server_files', 'pg_execute_server_program',
  'pg_create_subscription', 'pg_maintain'`;
const ATTRIBUTES = `concat_ws(' ', case when rolsuper then 'superuser' end, case when rolcreaterole then 'createrole' end,
  case when rolcreatedb then 'createdb' end, case when rolreplication then 'replication' end, case when rolbypassrls then 'bypassrls' end)`;

// Citus applies the role's settings on the workers (db/citus/distribute.ts).
const ON_A_CLUSTER = `exists (select from pg_extension where extname = 'citus') and s.setrole = '${APP_ROLE}'::regrole`;
const WORKER_SETTING = `setting ~ '^(enable_seqscan|enable_hashjoin|enable_mergejoin|jit)=off$'`;
/** Before PostgreSQL 15, and in managed databases, the schema belongs to the administrator of the server. */
const OWNERS_OF_PUBLIC = `'pg_database_owner', 'rds_superuser', 'cloudsqlsuperuser', 'azure_pg_admin'`;

const ROLES = `
  select 'role ' || rolname, concat_ws(' ', nullif(${ATTRIBUTES}, ''), 'without further rights') from pg_roles where rolname = '${APP_ROLE}'
  union all select 'role ' || rolname || ', a member of ${APP_ROLE}', ${ATTRIBUTES} from app where rolname <> '${APP_ROLE}' and ${ATTRIBUTES} <> ''
  union all select '${APP_ROLE} as member of ' || m.roleid::regrole, 'it is' from pg_auth_members m
    where m.member = '${APP_ROLE}'::regrole and m.roleid not in (select oid from pg_roles where rolname in (${HARMLESS_ROLES}))
  union all select app.rolname || ', a member of ${APP_ROLE}, as member of ' || r.rolname, 'it is' from app join pg_roles r
    on app.rolname <> '${APP_ROLE}' and r.oid not in (select oid from app) and pg_has_role(app.oid, r.oid, 'member')
      and (r.rolname in (${POWERFUL_ROLES}) or r.rolsuper or r.rolcreaterole or r.rolreplication or r.rolbypassrls)
  union all select 'owner of the database', app.rolname from pg_database d join app on app.oid = d.datdba where d.datname = current_database()
  union all select 'owner of the schema public', r.rolname from pg_namespace n join pg_roles r on r.oid = n.nspowner
    where n.nspname = 'public' and r.rolname not in (${OWNERS_OF_PUBLIC}) and not pg_has_role(r.oid, ${OWNER}, 'member')
      and r.oid <> (select datdba from pg_database where datname = current_database())
  union all select 'setting of ' || case when s.setrole = 0 then 'the database' else 'the role ' || s.setrole::regrole end, setting
    from pg_db_role_setting s cross join lateral unnest(s.setconfig) setting
    where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
      and (s.setrole = 0 or s.setrole in (select oid from app)
        or s.setrole in (select member from pg_auth_members where roleid = '${APP_ROLE}'::regrole)) and not (${ON_A_CLUSTER} and ${WORKER_SETTING})
  union all select 'setting of the server', 'session_replication_role=' || setting from pg_settings
    where name = 'session_replication_role' and setting <> 'origin'`;

/** Rows with the name and the definition of each right. */
export const WHO_MAY: readonly string[] = [ROLES, ...RIGHTS];
