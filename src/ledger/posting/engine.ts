// The statements of a batch that depend on how PostgreSQL stores the ledger: in one server, or distributed (citus-engine.ts).
import { type BoundStatement, statement, type Values } from '../../db/driver/statement.ts';
import type { Account } from '../types.ts';
import { type ActivityReader, readActivity } from '../velocity/activity-store.ts';

export interface LedgerEngine {
  /** Divides items into the groups that one statement may lock or update, in the order of locking. Keeps their order. */
  group<Item>(items: Item[], idOf: (item: Item) => string): Item[][];
  /** Whether one statement can find accounts through other rows and lock them. */
  readonly locksNamed: boolean;
  /** What identifies the row of a locked account to `write`. */
  rowOf(account: Account): string;
  write(columns: DecisionColumns): BoundStatement[];
  readonly readActivity: ActivityReader;
}

/** Encoded columns of the rows that a decision writes. */
export interface DecisionColumns {
  /** In the order of MOVEMENT_COLUMNS in seals/format.ts. */
  movements: Values;
  /** In the order of POSTING_COLUMNS. */
  postings: Values;
  /** In the order of REQUEST_COLUMNS. */
  requests: Values;
  /** By group: row, balance, held, daily_used, daily_on, last_seq, number of postings, recent, received. */
  accounts: Values[];
  /** Milliseconds since 1970, and the number of the batch. */
  stamp: Values;
  /** Format, digest of the requests, MAC, and the first and last id of the movements. */
  seal: Values;
}

/** Array parameters from number `first` on, as arguments of unnest. */
function arrays(first: number, types: readonly string[]): string {
  return types.map((type, index) => `$${first + index}::${type}[]`).join(', ');
}

const MOVEMENT_TYPES = [
  'text',
  'text',
  'text',
  'text',
  'bigint',
  'bigint',
  'text',
  'text',
  'text',
  'json',
  'text',
].concat(['json', 'text', 'text']);
const POSTING_TYPES = ['text', 'bigint', 'text', 'bigint', 'bigint', 'bigint'];
const REQUEST_TYPES = ['text', 'text', 'text', 'text', 'text', 'bigint'];
const ACCOUNT_TYPES = ['text', 'bigint', 'bigint', 'bigint', 'bigint', 'bigint', 'bigint', 'text', 'text'];

const timeOf = (at: number) => `to_timestamp($${at}::double precision / 1000)`;

/** The parts of a write. `first` is the number of the first array parameter; `at` and `batch` those of the stamp. */
export const insertMovements = (first: number, at: number, batch: number) => `
    insert into movements (id, type, from_account, to_account, amount, fee, request_id, reference, narration, metadata,
      related_id, details, actor_type, actor_id, at, batch)
    select *, ${timeOf(at)}, $${batch}::bigint from unnest(${arrays(first, MOVEMENT_TYPES)})`;

export const insertPostings = (first: number) => `
    insert into postings (account_id, seq, movement_id, amount, fee, balance_after)
    select * from unnest(${arrays(first, POSTING_TYPES)})`;

export const insertRequests = (first: number, batch: number) => `
    insert into requests (request_id, scope, hash, movement_id, reply, refused, batch)
    select id, scope, decode(hash, 'hex'), movement_id, reply, refused <> 0, $${batch}::bigint
    from unnest(${arrays(first, REQUEST_TYPES)}) as requested (id, scope, hash, movement_id, reply, refused)`;

/** `seal`: the number of its first parameter. */
export const insertSeal = (seal: number, at: number, batch: number) => `
    insert into seals (batch, format, at, requests_digest, mac, first_movement, last_movement)
    values ($${batch}::bigint, $${seal}::smallint, ${timeOf(at)}, $${seal + 1}::bytea, $${seal + 2}::bytea,
      $${seal + 3}::text, $${seal + 4}::text)`;

/** `row`: the column that `LedgerEngine.rowOf` identifies. */
export const updateAccounts = (first: number, row: 'id' | 'ctid') => `
  update accounts set balance = new.balance, held = new.held, daily_used = new.daily_used, daily_on = new.daily_on,
    last_seq = new.last_seq, posting_count = posting_count + new.postings, recent = new.recent,
    recent_seq = new.last_seq, received = new.received, received_seq = new.last_seq
  from unnest(${arrays(first, ACCOUNT_TYPES)}) as new (row, balance, held, daily_used, daily_on, last_seq, postings, recent, received)
  where accounts.${row} = new.row${row === 'ctid' ? '::tid' : ''}`;

const MOVEMENTS_AT = 1;
const POSTINGS_AT = MOVEMENTS_AT + MOVEMENT_TYPES.length;
const REQUESTS_AT = POSTINGS_AT + POSTING_TYPES.length;
const ACCOUNTS_AT = REQUESTS_AT + REQUEST_TYPES.length;
const [AT, BATCH, SEAL] = [0, 1, 2].map((place) => ACCOUNTS_AT + ACCOUNT_TYPES.length + place) as [
  number,
  number,
  number,
];

// The rows of accounts are found by the place where they were locked, which they keep until they are updated. The division
// fails if one of them is not there, and with it the batch.
const WRITE = statement(
  'ledger-write',
  `with new_movements as (${insertMovements(MOVEMENTS_AT, AT, BATCH)}),
  new_postings as (${insertPostings(POSTINGS_AT)}),
  new_requests as (${insertRequests(REQUESTS_AT, BATCH)}),
  new_seal as (${insertSeal(SEAL, AT, BATCH)}),
  changed as (${updateAccounts(ACCOUNTS_AT, 'ctid')} returning 1)
  select 1 / (count(*) = cardinality($${ACCOUNTS_AT}::text[]))::int from changed`,
);

/** One PostgreSQL: one group, and one statement that writes everything. */
export const PLAIN_ENGINE: LedgerEngine = {
  group: (items) => [items],
  locksNamed: true,
  rowOf: ({ id, ctid }) => {
    if (ctid === undefined) throw new Error(`account ${id} is not locked`);
    return ctid;
  },
  write: ({ movements, postings, requests, accounts, stamp, seal }) => [
    { statement: WRITE, values: [...movements, ...postings, ...requests, ...accounts.flat(), ...stamp, ...seal] },
  ],
  readActivity,
};
