-- Request ids belong to the party for whom a request acts, not to the credential that sends it. The party of a request that waits
-- for approval is stored with its input.
drop index approvals_request_id;
create unique index approvals_request_id on approvals ((input ->> 'party'), request_id) where request_id is not null;

-- The keys of parties expire now, instead of those of API keys and users. The references of partners and the keys of the service
-- itself stay as before.
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
    and movement_id < expired and (scope = 'operator' or scope ~ '^(sub|agent|proc|ptn|key|usr)_');
  state.page := state.page + pages;
  if state.page >= request_pages() then
    state.page := null;
  end if;
  update public.request_pruning set before = state.before, mac = state.mac, page = state.page;
  return state.page is not null;
end $$;

revoke execute on function prune_requests(timestamptz, bytea, integer) from public;
grant execute on function prune_requests(timestamptz, bytea, integer) to kissi_app;
