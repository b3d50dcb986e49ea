// Verifies that the schema has no triggers, rules, policies, views or functions that no migration creates.
//
// The owner of the database could use them to change rows while the service writes them, or to hide rows from it.
import { type Check, rowsOf } from '../ledger/verification/findings.ts';

const RULES = {
  database_object_unknown:
    'a trigger, rule, policy, view, inherited table or function exists that no migration creates, or its code was changed',
  database_object_missing: 'a trigger or function of a migration is missing, disabled or changed',
} as const;

/** The functions and triggers that the migrations create, with the MD5 of their code or definition. */
const KNOWN: Readonly<Record<string, string>> = {
  'function audit_head_moves_on()': '605fed46d06c94053048207a583d15cd',
  'function count_subscribers()': '6c4e914c699f2be3a38f2940e1f4abde',
  'function identity_number(text)': '59b04deb035dd1f0d1932a35564d7469',
  'function index_names()': 'ec0114a41e6b49371e7d208a72b20b36',
  'function open_commission_account()': 'a16ac479c1d9e01e7d2a40298b0618a8',
  'function prune_requests(timestamp with time zone,bytea,integer)': '77af3a90ef7a6e901a854cdd69374315',
  'function request_pages()': '1586127440550f043ed20e57425df8c5',
  'function search_keys(text)': '713793fe760ed7b294f9288fdce4992a',
  'function search_words(text)': '5b76ff6ef2e5a8921402dc4fd4c4bc8b',
  'trigger audit_head_moves_on on audit_head': 'ebef6c470fec119a02787d423899532d',
  'trigger count_subscribers on subscribers': '65794c9e3a267257defdee931bd431e9',
  'trigger index_names on agents': '1bec60d909757aaa52a0b46eba3d02d6',
  'trigger index_names on partners': '3b24af2b1c5405ccb3fd1bb06a17d5d9',
  'trigger index_names on processors': '5bf5718f515417b8bf1ea182400e7893',
  'trigger index_names on subscribers': '5e50673154d6676ad7f1016a63d4301e',
  'trigger open_commission_account on agents': '3783ef889a5112dbce61536a9e239179',
};

// Members of extensions and the internal triggers of foreign keys are not listed.
const OBJECTS = `with own as (select c.oid, c.relname, c.relkind, c.relrowsecurity or c.relforcerowsecurity as secured
    from pg_class c where c.relnamespace = (select relnamespace from pg_class where oid = 'seals'::regclass)
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
  select 'function ' || p.oid::regprocedure, md5(concat_ws(' ', p.prosrc, pg_get_function_sqlbody(p.oid), p.proconfig::text, p.prosecdef::text)) from pg_proc p
  where p.pronamespace = (select relnamespace from pg_class where oid = 'seals'::regclass)
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  union all select 'trigger ' || t.tgname || ' on ' || own.relname, md5(t.tgenabled::text || ' ' || pg_get_triggerdef(t.oid, true))
    from pg_trigger t join own on own.oid = t.tgrelid where not t.tgisinternal
  union all select 'rule ' || r.rulename || ' on ' || own.relname, '' from pg_rewrite r join own on own.oid = r.ev_class
  union all select 'policy ' || p.polname || ' on ' || own.relname, '' from pg_policy p join own on own.oid = p.polrelid
  union all select 'row-level security of ' || relname, '' from own where secured
  union all select 'view or foreign table ' || relname, '' from own where relkind in ('v', 'm', 'f')
  union all select 'inherited table ' || i.inhrelid::regclass, '' from pg_inherits i join own on own.oid = i.inhparent
    where own.relkind in ('r', 'p')
  union all select 'event trigger ' || evtname, '' from pg_event_trigger e
    where not exists (select from pg_depend d where d.classid = 'pg_event_trigger'::regclass and d.objid = e.oid and d.deptype = 'e')`;

export const DATABASE_OBJECTS: Check = {
  rules: RULES,
  async run(connection, findings) {
    const missing = new Set(Object.keys(KNOWN));
    for await (const [name, digest] of rowsOf(connection, 'database_objects', OBJECTS)) {
      if (KNOWN[name as string] === digest) missing.delete(name as string);
      else findings.fault('database_object_unknown', name as string, digest ? `its MD5 is ${digest}` : 'it exists');
    }
    for (const name of missing)
      findings.fault('database_object_missing', name, 'it does not exist as a migration creates it');
  },
};
