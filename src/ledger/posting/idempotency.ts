// Stored replies by idempotency key.
import { batchLoader, type Load } from '../../db/batch-loader.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { integer, text } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { type Columns, onCitus, statement } from '../../db/driver/statement.ts';
import type { MovementActor } from '../types.ts';
import { requestMapKey } from './decide.ts';

export interface RequestKey {
  /** The party for whom the request acts, or a scope of the service's own. */
  scope: string;
  id: string;
}

export interface AnsweredRequest {
  hash: string;
  movementId: string;
  reply: string;
}

type AnsweredRow = [id: string, scope: string, hash: string, movementId: string, reply: string];

const ANSWERED_COLUMNS = `request_id, scope, encode(hash, 'hex'), movement_id, reply`;

// On Citus it also finds the ids in other scopes; the loader selects by both.
const ANSWERED = onCitus(
  statement(
    'ledger-answered',
    `select r.* from unnest($1::text[], $2::text[]) as requested (request_id, scope) cross join lateral (
    select ${ANSWERED_COLUMNS} from requests where request_id = requested.request_id and scope = requested.scope limit 1) r`,
    (columns) => columns as AnsweredRow,
  ),
  `select ${ANSWERED_COLUMNS} from requests where request_id = any($1::text[]) and scope = any($2::text[])`,
);

export function answeredRequests(reader: Reader): Load<RequestKey, AnsweredRequest | null> {
  return batchLoader({
    async fetch(keys: RequestKey[]) {
      const values = [textArray(keys.map(({ id }) => id)), textArray(keys.map(({ scope }) => scope))];
      const rows = await reader.run(ANSWERED, values);
      if (rows.length === 0) return keys.map(() => null);
      const found = new Map(
        rows.map(([id, scope, hash, movementId, reply]) => [requestMapKey({ scope, id }), { hash, movementId, reply }]),
      );
      return keys.map((key) => found.get(requestMapKey(key)) ?? null);
    },
  });
}

/** Who sent the request that was answered first, and the accounts between which it moved the money. */
export interface FirstRequest {
  sender: MovementActor;
  type: string;
  fromAccount: string;
  toAccount: string;
}

function firstRequestOf([id, actorType, actorId, type, fromAccount, toAccount]: Columns): [string, FirstRequest] {
  const sender = { type: text<MovementActor['type']>(actorType), id: text(actorId) };
  return [text(id), { sender, type: text(type), fromAccount: text(fromAccount), toAccount: text(toAccount) }];
}

const FIRST_COLUMNS = 'id, actor_type, actor_id, type, from_account, to_account';

const FIRST = onCitus(
  statement(
    'ledger-first-request',
    `select m.* from unnest($1::text[]) as requested (id) cross join lateral (
    select ${FIRST_COLUMNS} from movements where id = requested.id limit 1) m`,
    firstRequestOf,
  ),
  `select ${FIRST_COLUMNS} from movements where id = any($1::text[])`,
);

// A request may have opened a hold, ended one without a movement, or made a payment request.
const FIRST_WITHOUT_MOVEMENT = statement(
  'ledger-first-request-without-movement',
  `select h.* from unnest($1::text[]) as requested (id) cross join lateral (
    select id, actor_type, actor_id, type, account_id, payee_id from holds where id = requested.id
    union all select e.id, e.actor_type, e.actor_id, h.type, h.account_id, h.payee_id
      from hold_ends e join holds h on h.id = e.hold_id where e.id = requested.id
    union all select requested.id, actor_type, actor_id, 'payment_request', payee_id, payee_id
      from payment_requests where id = 'prq' || substr(requested.id, 4) limit 1) h`,
  firstRequestOf,
);

/** By the movement's id, or that of another order which moved nothing. Null: none was written, or it is archived. */
export function firstRequests(reader: Reader): Load<string, FirstRequest | null> {
  return batchLoader({
    async fetch(ids: string[]) {
      const found = new Map<string, FirstRequest>(await reader.run(FIRST, [textArray([...new Set(ids)])]));
      const missing = ids.filter((id) => !found.has(id));
      const others = missing.length > 0 ? await reader.run(FIRST_WITHOUT_MOVEMENT, [textArray(missing)]) : [];
      for (const [id, first] of others) found.set(id, first);
      return ids.map((id) => found.get(id) ?? null);
    },
  });
}

/** The latest request of a series that was posted. */
export interface LatestOfSeries {
  /** The first is 1. */
  number: number;
  reply: string;
  /** When it was posted, in milliseconds since 1970. */
  at: number;
}

const DIGITS = 12;

/**
 * A request's id in a series: requests that share a name and are repeated at long intervals. The next request of a
 * series has the next number, so of several concurrent ones that read the same latest request, one is posted.
 */
export function seriesId(name: string, number: number): string {
  return `${name}.${String(number).padStart(DIGITS, '0')}`;
}

// '/' follows '.' in byte order.
const LATEST_REQUEST = `select request_id, movement_id, reply from requests
    where request_id > $1 || '.' and request_id < $1 || '/' and scope = $2 order by request_id desc limit 1`;

// LATERAL with LIMIT, as for all look-ups.
const LATEST = onCitus(
  statement(
    'ledger-latest-of-series',
    `select r.request_id, r.reply, m.at from (${LATEST_REQUEST}) r cross join lateral (
    select (extract(epoch from at) * 1000)::bigint as at from movements where id = r.movement_id limit 1) m`,
    ([id, reply, at]) => ({ number: Number(text(id).slice(-DIGITS)), reply: text(reply), at: integer(at) }),
  ),
  `with r as materialized (${LATEST_REQUEST})
  select r.request_id, r.reply, (extract(epoch from m.at) * 1000)::bigint from r join movements m on m.id = r.movement_id`,
);

/** Null: the series has no request yet. */
export function latestOfSeries(reader: Reader): (scope: string, name: string) => Promise<LatestOfSeries | null> {
  return async (scope, name) => (await reader.run(LATEST, [name, scope]))[0] ?? null;
}
