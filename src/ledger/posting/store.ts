// Reads and writes a batch's rows. Parameters are arrays, so that one statement serves any number of movements.
import { int8Array, jsonArray, textArray } from '../../db/driver/binary-arrays.ts';
import type { Connection } from '../../db/driver/connection.ts';
import { type BoundStatement, onCitus, statement } from '../../db/driver/statement.ts';
import type { OutboxTable } from '../../db/outbox-table.ts';
import type { Seal, SealChain } from '../seals/chain.ts';
import { outboxText, requestsDigest, SEAL_FORMAT, sealedRowsOf } from '../seals/format.ts';
import type { Account, KnownRequest, MovementRequest, OutboxRows, Posting } from '../types.ts';
import { type Decision, isWritten, requestMapKey } from './decide.ts';
import type { LedgerEngine } from './engine.ts';

const REQUEST_COLUMNS = `request_id, scope, encode(hash, 'hex'), movement_id, reply`;

type KnownRow = [id: string, scope: string, hash: string, movementId: string, reply: string];
// On Citus it also finds the ids in other scopes of the batch; `knownRequests` selects by both.
const KNOWN_REQUESTS = onCitus(
  statement(
    'ledger-known',
    `select r.* from unnest($1::text[], $2::text[]) as requested (request_id, scope) cross join lateral (
    select ${REQUEST_COLUMNS} from requests where request_id = requested.request_id and scope = requested.scope limit 1) r`,
    (columns) => columns as KnownRow,
  ),
  `select ${REQUEST_COLUMNS} from requests where request_id = any($1::text[]) and scope = any($2::text[])`,
);

// The rows exist and are locked. ON CONFLICT finds each by its index; a join planned while the table was small would scan
// the whole table later.
const USE_ALLOWANCES = statement(
  'ledger-use-allowances',
  `insert into allowances (id, used) select id, used from unnest($1::text[], $2::bigint[]) as new (id, used)
  on conflict (id) do update set used = excluded.used`,
);

export async function knownRequests(
  connection: Connection,
  requests: readonly MovementRequest[],
): Promise<Map<string, KnownRequest>> {
  if (requests.length === 0) return new Map();
  const values = [textArray(requests.map(({ id }) => id)), textArray(requests.map(({ scope }) => scope))];
  const rows = await connection.run(KNOWN_REQUESTS, values);
  return new Map(
    rows.map(([id, scope, hash, movementId, reply]) => [requestMapKey({ scope, id }), { hash, movementId, reply }]),
  );
}

export function allowanceStatements(used: ReadonlyMap<string, number>): BoundStatement[] {
  if (used.size === 0) return [];
  const values = [textArray([...used.keys()]), int8Array([...used.values()])];
  return [{ statement: USE_ALLOWANCES, values }];
}

/** A request and its stored reply. */
export interface AnsweredOrder {
  /** Null: the request has no id, and no reply is stored. */
  request: MovementRequest | null;
  movementId: string;
  reply: string;
  /** The reply is a refusal, and nothing was posted. */
  refused: boolean;
}

export interface SealedDecision {
  decision: Decision;
  answered: readonly AnsweredOrder[];
  /** Rows of other tables that the seal covers as well. */
  rows: OutboxRows;
  /** Milliseconds since 1970. */
  at: number;
}

/** Writes a whole decision and its seal. Sorted, so that a verifier finds the same order. */
export function decisionStatements(
  engine: LedgerEngine,
  chain: SealChain,
  { decision, answered, rows, at }: SealedDecision,
): { statements: BoundStatement[]; seal: Seal } {
  const replies = answered.filter(isAnswered).sort((a, b) => (a.movementId < b.movementId ? -1 : 1));
  const posted = postedOf(decision).sort((a, b) => (a.movement.id < b.movement.id ? -1 : 1));
  const movements = posted.map(({ movement }) => movement);
  const postings: Posting[] = [];
  const movementIds: string[] = [];
  const counts = new Map<string, number>();
  for (const { movement, postings: own } of posted) {
    for (const posting of own.toSorted(byAccount)) {
      postings.push(posting);
      movementIds.push(movement.id);
      counts.set(posting.accountId, (counts.get(posting.accountId) ?? 0) + 1);
    }
  }
  // The columns are in the order of MOVEMENT_COLUMNS, POSTING_COLUMNS and REQUEST_COLUMNS in seals/format.ts.
  const movementColumns = [
    textArray(movements.map(({ id }) => id)),
    textArray(movements.map(({ type }) => type)),
    textArray(movements.map(({ fromAccount }) => fromAccount)),
    textArray(movements.map(({ toAccount }) => toAccount)),
    int8Array(movements.map(({ amount }) => amount)),
    int8Array(movements.map(({ fee }) => fee)),
    textArray(movements.map(({ request }) => request?.id ?? null)),
    textArray(movements.map(({ reference }) => reference)),
    textArray(movements.map(({ narration }) => narration)),
    jsonArray(movements.map(({ metadata }) => metadata)),
    textArray(movements.map(({ relatedId }) => relatedId)),
    jsonArray(movements.map(({ details }) => JSON.stringify(details))),
    textArray(movements.map(({ actor }) => actor.type)),
    textArray(movements.map(({ actor }) => actor.id)),
  ];
  const postingColumns = [
    textArray(postings.map(({ accountId }) => accountId)),
    int8Array(postings.map(({ seq }) => seq)),
    textArray(movementIds),
    int8Array(postings.map(({ amount }) => amount)),
    int8Array(postings.map(({ fee }) => fee)),
    int8Array(postings.map(({ balanceAfter }) => balanceAfter)),
  ];
  const requests = [
    textArray(replies.map(({ request }) => request.id)),
    textArray(replies.map(({ request }) => request.scope)),
    textArray(replies.map(({ request }) => request.hash)),
    textArray(replies.map(({ movementId }) => movementId)),
    textArray(replies.map(({ reply }) => reply)),
    int8Array(replies.map(({ refused }) => Number(refused))),
  ];
  const seal = chain.seal({
    batch: chain.nextBatch,
    at,
    ledger: [...movementColumns, ...postingColumns],
    requestsDigest: replies.length === 0 ? null : requestsDigest(requests),
    outbox: outboxText(sealedRowsOf(rows)),
  });
  const statements = engine.write({
    movements: movementColumns,
    postings: postingColumns,
    requests,
    accounts: engine.group(decision.changed, ({ id }) => id).map((group) => accountColumns(engine, group, counts)),
    stamp: [String(at), String(seal.batch)],
    seal: [String(SEAL_FORMAT), seal.requestsDigest, seal.mac, ...movementRange(decision)],
  });
  return { statements, seal };
}

/** The first and last id of the movements and of the changes of holds; empty: there are none. */
function movementRange({ movements, outcomes }: Decision): [first: string, last: string] {
  let [first, last] = ['', ''];
  for (const [index, { id }] of movements.entries()) {
    if (outcomes[index]?.outcome !== 'posted') continue;
    if (first === '' || id < first) first = id;
    if (id > last) last = id;
  }
  return [first, last];
}

/** `counts`: the number of new postings by account. */
function accountColumns(
  engine: LedgerEngine,
  changed: readonly Account[],
  counts: ReadonlyMap<string, number>,
): Buffer[] {
  return [
    textArray(changed.map(engine.rowOf)),
    int8Array(changed.map(({ balance }) => balance)),
    int8Array(changed.map(({ held }) => held)),
    int8Array(changed.map(({ dailyUsed }) => dailyUsed)),
    int8Array(changed.map(({ dailyOn }) => dailyOn)),
    int8Array(changed.map(({ lastSeq }) => lastSeq)),
    int8Array(changed.map(({ id }) => counts.get(id) ?? 0)),
    textArray(changed.map(({ recent }) => recent)),
    textArray(changed.map(({ received }) => received)),
  ];
}

/** Its reply is stored. */
function isAnswered(order: AnsweredOrder): order is AnsweredOrder & { request: MovementRequest } {
  return order.request !== null;
}

const byAccount = (a: Posting, b: Posting) => (a.accountId < b.accountId ? -1 : 1);

function postedOf({ movements, outcomes }: Decision) {
  return movements.flatMap((movement, index) => {
    const outcome = outcomes[index];
    return isWritten(outcome) ? [{ movement, postings: outcome.postings }] : [];
  });
}

/** Rows of sealed tables name their batch. Rows that may exist already were inserted before (`insertOnce`). */
export function outboxStatements(rows: OutboxRows, batch: number): BoundStatement[] {
  return [...rows]
    .filter(([{ skipExisting }]) => skipExisting === null)
    .map(([table, records]) => ({ statement: table.insert, values: [rowsJson(table, records, batch)] }));
}

/**
 * Inserts the rows of tables that skip existing ones, and returns all rows without those that were skipped: a seal covers
 * what was written. This takes a round trip, only for batches with blocked payments.
 */
export async function insertOnce(connection: Connection, rows: OutboxRows, batch: number): Promise<OutboxRows> {
  const written = new Map(rows);
  for (const [table, records] of rows) {
    const { skipExisting } = table;
    if (skipExisting === null) continue;
    const inserted = new Set(await connection.run(table.insert, [rowsJson(table, records, batch)]));
    const isNew = (row: object) => inserted.delete(String((row as Record<string, unknown>)[skipExisting]));
    const kept = records.filter(isNew);
    if (kept.length > 0) written.set(table, kept);
    else written.delete(table);
  }
  return written;
}

function rowsJson({ sealed }: OutboxTable, records: readonly object[], batch: number): string {
  return JSON.stringify(sealed ? records.map((row) => ({ ...row, batch })) : records);
}
