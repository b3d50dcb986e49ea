-- Deletes expired idempotency keys (IDEMPOTENCY_DAYS). The service's role cannot delete requests; this function does it, for the
-- keys of API keys and users that are at least seven days old. The references of partners and the keys of the service itself
-- (settlements, matches, approvals) stay: they make a payment unique for ever.

create table request_pruning (
  -- Keys of movements before this instant may be missing.
  before timestamptz not null,
  -- HMAC of `before` with the key of the seals. Null: nothing was deleted yet.
  mac bytea,
  -- The next page of the table in the pass that is going on. Null: the pass is complete.
  page bigint
);
insert into request_pruning (before) values ('-infinity');

-- One step of a pass over the table, page by page: there is no index by time, which every payment would have to maintain. A pass
-- begins at most once a week. True: the pass is not complete.
create function prune_requests(until timestamptz, until_mac bytea, pages integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  state request_pruning;
  expired text collate "C";
begin
  select * into state from request_pruning for update skip locked;
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
  delete from requests
  where ctid >= format('(%s,0)', state.page)::tid and ctid < format('(%s,0)', state.page + pages)::tid
    and movement_id < expired and (starts_with(scope, 'key_') or starts_with(scope, 'usr_'));
  state.page := state.page + pages;
  if state.page >= pg_relation_size('requests') / current_setting('block_size')::bigint then
    state.page := null;
  end if;
  update request_pruning set before = state.before, mac = state.mac, page = state.page;
  return state.page is not null;
end $$;

revoke execute on function prune_requests(timestamptz, bytea, integer) from public;
grant execute on function prune_requests(timestamptz, bytea, integer) to kissi_app;
grant select on request_pruning to kissi_app;
