// Verifies what payments derive from movements: running totals with a limit, daily usage, and the order in time.
import { DRAWS } from '../ledger/holds/tables.ts';
import { ALL_TYPES, MOVEMENT_TYPES, sqlType } from '../ledger/movement-types.ts';
import { type Check, rowsOf } from '../ledger/verification/findings.ts';

/** The running totals of payments of a request, and of a customer's requests on a UTC day; the ids follow. */
export const PAYMENTS_OF_REQUEST = 'payments-of:';
export const REQUESTS_OF_DAY = 'requests-of:';
/** The use of a quote, which pays once. */
export const USES_OF_QUOTE = 'quote:';

const RULES = {
  movement_type_unknown: 'a movement has a type that does not exist',
  seq_not_of_time: "the seq of a posting does not follow from its movement's time",
  daily_use_differs: "an account's daily usage is not the sum of its movements on that day",
  allowance_differs: 'a running total (refunds of a payment, daily totals, reversals) is not the sum of its movements',
} as const;

const DAILY_TYPES = ALL_TYPES.filter((type) => MOVEMENT_TYPES[type].countsDaily);

const DAY_MICROS = 86_400_000_000;
const MICROS = '(extract(epoch from m.at) * 1000000)::bigint';

// A hold counts on its day for what it reserves or what was captured of it; the capture itself does not count.
const USE_OF_HOLD = `case when e.outcome is null then h.daily_use when e.outcome = 'captured' and h.daily_use > 0
    then e.captured else 0 end`;
const DAILY_USES = `select p.account_id, p.seq, m.amount, m.from_account = p.account_id
      and m.type in (${DAILY_TYPES.map(sqlType).join(', ')}) and m.details -> 'hold_id' is null as counts,
      ${MICROS} / ${DAY_MICROS} as day
    from postings p join movements m on m.id = p.movement_id
  union all select h.account_id, (extract(epoch from h.at) * 1000000)::bigint, ${USE_OF_HOLD}, true, h.daily_on
    from holds h left join hold_ends e on e.hold_id = h.id`;

// A posting counts for the latest day so far: if another gateway's clock is behind at midnight, the later day counts.
const DAILY = `select a.id, a.daily_on, a.daily_used, coalesce(d.day, 0), coalesce(d.used, 0) from accounts a
  left join (select account_id, max(day) as day,
      sum(case when day = last_day and counts then amount else 0 end) as used
    from (select account_id, amount, counts, max(day) over (partition by account_id order by seq) as day,
        max(day) over (partition by account_id) as last_day
      from (${DAILY_USES}) each_use) each_day
    group by account_id) d on d.account_id = a.id
  where a.daily_used <> coalesce(d.used, 0) or (a.daily_used <> 0 and a.daily_on <> coalesce(d.day, 0))`;

const TIMES = `select account_id, seq, at from (
    select p.account_id, p.seq, ${MICROS} as at, lag(p.seq) over (partition by p.account_id order by p.seq) as before
    from postings p join movements m on m.id = p.movement_id) each_posting
  where seq <> greatest(at, coalesce(before + 1, at))`;

// What is drawn from holds is verified with them. Movements name the totals they count for. A payment request counts its payments, and so does its end without one; a quote
// counts its use, and a customer's day the requests made.
const NAMED = `select case when id like '${PAYMENTS_OF_REQUEST}%' or id like '${USES_OF_QUOTE}%' then 1 else amount end as amount, id from (
    select m.amount, json_array_elements_text(m.details -> 'allowances') as id from movements m
    where m.details -> 'allowances' is not null
    union all select h.amount, json_array_elements_text(h.details -> 'allowances') from holds h
    where h.details -> 'allowances' is not null and not h.ended) each_movement
  union all select used, '${PAYMENTS_OF_REQUEST}' || request_id from payment_request_ends where used > 0
  union all select 1, '${REQUESTS_OF_DAY}' || payee_id || ':' || floor(extract(epoch from created_at) / 86400)::bigint
    from payment_requests where payee_kind = 'subscriber'`;
const ALLOWANCES = `select coalesce(a.id, n.id), coalesce(a.used::text, 'none'), coalesce(n.total, 0)
  from allowances a full join (select id, sum(amount) as total from (${NAMED}) each_use group by id) n on n.id = a.id
  where coalesce(a.used, -1) <> coalesce(n.total, 0) and coalesce(a.id, '') not like '${DRAWS}%'`;

const TYPES = ALL_TYPES.map(sqlType);

export const DERIVED_TOTALS: Check = {
  rules: RULES,
  needsHistory: true,
  async run(connection, findings) {
    const unknown = `select id, type from movements where type not in (${TYPES.join(', ')})`;
    for await (const [id, type] of rowsOf(connection, 'unknown_types', unknown)) {
      findings.fault('movement_type_unknown', id as string, type as string);
    }
    for await (const [account, seq, at] of rowsOf(connection, 'posting_times', TIMES)) {
      findings.fault('seq_not_of_time', `${account} at seq ${seq}`, `its movement is of ${at}`);
    }
    for await (const [id, on, used, day, total] of rowsOf(connection, 'daily_uses', DAILY)) {
      findings.fault('daily_use_differs', id as string, `${used} on day ${on}, by the movements ${total} on ${day}`);
    }
    for await (const [id, used, total] of rowsOf(connection, 'all_allowances', ALLOWANCES)) {
      findings.fault('allowance_differs', id as string, `${used}, by the movements ${total}`);
    }
  },
};
