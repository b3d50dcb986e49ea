// The SQL of a batch: lock, look up, write, all by arrays, so that a statement serves any number of movements.
import type { ClientBase, QueryResult } from 'pg';
import type { Decision } from './decide.ts';
import { type Account, type AccountKind, type KnownRequest, type Movement, requestKey } from './types.ts';

/** Rows that belong to a movement and are written in its commit, by table. */
export type SideRows = ReadonlyMap<string, readonly object[]>;

// Lateral with a limit: only the index can serve it, also when the planner last saw the tables empty.
// The ids come sorted and are locked in that order, so two batches never wait for each other in a circle.
// Where tables are spread over machines this statement can be exchanged for an UPDATE … RETURNING.
const LOCK = `select a.* from unnest($1::text[]) as asked (id) cross join lateral (
    select id, kind, balance, floor, ceiling, daily_limit, daily_used, daily_on, frozen, disabled_types, last_seq
    from accounts where id = asked.id limit 1 for update) a`;

const KNOWN = `select r.* from unnest($1::text[], $2::text[]) as asked (request_id, scope) cross join lateral (
    select request_id, scope, hash, movement_id, reply
    from requests where request_id = asked.request_id and scope = asked.scope limit 1) r`;

const COMMITTED = `select m.id from unnest($1::text[]) as asked (id) cross join lateral (
    select id from movements where id = asked.id limit 1) m`;

const WRITE = `with
  new_movements as (
    insert into movements (id, type, from_account, to_account, amount, fee, request_id, reference, narration, metadata,
      related_id, details, at)
    select *, to_timestamp($13::double precision / 1000) from unnest($1::text[], $2::text[], $3::text[], $4::text[],
      $5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::text[], $10::json[], $11::text[], $12::json[])),
  new_postings as (
    insert into postings (account_id, seq, movement_id, amount, fee, balance_after)
    select * from unnest($14::text[], $15::bigint[], $16::text[], $17::bigint[], $18::bigint[], $19::bigint[])),
  new_requests as (
    insert into requests (request_id, scope, hash, movement_id, reply)
    select id, scope, decode(hash, 'hex'), movement_id, reply
    from unnest($20::text[], $21::text[], $22::text[], $23::text[], $24::text[]) as asked (id, scope, hash, movement_id, reply))
  update accounts set balance = new.balance, daily_used = new.daily_used, daily_on = new.daily_on,
    last_seq = new.last_seq, posting_count = posting_count + new.postings
  from unnest($25::text[], $26::bigint[], $27::bigint[], $28::integer[], $29::bigint[], $30::bigint[])
    as new (id, balance, daily_used, daily_on, last_seq, postings)
  where accounts.id = new.id`;

interface AccountRow {
  id: string;
  kind: AccountKind;
  balance: number;
  floor: number | null;
  ceiling: number | null;
  daily_limit: number | null;
  daily_used: number;
  daily_on: number;
  frozen: boolean;
  disabled_types: string[];
  last_seq: number;
}

export async function lockAccounts(client: ClientBase, sortedIds: string[]): Promise<Map<string, Account>> {
  const { rows } = await client.query<AccountRow>({ name: 'ledger-lock', text: LOCK, values: [sortedIds] });
  return new Map(rows.map((row) => [row.id, accountOf(row)]));
}

function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    kind: row.kind,
    balance: row.balance,
    floor: row.floor,
    ceiling: row.ceiling,
    dailyLimit: row.daily_limit,
    dailyUsed: row.daily_used,
    dailyOn: row.daily_on,
    frozen: row.frozen,
    disabledTypes: row.disabled_types,
    lastSeq: row.last_seq,
  };
}

interface KnownRow {
  request_id: string;
  scope: string;
  hash: Buffer;
  movement_id: string;
  reply: string;
}

export async function knownRequests(
  client: ClientBase,
  batch: readonly Movement[],
): Promise<Map<string, KnownRequest>> {
  const asked = batch.flatMap(({ request }) => (request ? [request] : []));
  if (asked.length === 0) return new Map();
  const values = [asked.map(({ id }) => id), asked.map(({ scope }) => scope)];
  const { rows } = await client.query<KnownRow>({ name: 'ledger-known', text: KNOWN, values });
  return new Map(
    rows.map((row) => [
      requestKey({ scope: row.scope, id: row.request_id }),
      { hash: row.hash.toString('hex'), movementId: row.movement_id, reply: row.reply },
    ]),
  );
}

/** Which of these movements are in the books. */
export async function committedMovements(client: ClientBase, ids: string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({ name: 'ledger-committed', text: COMMITTED, values: [ids] });
  return new Set(rows.map(({ id }) => id));
}

/** Everything of a decision in one statement. `replies` has the bytes of the replies, by movement. */
export async function writeDecision(
  client: ClientBase,
  batch: readonly Movement[],
  decision: Decision,
  replies: ReadonlyMap<string, string>,
): Promise<QueryResult> {
  const posted = postedOf(batch, decision);
  const movements = posted.map(({ movement }) => movement);
  const asked = movements.flatMap(({ id, request }) => (request ? [{ movementId: id, ...request }] : []));
  const postings = posted.flatMap(({ movement, postings }) => postings.map((posting) => ({ movement, ...posting })));
  const counts = new Map<string, number>();
  for (const { accountId } of postings) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  const values = [
    plain(movements, ({ id }) => id),
    plain(movements, ({ type }) => type),
    plain(movements, ({ fromAccount }) => fromAccount),
    plain(movements, ({ toAccount }) => toAccount),
    plain(movements, ({ amount }) => amount),
    plain(movements, ({ fee }) => fee),
    movements.map(({ request }) => request?.id ?? null),
    movements.map(({ reference }) => reference),
    movements.map(({ narration }) => narration),
    movements.map(({ metadata }) => metadata),
    movements.map(({ relatedId }) => relatedId),
    movements.map(({ details }) => JSON.stringify(details)),
    posted[0]?.at ?? 0,
    plain(postings, ({ accountId }) => accountId),
    plain(postings, ({ seq }) => seq),
    plain(postings, ({ movement }) => movement.id),
    plain(postings, ({ amount }) => amount),
    plain(postings, ({ fee }) => fee),
    plain(postings, ({ balanceAfter }) => balanceAfter),
    asked.map(({ id }) => id),
    asked.map(({ scope }) => scope),
    plain(asked, ({ hash }) => hash),
    plain(asked, ({ movementId }) => movementId),
    asked.map(({ movementId }) => replies.get(movementId) ?? ''),
    plain(decision.changed, ({ id }) => id),
    plain(decision.changed, ({ balance }) => balance),
    plain(decision.changed, ({ dailyUsed }) => dailyUsed),
    plain(decision.changed, ({ dailyOn }) => dailyOn),
    plain(decision.changed, ({ lastSeq }) => lastSeq),
    plain(decision.changed, ({ id }) => counts.get(id) ?? 0),
  ];
  return client.query({ name: 'ledger-write', text: WRITE, values });
}

/** An array of our own identifiers or numbers as PostgreSQL reads it: nothing in them needs escaping. */
function plain<Item>(items: readonly Item[], value: (item: Item) => string | number): string {
  let text = '{';
  for (const item of items) text += (text.length > 1 ? ',' : '') + value(item);
  return `${text}}`;
}

export function postedOf(batch: readonly Movement[], { outcomes }: Decision) {
  return batch.flatMap((movement, index) => {
    const outcome = outcomes[index];
    return outcome?.outcome === 'posted' ? [{ movement, at: outcome.at, postings: outcome.postings }] : [];
  });
}

/** The tables other parts may write beside a movement; a name that is not listed here is a defect. */
const SIDE_TABLES = ['audit_inbox'];

export async function writeSideRows(client: ClientBase, rows: SideRows): Promise<void> {
  const writing = [...rows].map(([table, records]) => {
    if (!SIDE_TABLES.includes(table)) throw new Error(`no rows are written beside movements into ${table}`);
    const text = `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`;
    return client.query({ name: `ledger-side-${table}`, text, values: [JSON.stringify(records)] });
  });
  await Promise.all(writing);
}
