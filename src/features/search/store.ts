// Look-ups of the search. Each is one statement of bounded time over the shared reader, served by indexes.
import {
  bool,
  type Decoded,
  type Decoders,
  integer,
  record,
  text,
  textOrNull,
  timestamp,
} from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { type Statement, statement } from '../../db/driver/statement.ts';
import type { NumberPart } from './query.ts';

/** The most hits of one type. */
export const MAX_HITS = 10;
/** One more, to know whether there are more. */
export const FETCHED = MAX_HITS + 1;

/**
 * Bounds of a search by name: distinct words with the start that is searched for, names of each of them, and names with a pair of
 * words if there are more than two.
 */
const MAX_WORDS = 64;
const MAX_NAMES = 30;
const MAX_PAIRS = 2_000;

/** A table whose names the trigger index_names indexes. */
interface NamedTable<D extends Decoders> {
  kind: 'subscriber' | 'agent' | 'processor' | 'partner';
  table: string;
  columns: D;
  /** Equalities that a unique index serves: $1 is a phone number, $2 an id, $3 another identifier. */
  identifiers: readonly string[];
  /** Additional condition on a record that is found by a part of its phone number. */
  phoneCondition?: string;
  /** Columns of digits that are found by their first ones. */
  numbers?: readonly string[];
  /** Additional condition on what was found by a part of its name or number, with $2: whether the caller sees PEPs. */
  partCondition?: string;
}

export interface NamedLookups<Row> {
  byName: Statement<Row>;
  byIdentifier: Statement<Row>;
  /** Absent where records have no phone number. */
  byPart?: Statement<Row>;
}

function lookupsOf<D extends Decoders>(named: NamedTable<D>): NamedLookups<Decoded<D>> {
  const { kind, table, identifiers } = named;
  const columns = Object.keys(named.columns).join(', ');
  const each = identifiers.map((equality) => `(select ${columns} from ${table} where ${equality} limit ${FETCHED})`);
  // The parameters need a type where the table has no such identifier.
  const typed = `(select ${columns} from ${table} where false and coalesce($1::text, $2::text, $3::text) is null)`;
  const decode = record(named.columns);
  return {
    byName: statement(`search-${kind}-names`, byNameSql(named), decode),
    byIdentifier: statement(`search-${kind}s`, [...each, typed].join(' union all '), decode),
    ...('phone_number' in named.columns ? { byPart: statement(`search-${kind}-parts`, byPartSql(named), decode) } : {}),
  };
}

/** $1: the digits; $3: the start of a phone number. A colon is the character after 9. */
function byPartSql(named: NamedTable<Decoders>): string {
  const { table, columns, numbers = [], phoneCondition = 'true', partCondition = '$2::boolean' } = named;
  const startsWith = (column: string, digits: string) => `${column} >= ${digits} and ${column} < ${digits} || ':'`;
  const conditions = [
    `${startsWith('phone_number', '$3')} and ${phoneCondition}`,
    `${startsWith('reverse(phone_number)', 'reverse($1)')} and ${phoneCondition}`,
    ...numbers.map((column) => startsWith(column, '$1')),
  ];
  const each = conditions.map(
    (condition) =>
      `(select ${Object.keys(columns).join(', ')} from ${table} where ${condition} and ${partCondition} limit ${FETCHED})`,
  );
  return each.join(' union all ');
}

/**
 * The longest word drives the search: the distinct words that start with it are read one by one (a loose index scan), and of
 * each the names that have another word which starts with the second word. With more words, a name must have each of them.
 */
function byNameSql({ kind, table, columns, partCondition = '$2::boolean' }: NamedTable<Decoders>): string {
  const firstWordFrom = (key: string) =>
    `(select split_part(key, ' ', 1) from search_names where kind = '${kind}' and key >= ${key} order by key limit 1)`;
  return `with recursive query as materialized (
    select array(select word collate "C" from unnest(search_words($1)) word order by length(word) desc, word) as words),
  firsts (word, number) as (
    select ${firstWordFrom('words[1] collate "C"')} collate "C", 1 from query
    union all
    select ${firstWordFrom(`(firsts.word || '!') collate "C"`)} collate "C", number + 1
    from firsts, query where starts_with(firsts.word, words[1]) and number < ${MAX_WORDS}),
  found as materialized (
    select pair.record_id
    from query cross join lateral generate_series(2, greatest(2, cardinality(words))) as other (position)
    cross join lateral (
      select named.record_id from firsts cross join lateral (
        select record_id from search_names where kind = '${kind}'
          and key >= (firsts.word || coalesce(' ' || words[other.position], '')) collate "C"
          and key < (firsts.word || coalesce(' ' || words[other.position] || U&'\\+10FFFF', '!')) collate "C"
        order by key limit case when cardinality(words) > 2 then ${MAX_PAIRS} else ${MAX_NAMES} end) named
      where starts_with(firsts.word, words[1]) limit ${MAX_PAIRS}) pair
    group by pair.record_id, cardinality(words)
    having count(distinct other.position) = greatest(1, cardinality(words) - 1))
  select r.* from found cross join lateral (
    select ${Object.keys(columns).join(', ')} from ${table} where id = found.record_id and ${partCondition} limit 1) r
  limit ${FETCHED}`;
}

type RowOf<Lookups> = Lookups extends NamedLookups<infer Row> ? Row : never;

export const SUBSCRIBERS = lookupsOf({
  kind: 'subscriber',
  table: 'subscribers',
  columns: {
    ...{ id: text, account_number: text, phone_number: text, first_name: text, last_name: text, status: text },
    ...{ is_pep: bool, registered_by_agent: textOrNull, created_at: timestamp, phone_verified: bool },
  },
  identifiers: ['phone_number = $1 and phone_verified', 'id = $2', 'account_number = $3'],
  phoneCondition: 'phone_verified',
  numbers: ['account_number'],
  // A match would confirm a guessed name.
  partCondition: '($2::boolean or not is_pep)',
});
export type FoundSubscriber = RowOf<typeof SUBSCRIBERS>;

export const AGENTS = lookupsOf({
  kind: 'agent',
  table: 'agents',
  columns: {
    ...{ id: text, business_name: text, first_name: text, last_name: text, phone_number: text, status: text },
    created_at: timestamp,
  },
  identifiers: ['phone_number = $1', 'id = $2'],
});
export type FoundAgent = RowOf<typeof AGENTS>;

// As it is typed, in groups or not.
const MERCHANT_NUMBER = "merchant_number = translate($3, ' -', '')";

export const PROCESSORS = lookupsOf({
  kind: 'processor',
  table: 'processors',
  columns: {
    ...{
      id: text,
      merchant_id: text,
      merchant_number: textOrNull,
      business_name: text,
      phone_number: text,
      status: text,
    },
    created_at: timestamp,
  },
  identifiers: ['phone_number = $1', 'id = $2', 'lower(merchant_id) = lower($3)', MERCHANT_NUMBER],
});
export type FoundProcessor = RowOf<typeof PROCESSORS>;

export const PARTNERS = lookupsOf({
  kind: 'partner',
  table: 'partners',
  columns: { id: text, name: text, status: text, created_at: timestamp },
  identifiers: ['id = $2'],
});
export type FoundPartner = RowOf<typeof PARTNERS>;

const CARD = {
  ...{ serial: text, status: text, label: textOrNull, subscriber_id: textOrNull },
  retired_subscriber_id: textOrNull,
  created_at: timestamp,
};
export type FoundCard = Decoded<typeof CARD>;

// Serials contain no character after ~.
export const CARDS = statement(
  'search-cards',
  `select ${Object.keys(CARD).join(', ')} from cards
  where serial >= $1 and serial < $1 || '~' order by serial limit ${FETCHED}`,
  record(CARD),
);

const CREDIT = {
  ...{ id: text, partner_id: text, reference: text, status: text, subscriber_id: textOrNull, amount: integer },
  completed_at: timestamp,
};
export type FoundCredit = Decoded<typeof CREDIT>;

export const CREDITS = statement(
  'search-credits',
  `select id, partner_id, reference, coalesce(reversal.status, t.status), subscriber_id, amount, completed_at
  from ((select * from inbound_transactions where reference = $1 limit ${FETCHED})
    union all (select * from inbound_transactions where id = $2 limit 1)) t
  left join lateral (select 'REVERSED' as status from inbound_reversals where inbound_id = t.id limit 1) reversal on true`,
  record(CREDIT),
);

/** Records whose phone or account number has the part. */
export async function findByPart<Row>(
  reader: Reader,
  { byPart }: NamedLookups<Row>,
  part: NumberPart | null,
  seesPeps = true,
): Promise<Row[]> {
  return byPart && part ? reader.run(byPart, [part.digits, seesPeps, part.phoneStart]) : [];
}

/** Records whose names have all words of the text, each at least as a start. Without letters there is no name. */
export async function findByName<Row>(
  reader: Reader,
  { byName }: NamedLookups<Row>,
  query: string,
  seesPeps = true,
): Promise<Row[]> {
  return /\p{L}/u.test(query) ? reader.run(byName, [query, seesPeps]) : [];
}
