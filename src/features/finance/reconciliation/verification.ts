// Verifies the reconciliation: matches against bank entries and movements, the list of items, and the pay-outs in transit.
// The matches themselves are protected records (audit/record-kinds.ts).
import { sqlType } from '../../../ledger/movement-types.ts';
import { PAYOUTS_IN_TRANSIT } from '../../../ledger/system-accounts.ts';
import { type Check, rowsOf } from '../../../ledger/verification/findings.ts';
import { BOOK_AMOUNT, BOOK_CLEARS, BOOK_DATE, IS_BOOK_ITEM } from './book-items.ts';
import { UNDO_SUFFIX } from './clearing.ts';

const RULES = {
  match_unbalanced: 'a match does not add up to its bank entries and movements, or names an item that does not exist',
  match_item_twice: 'a bank entry or movement is in two matches',
  match_item_differs: 'an item of the reconciliation is not what the bank entries, movements and matches say',
  match_movement_differs:
    'a match does not have the movement that clears its pay-outs, or such a movement has no match',
  payout_return_unmatched:
    "a return of a pay-out is not matched with the bank's credit that it names, or names none although the bank had executed the pay-out",
  payouts_in_transit_differ: 'the balance in transit is not the sum of the pay-outs that are not cleared',
} as const;

/** What both sides consist of. */
const SOURCE = `select 'bank' as side, e.id, e.booked_on as dated, e.amount, 0::bigint as clears
    from bank_entries e
  union all select 'books', m.id, ${BOOK_DATE}, ${BOOK_AMOUNT}, ${BOOK_CLEARS} from movements m where ${IS_BOOK_ITEM}`;

const IN_MATCHES = `select id as match_id, status, 'bank' as side, unnest(bank_entry_ids) as item_id from reconciliation_matches
  union all select id, status, 'books', unnest(transaction_ids) from reconciliation_matches`;

const MATCHES = `select m.id, m.bank_amount, m.books_amount, sums.bank, sums.books, sums.missing
  from reconciliation_matches m left join (
    select i.match_id, coalesce(sum(s.amount) filter (where i.side = 'bank'), 0) as bank,
      coalesce(sum(s.amount) filter (where i.side = 'books'), 0) as books, coalesce(sum(s.clears), 0) as clears,
      count(*) filter (where s.id is null) as missing
    from (${IN_MATCHES}) i left join (${SOURCE}) s on s.side = i.side and s.id = i.item_id group by i.match_id) sums
    on sums.match_id = m.id
  where sums.match_id is null or sums.missing > 0 or sums.bank <> m.bank_amount or sums.books <> m.books_amount
    or sums.clears <> m.clears or (m.kind <> 'write_off' and sums.bank <> sums.books)`;

const TWICE = `select item_id, count(*), string_agg(match_id, ', ' order by match_id) from (${IN_MATCHES}) i
  where status <> 'undone' group by side, item_id having count(*) > 1`;

// The constraints of the table say the same; their owner can drop them. An item of another status would be in no list.
const LOOSE = `(l.match_id is null and i.status <> case when i.suggestion_id is null then 'unmatched' else 'suggested' end)`;

const ITEMS = `select coalesce(i.item_id, s.id), concat_ws(', ', case when i.item_id is null then 'it is not listed' end,
    case when s.id is null then 'it does not exist' end, case when s.amount <> i.amount then 'amount ' || i.amount end,
    case when s.dated <> i.dated then 'date ' || i.dated end,
    case when i.match_id is distinct from l.match_id then 'match ' || coalesce(i.match_id, 'none') end,
    case when i.status <> l.status or ${LOOSE} then 'status ' || i.status end,
    case when i.was_undone <> coalesce(l.undone, false) then 'undone ' || i.was_undone end)
  from (${SOURCE}) s full join reconciliation_items i on i.side = s.side and i.item_id = s.id
  left join (select side, item_id, min(match_id) filter (where status <> 'undone') as match_id,
      min(status) filter (where status <> 'undone') as status, bool_or(status = 'undone') as undone
    from (${IN_MATCHES}) each_item group by side, item_id) l on l.side = i.side and l.item_id = i.item_id
  where i.item_id is null or s.id is null or s.amount <> i.amount or s.dated <> i.dated
    or i.match_id is distinct from l.match_id or i.status <> l.status or ${LOOSE}
    or i.was_undone <> coalesce(l.undone, false)`;

/** The movements that the matches are due, as they are entered in them. */
const DUE = `select id as request_id, clears as amount, cleared_transaction_id as entered from reconciliation_matches where clears <> 0
  union all select id || '${UNDO_SUFFIX}', -clears, uncleared_transaction_id
    from reconciliation_matches where clears <> 0 and status = 'undone'`;
const POSTED = `select id, request_id, case type when ${sqlType('payout_cleared')} then amount else -amount end as amount
  from movements where type in (${sqlType('payout_cleared')}, ${sqlType('payout_uncleared')})`;

// A movement that is neither entered nor posted is one that a stopped gateway left; the background task posts it.
const MOVEMENTS = `select coalesce(d.request_id, p.id), case when p.id is null then 'the movement ' || d.entered || ' does not exist'
    when d.request_id is null then 'the movement has no match'
    else 'the movement ' || p.id || ' of ' || p.amount || ' instead of ' || d.amount end
  from (${DUE}) d full join (${POSTED}) p on p.request_id = d.request_id
  where d.request_id is null or (p.id is null and d.entered is not null) or p.amount <> d.amount or d.entered <> p.id`;

const RETURNS = `select id, at, related_id as payout, details ->> 'bank_entry_id' as entry
  from movements where type = ${sqlType('payout_returned')}`;

// The clocks of gateways differ by less than this.
const SKEW = `interval '10 minutes'`;

// A return that is posted and not matched yet has its claim, made just before; the background task matches it.
const RETURNS_WITH_CREDIT = `select r.id, 'the bank entry ' || r.entry || ' is not matched with it' from (${RETURNS}) r
  left join (${IN_MATCHES}) b on b.side = 'bank' and b.item_id = r.entry and b.status <> 'undone'
  left join (${IN_MATCHES}) k on k.side = 'books' and k.item_id = r.id and k.match_id = b.match_id and k.status = 'matched'
  left join payout_return_claims c on c.side = 'bank' and c.item_id = r.entry and c.payout_id = r.payout
    and c.created_at between r.at - ${SKEW} and r.at + ${SKEW}
  where r.entry is not null and k.match_id is null and (c.item_id is null or b.match_id is not null)`;

const DEBITS = `select s.uploaded_at, unnest(payout_references(e.reference, e.counterparty, e.description)) as payout_reference
  from bank_entries e join bank_statements s on s.id = e.statement_id where e.amount < 0`;
const BEFORE = `< r.at - ${SKEW}`;
// A match that was undone, by mistake, and corrected when the pay-out was returned: other matches had all of its bank entries.
const CORRECTIONS = `select id, unnest(bank_entry_ids) as entry, transaction_ids, created_at, undone_at from reconciliation_matches`;
const RETURNS_WITHOUT_CREDIT = `select r.id, 'the bank had executed ' || r.payout from (${RETURNS}) r
    join (${IN_MATCHES}) i on i.side = 'books' and i.item_id = r.payout
    join (select *, unnest(bank_entry_ids) as entry from reconciliation_matches) m on m.id = i.match_id
    left join (${CORRECTIONS}) c on c.entry = m.entry and m.status = 'undone' and m.undone_at <= r.at + ${SKEW}
      and c.created_at <= r.at + ${SKEW} and (c.undone_at is null or c.undone_at >= r.at - ${SKEW})
      and not c.transaction_ids @> array[r.payout]
    where r.entry is null and m.created_at ${BEFORE} and c.id is null
  union select r.id, 'the bank had executed ' || r.payout from (${RETURNS}) r join movements p on p.id = r.payout
    join (${DEBITS}) e on e.payout_reference = p.reference
    where r.entry is null and e.uploaded_at ${BEFORE}`;

const IN_TRANSIT = `select balance, expected from (select
    (select balance from accounts where id = '${PAYOUTS_IN_TRANSIT}') as balance,
    (select coalesce(sum(clears), 0) from (${SOURCE}) s)
      - (select coalesce(sum(p.amount), 0) from (${POSTED}) p join (${DUE}) d on d.request_id = p.request_id) as expected) sums
  where balance is distinct from expected`;

// With a lower number, a close would count later changes as contained in it.
const CHANGES = `select counted, made from (select (select changes from reconciliation_progress) as counted,
    (select max(greatest(made_change, undone_change)) from reconciliation_matches) as made) numbers where made > counted`;

export const RECONCILIATION: Check = {
  rules: RULES,
  needsHistory: true,
  async run(connection, findings) {
    for await (const [id, bank, books, bankSum, booksSum, missing] of rowsOf(connection, 'match_sums', MATCHES)) {
      const detail = `${bank} and ${books}, by its items ${bankSum} and ${booksSum}; ${missing ?? 'all'} missing`;
      findings.fault('match_unbalanced', id as string, detail);
    }
    for await (const [id, count, matches] of rowsOf(connection, 'match_items_twice', TWICE)) {
      findings.fault('match_item_twice', id as string, `in ${count} matches: ${matches}`);
    }
    for await (const [id, what] of rowsOf(connection, 'reconciliation_list', ITEMS)) {
      findings.fault('match_item_differs', id as string, what as string);
    }
    for await (const [counted, made] of rowsOf(connection, 'reconciliation_changes', CHANGES)) {
      findings.fault('match_item_differs', 'reconciliation_progress', `${counted} changes, by the matches ${made}`);
    }
    for await (const [id, what] of rowsOf(connection, 'match_movements', MOVEMENTS)) {
      findings.fault('match_movement_differs', id as string, what as string);
    }
    for await (const [id, what] of rowsOf(
      connection,
      'payout_returns',
      `${RETURNS_WITH_CREDIT} union all ${RETURNS_WITHOUT_CREDIT}`,
    )) {
      findings.fault('payout_return_unmatched', id as string, what as string);
    }
    for await (const [balance, expected] of rowsOf(connection, 'payouts_in_transit', IN_TRANSIT)) {
      findings.fault('payouts_in_transit_differ', PAYOUTS_IN_TRANSIT, `${balance}, by the pay-outs ${expected}`);
    }
  },
};
