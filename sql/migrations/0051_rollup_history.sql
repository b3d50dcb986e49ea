-- Counts the movements of earlier versions, as chain 0 of the roll-ups. All sums are of one instant. What gateways of an earlier
-- version post afterwards is counted by ledger:seal-history, which repeats all of it.
set transaction isolation level repeatable read;

insert into movement_rollups (hour, chain, type, count, amount, fee, commission)
select floor(extract(epoch from at) / 3600)::integer, 0, type, count(*), sum(amount), sum(fee),
  sum(coalesce((details #>> '{earned,payer}')::numeric, 0) + coalesce((details #>> '{earned,payee}')::numeric, 0))
from movements group by 1, 3;

insert into account_rollups (hour, chain, kind, change, active_in_hour, active_in_day, active_in_week)
select hour, 0, kind, sum(amount), count(*) filter (where before < hour * 3600000000),
  count(*) filter (where before < hour / 24 * 86400000000),
  count(*) filter (where before < (hour / 24 - (hour / 24 + 3) % 7) * 86400000000)
from (select a.kind, p.amount, floor(extract(epoch from m.at) / 3600)::bigint as hour,
    lag(p.seq, 1, 0::bigint) over (partition by p.account_id order by p.seq) as before
  from postings p join movements m on m.id = p.movement_id join accounts a on a.id = p.account_id) each_posting
group by hour, kind;

insert into account_rollups (hour, chain, kind, change, active_in_hour, active_in_day, active_in_week)
select 0, 0, kind, sum(change), 0, 0, 0 from account_rollups where chain = 0 group by kind;
