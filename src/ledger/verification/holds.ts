// Verifies holds: what each account's holds reserve, how each one ended, and the movements that captured them.
import { DRAWS } from '../holds/tables.ts';
import { type Check, rowsOf } from './findings.ts';

const RULES = {
  held_differs: 'what is reserved of an account is not the sum of its active holds, less what was drawn from them',
  hold_drawn_wrongly: 'a payment draws from a hold that it may not draw from, or more than the hold reserved',
  hold_end_differs: 'a hold is marked as ended without an end, or the reverse',
  hold_captured_wrongly: 'the end of a hold does not match the hold or the movement that captured it',
  capture_without_hold: 'a movement captures a hold that it did not end',
} as const;

// What each payment took out of the hold that it drew from: the payer's amount and fee, or what it holds in its turn.
const DRAWN = `select m.details ->> 'draws_from' as hold_id, m.id, m.from_account as account_id, -p.amount as drawn, m.at
    from movements m join postings p on p.movement_id = m.id and p.account_id = m.from_account
    where m.details -> 'draws_from' is not null
  union all select details ->> 'draws_from', id, account_id, reserved, at from holds where details -> 'draws_from' is not null`;

const HELD = `select a.id, a.held, coalesce(h.reserved, 0) from accounts a
  full join (select account_id, sum(reserved - coalesce(drawn, 0)) as reserved from holds
    left join (select hold_id, sum(drawn) as drawn from (${DRAWN}) d group by hold_id) d on d.hold_id = holds.id
    where not ended group by account_id) h on h.account_id = a.id
  where a.held is distinct from coalesce(h.reserved, 0)`;

// Draws are made from their own account's hold, of a kind that many payments draw from, until it ends or expires.
const DRAWS_OF_OTHERS = `select d.id, d.hold_id from (${DRAWN}) d left join holds h on h.id = d.hold_id
  left join hold_ends e on e.hold_id = d.hold_id
  where h.id is null or h.purpose <> 'bulk' or h.account_id <> d.account_id or d.at < h.at or d.at >= h.expires_at or d.at > e.at`;
const DRAWN_TOTALS = (
  archived: string,
) => `select coalesce(d.hold_id, a.hold_id), coalesce(d.drawn, 0), coalesce(a.used, 0), h.reserved
  from (select hold_id, sum(drawn) as drawn from (${DRAWN}) d group by hold_id) d
  full join (select substr(id, ${DRAWS.length + 1}) as hold_id, used from allowances where id like '${DRAWS}%') a
    on a.hold_id = d.hold_id
  left join holds h on h.id = coalesce(d.hold_id, a.hold_id) left join hold_ends e on e.hold_id = h.id
  where (coalesce(d.drawn, 0) <> coalesce(a.used, 0) or h.id is null or coalesce(d.drawn, 0) > h.reserved)
    and not coalesce(${archived}, false)`;

const ENDS = `select coalesce(h.id, e.hold_id), coalesce(h.ended::text, 'none'), coalesce(e.outcome, 'none')
  from holds h full join hold_ends e on e.hold_id = h.id
  where h.id is null or h.ended <> (e.hold_id is not null)`;

// A capture comes before the expiry, is for at most the amount, and is a movement between the parties of the hold.
const CAPTURES = (archived: string) => `select h.id, e.outcome, e.captured, m.amount
  from holds h join hold_ends e on e.hold_id = h.id left join movements m on m.id = e.id
  where (e.outcome = 'captured' and (e.captured > h.amount or e.captured = 0 or e.at >= h.expires_at
      or (m.id is null and not ${archived}) or m.amount <> e.captured or m.from_account <> h.account_id
      or (h.payee_id <> '' and m.to_account <> h.payee_id)
      or m.type <> h.type or (m.details ->> 'hold_id') is distinct from h.id and m.id is not null))
    or (e.outcome <> 'captured' and (e.captured <> 0 or m.id is not null))
    or (e.outcome = 'expired' and e.at < h.expires_at) or (e.outcome = 'released' and e.at >= h.expires_at)`;

const WITHOUT_HOLD = `select m.id, m.details ->> 'hold_id' from movements m
  left join hold_ends e on e.id = m.id and e.hold_id = m.details ->> 'hold_id' and e.outcome = 'captured'
  where m.details -> 'hold_id' is not null and e.id is null`;

export const HOLD_TOTALS: Check = {
  rules: RULES,
  async run(connection, findings) {
    for await (const [id, held, reserved] of rowsOf(connection, 'held_accounts', HELD)) {
      findings.fault('held_differs', id ?? 'no account', `${held}, by the holds ${reserved}`);
    }
    for await (const [id, ended, outcome] of rowsOf(connection, 'hold_ends_read', ENDS)) {
      findings.fault('hold_end_differs', id as string, `ended ${ended}, outcome ${outcome}`);
    }
    const { archivedBefore } = findings;
    const archived =
      archivedBefore === null ? 'false' : `(e.at < to_timestamp(${archivedBefore}::double precision / 1000))`;
    for await (const [id, outcome, captured, amount] of rowsOf(connection, 'hold_captures', CAPTURES(archived))) {
      findings.fault('hold_captured_wrongly', id as string, `${outcome}, ${captured} of a movement of ${amount}`);
    }
    for await (const [id, hold] of rowsOf(connection, 'draws_of_others', DRAWS_OF_OTHERS)) {
      findings.fault('hold_drawn_wrongly', id as string, `it draws from ${hold}`);
    }
    for await (const [id, drawn, counted, reserved] of rowsOf(connection, 'drawn_totals', DRAWN_TOTALS(archived))) {
      const detail = `${drawn} by the payments, ${counted} counted, of ${reserved ?? 'nothing'}`;
      findings.fault('hold_drawn_wrongly', id as string, detail);
    }
    for await (const [id, hold] of rowsOf(connection, 'captures_without_hold', WITHOUT_HOLD)) {
      findings.fault('capture_without_hold', id as string, `it names the hold ${hold}`);
    }
  },
};
