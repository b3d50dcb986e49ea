// Reads payment requests with their payments and their end.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import {
  bool,
  bytes,
  integer,
  integerOrNull,
  record,
  text,
  textOrNull,
  texts,
  timestamp,
  timestampOrNull,
} from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { statement } from '../../db/driver/statement.ts';
import { type KeyedLookup, keyedLookup, loader } from '../../db/keyed-lookup.ts';
import { type Condition, where } from '../../db/list-filter.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';
import type { MovementActor } from '../../ledger/types.ts';
import { PAYMENTS_OF_REQUEST } from '../../payments/verification.ts';
import { MOST_PAYMENTS, type Outcome, type PayeeKind, type Status } from './tables.ts';

type Stored = Omit<Row<'payment_requests'>, 'batch' | 'token_hash' | 'payee_kind' | 'actor_type'>;

export interface PaymentRequest extends Stored {
  payee_kind: PayeeKind;
  actor_type: MovementActor['type'];
  /** Of a processor. */
  merchant_number: string | null;
  /** Null: it has not ended, or has expired and this is not recorded yet. */
  outcome: Outcome | null;
  ended_at: Date | null;
  /** Who paid or declined, if that ended it. */
  ended_by: string | null;
  payments: number;
  /** The newest ten. */
  transaction_ids: string[];
  /** Somebody tried to pay and was refused. */
  failed: boolean;
}

/** Of the request `r`. */
export const HAS_NOT_ENDED = sql`not exists (select from payment_request_ends where request_id = r.id)`;
export const SHOWN_PAYMENTS = 10;
const COUNT_LIMIT = 100_000;

const COLUMNS = [
  ...['id', 'payee_kind', 'payee_id', 'amount', 'description', 'reference', 'metadata', 'payer_phone', 'payer_id'],
  ...['single_use', 'return_url', 'code', 'expires_at', 'request_id', 'actor_type', 'actor_id'],
  ...['created_at', 'sealed_token'],
];

/** What a reader needs of a request `r` and its end `e`. Payments are not counted: a link's running total is their number. */
const FACTS = `${COLUMNS.map((name) => `r.${name}`).join(', ')}, e.outcome, e.at as ended_at, e.payer_id as ended_by,
  case when r.single_use then (e.outcome is not distinct from 'paid')::int else coalesce(
    (select used % ${MOST_PAYMENTS} from allowances where id = '${PAYMENTS_OF_REQUEST}' || r.id), 0) end as payments,
  exists (select from payment_request_refusals f where f.request_id = r.id) as failed,
  (select merchant_number from processors where id = r.payee_id) as merchant_number`;
const THE_NEWEST = `order by id desc limit ${SHOWN_PAYMENTS}`;

/** `hidden`: persons of whose payments the reader learns nothing. */
export function complete(found: Condition, hidden: readonly string[]): RawBuilder<PaymentRequest> {
  const shown = hidden.length === 0 ? sql`true` : sql`payer_id <> all(${hidden}::text[])`;
  return sql`select ${sql.raw(FACTS)}, array(select id from payment_request_payments where request_id = r.id and ${shown}
      ${sql.raw(THE_NEWEST)}) as transaction_ids
    from (${found}) r left join payment_request_ends e on e.request_id = r.id order by r.id desc`;
}

/** For a reader from whom some payments are hidden. */
export async function findRequest(
  queries: Queries,
  id: string,
  hidden: readonly string[],
): Promise<PaymentRequest | undefined> {
  return (await complete(sql`select * from payment_requests r where r.id = ${id}`, hidden).execute(queries)).rows[0];
}

const REQUEST = {
  ...{ id: text, payee_kind: text<PayeeKind>, payee_id: text, amount: integerOrNull, description: text },
  ...{ reference: textOrNull, metadata: textOrNull, payer_phone: textOrNull, payer_id: textOrNull, single_use: bool },
  ...{ return_url: textOrNull, code: text, expires_at: timestamp, request_id: textOrNull },
  ...{ actor_type: text<MovementActor['type']>, actor_id: text, created_at: timestamp, sealed_token: bytes },
  ...{ outcome: textOrNull<Outcome>, ended_at: timestampOrNull, ended_by: textOrNull, payments: integer, failed: bool },
  ...{ merchant_number: textOrNull, transaction_ids: texts },
};
const decoded = record(REQUEST);

/** The newest request with the key: a code may have been that of an earlier one. */
function requestsBy(name: string, condition: string): KeyedLookup<PaymentRequest> {
  return keyedLookup(
    statement(
      `payment-request-by-${name}`,
      `select requested.key, ${FACTS},
        array(select id from payment_request_payments where request_id = r.id ${THE_NEWEST}) as transaction_ids
      from unnest($1::text[]) as requested (key)
      cross join lateral (select * from payment_requests where ${condition} order by id desc limit 1) r
      left join lateral (select * from payment_request_ends where request_id = r.id limit 1) e on true`,
      ([key, ...found]) => [text(key), decoded(found)] as const,
    ),
  );
}

export type RequestLookups = ReturnType<typeof requestLookups>;

/** Batched. `byToken` takes the hash of the token in hexadecimal digits. */
export function requestLookups(reader: Reader) {
  return {
    byId: loader(reader, requestsBy('id', 'id = requested.key')),
    byCode: loader(reader, requestsBy('code', 'code = requested.key')),
    byToken: loader(reader, requestsBy('token', "token_hash = decode(requested.key, 'hex')")),
  };
}

/** Those that have expired, which is not recorded yet. */
export async function findDue(queries: Queries, now: Date, most: number): Promise<PaymentRequest[]> {
  const due = sql`select * from payment_requests r where ${HAS_NOT_ENDED}
    and expires_at > (select recorded_until from payment_request_expiry) and expires_at <= ${now}
    order by expires_at limit ${most}`;
  return (await complete(due, []).execute(queries)).rows;
}

/** `until`: an hour ago. Nothing that has expired by then is still being made, whatever the clocks of gateways say. */
export async function noteRecorded(queries: Queries, until: Date): Promise<void> {
  await sql`update payment_request_expiry set recorded_until = ${until} where recorded_until < ${until}`.execute(
    queries,
  );
}

interface ListRequest extends RequestFilters, Page {
  now: Date;
  hidden: readonly string[];
  creator: string;
}

export interface RequestFilters {
  payee_id?: string | undefined;
  status?: Status | undefined;
  reference?: string | undefined;
  payer_phone?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/**
 * Newest first. Counts up to 100,000. `hidden`: persons whose requests and payments are left out, for the reader `creator`, who
 * sees its own: it knows whom it asked, and that one is missing would tell who that is.
 */
export async function listRequests(
  queries: Queries,
  { now, hidden, creator, limit, offset, after, ...filters }: ListRequest,
): Promise<{ requests: PaymentRequest[]; total: number }> {
  const conditions = conditionsOf(filters, now, hidden, creator);
  const page = sql`select r.* from payment_requests r left join payment_request_ends e on e.request_id = r.id
    ${where([...conditions, ...(after ? [sql`r.id < ${after}`] : [])])}
    order by r.id desc limit ${limit} offset ${offset}`;
  const { rows: requests } = await complete(page, hidden).execute(queries);
  if (after !== undefined) return { requests, total: requests.length };
  const counted = await sql<{ total: number }>`select count(*) as total from (select from payment_requests r
    left join payment_request_ends e on e.request_id = r.id ${where(conditions)} limit ${COUNT_LIMIT}) first`.execute(
    queries,
  );
  return { requests, total: counted.rows[0]?.total ?? 0 };
}

function conditionsOf(filters: RequestFilters, now: Date, hidden: readonly string[], creator: string): Condition[] {
  const { payee_id, status, reference, payer_phone, from, to } = filters;
  return [
    ...(payee_id === undefined ? [] : [sql`r.payee_id = ${payee_id}`]),
    ...(reference === undefined ? [] : [sql`r.reference = ${reference}`]),
    ...(payer_phone === undefined ? [] : [sql`r.payer_phone = ${payer_phone}`]),
    ...(from === undefined ? [] : [sql`r.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`r.created_at <= ${to}`]),
    ...(status === undefined ? [] : [hasStatus(status, now)]),
    ...(hidden.length === 0 ? [] : [isOfNobody(hidden, creator)]),
  ];
}

function hasStatus(status: Status, now: Date): Condition {
  if (status === 'open') return sql`${HAS_NOT_ENDED} and r.expires_at > ${now}`;
  // A literal, for the partial indexes.
  const outcome = sql`e.outcome = ${sql.lit(status)}`;
  return status === 'expired' ? sql`(${outcome} or (e.outcome is null and r.expires_at <= ${now}))` : outcome;
}

/** A link that many pay is shown, without what those persons paid. */
function isOfNobody(hidden: readonly string[], creator: string): Condition {
  const all = sql`all(${hidden}::text[])`;
  return sql`r.payee_id <> ${all} and (coalesce(r.payer_id <> ${all}, true) or r.actor_id = ${creator})
    and (not r.single_use
    or coalesce(e.payer_id <> ${all}, true))`;
}

export interface RequestRefusal {
  payer_id: string;
  code: string;
  count: number;
  at: Date;
}

/** The newest fifty payers who were refused, each with the last reason. */
export function listRefusals(
  queries: Queries,
  requestId: string,
  hidden: readonly string[],
): Promise<RequestRefusal[]> {
  let refusals = queries.selectFrom('payment_request_refusals').select(['payer_id', 'code', 'count', 'at']);
  if (hidden.length > 0) refusals = refusals.where('payer_id', 'not in', [...hidden]);
  return refusals.where('request_id', '=', requestId).orderBy('at', 'desc').limit(50).execute();
}

export async function recordRefusal(
  queries: Queries,
  requestId: string,
  payerId: string,
  { code, at }: { code: string; at: Date },
): Promise<void> {
  await sql`insert into payment_request_refusals as f (request_id, payer_id, code, count, at)
    values (${requestId}, ${payerId}, ${code}, 1, ${at})
    on conflict (request_id, payer_id) do update
      set code = excluded.code, at = excluded.at, count = f.count + 1`.execute(queries);
}

/** Of payments of requests, by their transactions. */
export async function payersOf(queries: Queries, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const payments = queries.selectFrom('payment_request_payments').select('payer_id').distinct();
  return (await payments.where('id', 'in', [...ids]).execute()).map(({ payer_id }) => payer_id);
}
