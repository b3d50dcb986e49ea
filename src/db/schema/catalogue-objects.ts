// Queries the objects of a database, in every schema: tables with all that belongs to them, functions, types and others.
//
// They run with the search path CATALOGUE_PATH: a name without a schema is PostgreSQL's own.
import { DISTRIBUTED } from '../citus/distribute.ts';

export const CATALOGUE_PATH = 'pg_catalog, pg_temp';

/** Objects below this number are PostgreSQL's own. */
const FIRST_OWN_OID = 16_384;

/** Extensions that an installation may have (docs/operations.md). Their members are not compared. */
const EXTENSIONS = quoted(['citus', 'citus_columnar', 'pg_stat_statements', 'pgaudit']);
/** Every database has them. Their members are compared, so that nothing can be added to them. */
const OWN_EXTENSIONS = quoted(['plpgsql', 'pg_trgm']);
/** The event triggers of these extensions, and their functions. They run at every change of the schema, so no other may be a member. */
const EVENT_TRIGGERS = quoted([
  'citus_cascade_to_partition citus_drop_trigger',
  'pgaudit_ddl_command_end pgaudit_ddl_command_end',
  'pgaudit_sql_drop pgaudit_sql_drop',
]);

const IN_TEMPORARY_SCHEMA = (namespace: string) =>
  `${namespace} in (select oid from pg_namespace where nspname ~ '^pg_(toast_)?temp_[0-9]+$')`;
const IS_MEMBER = (catalogue: string, oid: string) =>
  `exists (select from member where classid = '${catalogue}'::regclass and objid = ${oid})`;
/** True of an object that no extension brings. */
export const IS_OWN = (catalogue: string, alias: string): string =>
  `${alias}.oid >= ${FIRST_OWN_OID} and not ${IS_MEMBER(catalogue, `${alias}.oid`)}`;
/** The name of one of the service's objects, or any other object's name with its schema. */
export const NAME = (namespace: string, name: string): string =>
  `case when ${namespace} = 'public'::regnamespace then '' else ${namespace}::regnamespace || '.' end || ${name}`;
/** As NAME, of the text of an object's identifier. */
const UNPREFIXED = (identifier: string) => `regexp_replace(${identifier}, '^public\\.', '')`;
export const ONE_LINE = (expression: string): string => `regexp_replace(${expression}, '\\s+', ' ', 'g')`;

/** The owner of the schema's first table may be a different role elsewhere, but it owns everything, or its members do. */
export const OWNER = `(select relowner from pg_class where oid = to_regclass('public.kysely_migration'))`;
const FOREIGN_OWNER = (owner: string) =>
  `case when not pg_has_role(${owner}, ${OWNER}, 'member') then 'owned by ' || ${owner}::regrole end`;

/** `own`: the relations that decide what a name means, but for copies of the session itself. */
export const PARTS = `
  member as materialized (select d.classid, d.objid from pg_depend d join pg_extension e on e.oid = d.refobjid
    where d.refclassid = 'pg_extension'::regclass and d.deptype = 'e' and e.extname not in (${OWN_EXTENSIONS})),
  own as materialized (select c.*, ${NAME('c.relnamespace', 'c.relname')} as name from pg_class c
    where c.oid >= ${FIRST_OWN_OID} and c.relkind <> 't' and not ${IN_TEMPORARY_SCHEMA('c.relnamespace')}
      and (not ${IS_MEMBER('pg_class', 'c.oid')} or c.relnamespace <> 'public'::regnamespace
        and c.relname in (select relname from pg_class where relnamespace = 'public'::regnamespace)))`;

/** The actions of foreign keys as pg_constraint names them. */
const ACTIONS = { a: 'noaction', r: 'restrict', c: 'cascade', n: 'setnull', d: 'setdefault' };
/** The function of PostgreSQL that keeps a foreign key `c` when a referenced row is changed or removed. */
const REFERENCED = (event: string, action: string) =>
  `case ${action} ${Object.entries(ACTIONS)
    .map(([letter, name]) => `when '${letter}' then 'RI_FKey_${name}_${event}'`)
    .join(' ')} end`;
/** For a foreign key `c`. The events are bits of tgtype (row 1, insert 4, delete 8, update 16). A trigger can fire for other events, or call another function. */
const HAS_ITS_TRIGGERS = `(select count(*) = 4 and count(distinct (tgrelid, p.proname)) = 4 and bool_and(
      t.tgisinternal and t.tgenabled = 'O' and t.tgqual is null and t.tgnargs = 0 and t.tgattr = '' and p.pronamespace = 'pg_catalog'::regnamespace
      and t.tgconstrindid = c.conindid and t.tgoldtable is null and t.tgnewtable is null
      and t.tgdeferrable = (c.condeferrable and p.proname ~ 'check|noaction') and t.tginitdeferred = (c.condeferred and p.proname ~ 'check|noaction')
      and (t.tgrelid, t.tgconstrrelid, t.tgtype, p.proname) in ((c.conrelid, c.confrelid, 5, 'RI_FKey_check_ins'), (c.conrelid, c.confrelid, 17, 'RI_FKey_check_upd'),
        (c.confrelid, c.conrelid, 9, ${REFERENCED('del', 'c.confdeltype')}), (c.confrelid, c.conrelid, 17, ${REFERENCED('upd', 'c.confupdtype')})))
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid where t.tgconstraint = c.oid)`;

const IS_PUBLIC = `own.relnamespace = 'public'::regnamespace`;
const TABLES = `
  select 'table ' || name, concat_ws(' ', case relpersistence when 'p' then 'logged' when 'u' then 'unlogged' else relpersistence::text end,
    'replica identity ' || relreplident::text, array_to_string(reloptions, ' '),
    case when not relhastriggers and exists (select from pg_trigger where tgrelid = own.oid) then 'without its triggers' end,
    case when not relhasindex and exists (select from pg_index where indrelid = own.oid) then 'without its indexes' end,
    case when relchecks <> (select count(*) from pg_constraint where conrelid = own.oid and contype = 'c') then 'without its checks' end,
    ${FOREIGN_OWNER('relowner')}) from own where relkind in ('r', 'p')
  union all select 'column ' || own.name || '.' || a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then 'not null' end, (select 'collate ' || oid::regcollation from pg_collation where oid = a.attcollation and collname <> 'default'),
    case when d.oid is not null then case when a.attgenerated = '' then 'default ' else 'generated ' end || ${ONE_LINE('pg_get_expr(d.adbin, d.adrelid)')} end,
    case when a.attidentity <> '' then 'identity ' || a.attidentity::text end)
    from pg_attribute a join own on own.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where own.relkind in ('r', 'p') and ${IS_PUBLIC} and a.attnum > 0 and not a.attisdropped
  union all select 'constraint ' || c.conname || ' on ' || own.name, concat_ws(' ', ${ONE_LINE('pg_get_constraintdef(c.oid)')},
    case when not c.convalidated then 'not validated' end,
    case when c.contype = 'f' and not ${HAS_ITS_TRIGGERS} then 'without its triggers' end)
    from pg_constraint c join own on own.oid = c.conrelid where ${IS_PUBLIC} and c.contype in ('c', 'f', 'p', 'u', 'x')
  union all select 'index ' || (select relname from pg_class where oid = i.indexrelid), concat_ws(' ', ${ONE_LINE('pg_get_indexdef(i.indexrelid)')},
    case when not i.indimmediate then 'deferred' end, case when not (i.indisvalid and i.indisready and i.indislive) then 'invalid' end)
    from pg_index i join own on own.oid = i.indrelid where ${IS_PUBLIC}
  union all select 'sequence ' || own.name, concat_ws(' ', s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcycle, s.seqcache,
    case when own.relpersistence <> 'p' then 'unlogged' end, ${FOREIGN_OWNER('own.relowner')})
    from pg_sequence s join own on own.oid = s.seqrelid
  union all select 'trigger ' || t.tgname || ' on ' || own.name, ${ONE_LINE('pg_get_triggerdef(t.oid)')}
    || case t.tgenabled when 'O' then '' else ' enabled ' || t.tgenabled::text end
    from pg_trigger t join own on own.oid = t.tgrelid
    where not t.tgisinternal or t.tgenabled <> 'O' or t.tgfoid >= ${FIRST_OWN_OID} and not ${IS_MEMBER('pg_proc', 't.tgfoid')}
  union all select 'rule ' || r.rulename || ' on ' || own.name, 'it exists' from pg_rewrite r join own on own.oid = r.ev_class
  union all select 'policy ' || p.polname || ' on ' || own.name, 'it exists' from pg_policy p join own on own.oid = p.polrelid
  union all select 'row-level security of ' || name, 'it is on' from own where relrowsecurity or relforcerowsecurity
  union all select 'view, foreign table or composite type ' || name, 'it exists' from own
    where relkind in ('v', 'm', 'f') or relkind = 'c' and not ${IS_MEMBER('pg_type', 'own.reltype')}
  union all select 'inherited table ' || i.inhrelid::regclass, 'it exists' from pg_inherits i join own on own.oid = i.inhparent
    where own.relkind in ('r', 'p')
  union all select 'temporary table ' || t.relname, 'it has the name of a table of the service' from pg_class t
    join own on own.name = t.relname where t.relnamespace = pg_my_temp_schema() and own.relkind in ('r', 'p')
      and t.relname not in (${quoted(DISTRIBUTED.map(([table]) => table))})`;

export const FUNCTION_NAME = UNPREFIXED('p.oid::regprocedure::text');
const FUNCTIONS = `
  select 'function ' || ${FUNCTION_NAME}, concat_ws(' ', l.lanname, p.provolatile, 'parallel ' || p.proparallel::text,
    case when p.proisstrict then 'strict' end, case when p.proleakproof then 'leakproof' end,
    case when p.prosecdef then 'security definer' end, array_to_string(p.proconfig, ' '), 'returns ' || pg_get_function_result(p.oid),
    case when p.prosupport <> 0 then 'support ' || p.prosupport end, ${FOREIGN_OWNER('p.proowner')},
    'md5 ' || md5(concat_ws(' ', p.prosrc, p.probin, pg_get_function_arguments(p.oid), pg_get_function_sqlbody(p.oid))))
  from pg_proc p join pg_language l on l.oid = p.prolang where ${IS_OWN('pg_proc', 'p')} and not ${IN_TEMPORARY_SCHEMA('p.pronamespace')}`;

/** What the migrations make none of, except for the extension pg_trgm. */
const OTHERS = [
  [
    'cast',
    'pg_cast',
    `${UNPREFIXED('format_type(o.castsource, null)')} || ' as ' || format_type(o.casttarget, null)`,
    'o.castfunc::regprocedure',
  ],
  ['operator', 'pg_operator', UNPREFIXED('o.oid::regoperator::text'), 'o.oprcode'],
  ['operator class', 'pg_opclass', NAME('o.opcnamespace', 'o.opcname'), 'o.opcintype::regtype'],
  ['operator family', 'pg_opfamily', NAME('o.opfnamespace', 'o.opfname')],
  ['language', 'pg_language', 'o.lanname'],
  ['access method', 'pg_am', 'o.amname'],
  ['conversion', 'pg_conversion', NAME('o.connamespace', 'o.conname')],
  ['transform', 'pg_transform', 'o.trftype::regtype'],
  ['text search configuration', 'pg_ts_config', NAME('o.cfgnamespace', 'o.cfgname')],
  ['text search dictionary', 'pg_ts_dict', NAME('o.dictnamespace', 'o.dictname')],
  ['text search parser', 'pg_ts_parser', NAME('o.prsnamespace', 'o.prsname')],
  ['text search template', 'pg_ts_template', NAME('o.tmplnamespace', 'o.tmplname')],
  ['foreign data wrapper', 'pg_foreign_data_wrapper', 'o.fdwname'],
  ['foreign server', 'pg_foreign_server', 'o.srvname'],
].map(
  ([kind, catalogue, name, definition = `'it exists'`]) =>
    `select '${kind} ' || ${name}, ${definition}::text from ${catalogue} o where ${IS_OWN(String(catalogue), 'o')}`,
);

/** Operators and functions of an index: the family they belong to has no number that is the same everywhere. */
const FAMILIES = `
  select 'operator ' || o.amopopr::regoperator || ' of family ' || ${NAME('f.opfnamespace', 'f.opfname')}, o.amopstrategy::text
    from pg_amop o join pg_opfamily f on f.oid = o.amopfamily where o.oid >= ${FIRST_OWN_OID} and not ${IS_MEMBER('pg_opfamily', 'f.oid')}
  union all select 'function ' || o.amprocnum || ' of family ' || ${NAME('f.opfnamespace', 'f.opfname')} || ' for '
      || o.amproclefttype::regtype || ' and ' || o.amprocrighttype::regtype, o.amproc::text
    from pg_amproc o join pg_opfamily f on f.oid = o.amprocfamily where o.oid >= ${FIRST_OWN_OID} and not ${IS_MEMBER('pg_opfamily', 'f.oid')}`;

const UNOWNED = `
  select 'event trigger ' || evtname, 'it exists' from pg_event_trigger t join pg_proc p on p.oid = t.evtfoid
    where not (${IS_MEMBER('pg_event_trigger', 't.oid')} and ${IS_MEMBER('pg_proc', 'p.oid')}
      and evtname || ' ' || p.proname in (${EVENT_TRIGGERS}))
  union all select 'publication ' || pubname, 'it exists' from pg_publication
  union all select 'subscription ' || subname, 'it exists' from pg_subscription
  union all select 'default rights ' || defaclrole::regrole, 'it exists' from pg_default_acl
  union all select 'extension ' || extname, 'it exists' from pg_extension
    where extname not in (${OWN_EXTENSIONS}, ${EXTENSIONS})`;

// A server imports the collations of its operating system again after an update; those that columns name are not among them.
const TYPES = `
  select 'schema ' || n.nspname, 'it exists' from pg_namespace n
  where ${IS_OWN('pg_namespace', 'n')} and not ${IN_TEMPORARY_SCHEMA('n.oid')}
  union all select 'type ' || ${UNPREFIXED('t.oid::regtype::text')}, t.typtype::text from pg_type t
    where t.typtype in ('d', 'e', 'r', 'm', 'b') and t.typelem = 0 and ${IS_OWN('pg_type', 't')} and not ${IN_TEMPORARY_SCHEMA('t.typnamespace')}
  union all select 'collation ' || ${NAME('o.collnamespace', 'o.collname')}, 'it exists' from pg_collation o where ${IS_OWN('pg_collation', 'o')}
    and (o.collnamespace <> 'pg_catalog'::regnamespace or o.collname in ('C', 'POSIX', 'default'))`;

/** Rows with the name and the definition of each object. */
export const OBJECTS: readonly string[] = [UNOWNED, TYPES, TABLES, FUNCTIONS, ...OTHERS, FAMILIES];

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
