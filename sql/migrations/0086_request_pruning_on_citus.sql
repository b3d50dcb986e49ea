-- On a Citus cluster a pass over the idempotency keys ends where the largest shard of the table ends. The table itself is empty
-- there: its rows are in shards on other servers, and a deletion by page deletes those pages of every shard.

-- The size of the table in pages: of its largest shard if it is distributed.
create function request_pages() returns bigint language plpgsql set search_path = public, pg_temp as $$
declare
  size bigint := pg_relation_size('requests');
  largest bigint;
begin
  if to_regclass('pg_catalog.pg_dist_shard') is not null then
    -- What a shard answers instead of a number is an error.
    execute $citus$
      select max(shard.result::bigint)
      from (select distinct logicalrelid as id from pg_dist_shard where logicalrelid = 'requests'::regclass) distributed,
        run_command_on_shards(distributed.id, 'select pg_relation_size(''%s'')') shard
    $citus$ into largest;
  end if;
  return greatest(size, largest) / current_setting('block_size')::bigint;
end $$;

-- Citus creates the function on the workers of a cluster too. They do not have request_pruning: without its schema the name would
-- be that of a temporary table of the caller, who could then delete any key.
create or replace function prune_requests(until timestamptz, until_mac bytea, pages integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  state public.request_pruning;
  expired text collate "C";
begin
  select * into state from public.request_pruning for update skip locked;
  if not found then
    return false;
  end if;
  if state.page is null then
    if until < state.before + interval '7 days' then
      return false;
    end if;
    if until > now() - interval '7 days' or until_mac is null then
      raise exception 'idempotency keys are kept for at least seven days';
    end if;
    state.before := until;
    state.mac := until_mac;
    state.page := 0;
  end if;
  -- Movement ids begin with their time: ten characters of five bits each.
  select 'txn_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
      1 + ((extract(epoch from state.before) * 1000)::bigint >> 5 * place & 31)::integer, 1), '' order by place desc)
    into expired from generate_series(0, 9) place;
  delete from public.requests
  where ctid >= format('(%s,0)', state.page)::tid and ctid < format('(%s,0)', state.page + pages)::tid
    and movement_id < expired and (starts_with(scope, 'key_') or starts_with(scope, 'usr_'));
  state.page := state.page + pages;
  if state.page >= request_pages() then
    state.page := null;
  end if;
  update public.request_pruning set before = state.before, mac = state.mac, page = state.page;
  return state.page is not null;
end $$;

revoke execute on function request_pages() from public;
-- Again: on workers the function is new.
revoke execute on function prune_requests(timestamptz, bytea, integer) from public;
grant execute on function prune_requests(timestamptz, bytea, integer) to kissi_app;
