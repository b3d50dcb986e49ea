-- The words of names, for the search: any word, by its start, whatever its case and accents.
-- Payments change no names, so they do not write here. 0047 adds the names that exist.

-- The first eight distinct words, in lower case and without accents. Apostrophes are dropped: N'Diaye is one word. Code points
-- instead of character classes, so that the words do not depend on the locale. The length is bounded for the index.
create function search_words(name text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(word order by position), '{}') from (
    select left(word, 64) collate "C" as word, min(position) as position
    from regexp_split_to_table(
      lower(regexp_replace(normalize(name, nfkd), '[\u0027\u02bc\u2018\u2019\u0300-\u036f]', '', 'g') collate "default"),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2212\ufeff]+') with ordinality as split (word, position)
    where word <> '' group by 1 order by 2 limit 8) words
$$;

-- Every word followed by every other word, or a single word alone. One range of the primary key then finds the names with a word
-- that starts with a text, or with a word and another word that starts with a text, in either order.
create function search_keys(name text) returns setof text language sql immutable strict parallel safe as $$
  select one.word || coalesce(' ' || other.word, '')
  from unnest(search_words(name)) with ordinality as one (word, position)
  left join unnest(search_words(name)) with ordinality as other (word, position) on other.position <> one.position
$$;

create table search_names (
  kind text collate "C" not null,
  key text collate "C" not null,
  record_id text collate "C" not null,
  primary key (kind, key, record_id)
);
grant select, insert, delete on search_names to kissi_app;

-- A trigger, so that gateways of the previous version maintain the words too. Its arguments are the kind and the columns.
create function index_names() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from search_names using search_keys((select string_agg(to_jsonb(old) ->> name, ' ' order by position)
      from unnest(tg_argv) with ordinality as argument (name, position) where position > 1)) as former (key)
    where search_names.kind = tg_argv[0] and search_names.key = former.key and search_names.record_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into search_names (kind, key, record_id)
    select tg_argv[0], key, new.id from search_keys((select string_agg(to_jsonb(new) ->> name, ' ' order by position)
      from unnest(tg_argv) with ordinality as argument (name, position) where position > 1)) as current (key)
    on conflict do nothing;
  end if;
  return null;
end $$;

create trigger index_names after insert or delete or update of first_name, last_name on subscribers
for each row execute function index_names('subscriber', 'first_name', 'last_name');
create trigger index_names after insert or delete or update of business_name, first_name, last_name on agents
for each row execute function index_names('agent', 'business_name', 'first_name', 'last_name');
create trigger index_names after insert or delete or update of business_name, contact_name, merchant_id on processors
for each row execute function index_names('processor', 'business_name', 'contact_name', 'merchant_id');
create trigger index_names after insert or delete or update of name on partners
for each row execute function index_names('partner', 'name');
