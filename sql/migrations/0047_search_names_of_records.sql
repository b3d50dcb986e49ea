-- no-transaction
-- Adds the names that exist to search_names. The triggers of 0046 add those of new and changed records meanwhile.
-- In slices: a change of a name waits for the slice of its record, so that no former name is added after it. Payments do not
-- change these tables and do not wait.
do $$
declare
  source record;
  last text;
  slice text[];
begin
  for source in
    select * from (values
      ('subscribers', 'subscriber', 'first_name, last_name'),
      ('agents', 'agent', 'business_name, first_name, last_name'),
      ('processors', 'processor', 'business_name, contact_name, merchant_id'),
      ('partners', 'partner', 'name')) as sources (relation, kind, columns)
  loop
    last := '';
    loop
      execute format('select array_agg(id order by id) from
        (select id from %I where id > $1 order by id limit 500 for share) locked', source.relation) into slice using last;
      exit when slice is null;
      execute format('insert into search_names (kind, key, record_id)
        select %L, key, id from %I cross join lateral search_keys(concat_ws('' '', %s)) as names (key) where id = any ($1)
        on conflict do nothing', source.kind, source.relation, source.columns) using slice;
      last := slice[array_upper(slice, 1)];
      commit;
    end loop;
  end loop;
end $$;
