// Seals what earlier versions wrote without seals: once, in slices, in a chain of its own.
import type { KeyObject } from 'node:crypto';
import { textArray } from '../../db/driver/binary-arrays.ts';
import type { Connection } from '../../db/driver/connection.ts';
import { type Columns, statement } from '../../db/driver/statement.ts';
import { type OutboxTable, sealedExpressions, sealedText } from '../../db/outbox-table.ts';
import { rowsOf } from '../verification/findings.ts';
import { openChain } from './chain.ts';
import {
  batchNumber,
  encodedColumns,
  HISTORY_FORMAT,
  MOVEMENT_COLUMNS,
  movementTimes,
  outboxText,
  POSTING_COLUMNS,
  REQUEST_COLUMNS,
  requestsDigest,
  type SealedRows,
  sealMac,
  selectList,
} from './format.ts';

/** Movements, or rows of another table, in one batch. */
const SLICE = 1_000;

const BEGIN_READING = statement('history-begin', 'begin isolation level repeatable read read only');
const COMPLETE = statement('history-complete', 'select count(*) filter (where complete) from seal_chains');
const MOVEMENTS = `select ${selectList(MOVEMENT_COLUMNS)}, (extract(epoch from at) * 1000000)::bigint
  from movements where batch is null order by id`;
const POSTINGS = `select ${selectList(POSTING_COLUMNS, 'p.')} from postings p join movements m on m.id = p.movement_id
  where m.batch is null order by m.id, p.account_id`;
const REQUESTS = `select ${selectList(REQUEST_COLUMNS)} from requests where batch is null order by movement_id`;

const SET_MOVEMENTS = statement('history-movements', 'update movements set batch = $1 where id = any($2::text[])');
const SET_REQUESTS = statement(
  'history-requests',
  `update requests set batch = $1 from unnest($2::text[], $3::text[]) as sealed (request_id, scope)
  where requests.request_id = sealed.request_id and requests.scope = sealed.scope`,
);
const INSERT = statement(
  'history-seal',
  `insert into seals (batch, format, at, requests_digest, mac)
  values ($1, $2, to_timestamp($3::double precision / 1000), $4::bytea, $5::bytea)`,
);

export interface SealHistoryOptions {
  key: KeyObject;
  /** Milliseconds since 1970. */
  now: number;
  tables: readonly OutboxTable[];
}

/**
 * Both connections are of the owner of the tables; one reads a snapshot in order, the other writes. Each slice is one
 * transaction: an interrupted run is continued by the next one, in another chain. The last step opens a chain that
 * declares every row sealed, and rows without a seal are faults from then on. Returns the number of sealed movements; null:
 * everything was sealed before, and nothing is done.
 */
export async function sealHistory(
  reader: Connection,
  writer: Connection,
  { key, now, tables }: SealHistoryOptions,
): Promise<number | null> {
  const [complete] = await writer.run(COMPLETE);
  if (Number(complete?.[0]) > 0) return null;
  const chain = await openChain(writer, key, now, { complete: false, rollsUp: false });
  let [previous, count, sealed] = [chain.mac, 0, 0];
  await reader.execute(BEGIN_READING);
  for await (const slice of slices(reader, tables)) {
    const batch = batchNumber(chain.id, ++count);
    const requests =
      slice.requests.length === 0 ? null : requestsDigest(encodedColumns(REQUEST_COLUMNS, slice.requests));
    const ledger = [
      ...encodedColumns(MOVEMENT_COLUMNS, slice.movements),
      movementTimes(slice.movements),
      ...encodedColumns(POSTING_COLUMNS, slice.postings),
    ];
    const content = { batch, at: now, ledger, requestsDigest: requests, outbox: outboxText(slice.outbox) };
    previous = sealMac(key, previous, content, HISTORY_FORMAT);
    await writer.begin();
    await assign(writer, batch, slice);
    await writer.execute(INSERT, [batch, HISTORY_FORMAT, now, requests, previous]);
    await writer.commit();
    sealed += slice.movements.length;
  }
  await openChain(writer, key, now, { complete: true, rollsUp: false });
  return sealed;
}

interface Slice {
  movements: Columns[];
  postings: Columns[];
  requests: Columns[];
  outbox: ReadonlyMap<string, SealedRows>;
  /** Rows of another table, by their position in it. */
  rows: { table: string; ctids: string[] } | null;
}

async function assign(writer: Connection, batch: number, { movements, requests, rows }: Slice): Promise<void> {
  await writer.execute(SET_MOVEMENTS, [batch, textArray(movements.map(([id]) => id as string))]);
  const [ids, scopes] = [requests.map(([id]) => id as string), requests.map(([, scope]) => scope as string)];
  await writer.execute(SET_REQUESTS, [batch, textArray(ids), textArray(scopes)]);
  if (!rows) return;
  const text = `update ${rows.table} set batch = $1 where ctid = any($2::text[]::tid[])`;
  await writer.execute(statement(`history-${rows.table}`, text), [batch, textArray(rows.ctids)]);
}

async function* slices(reader: Connection, tables: readonly OutboxTable[]): AsyncGenerator<Slice> {
  const postings = new Ordered(rowsOf(reader, 'history_postings', POSTINGS), 2);
  const requests = new Ordered(rowsOf(reader, 'history_requests', REQUESTS), 3);
  const nothing = { movements: [], postings: [], requests: [], outbox: new Map(), rows: null };
  for await (const movements of inSlices(rowsOf(reader, 'history_movements', MOVEMENTS))) {
    const last = movements.at(-1)?.[0] as string;
    yield { ...nothing, movements, postings: await postings.upTo(last), requests: await requests.upTo(last) };
  }
  for await (const rest of inSlices(requests.rest())) yield { ...nothing, requests: rest };
  for (const { name, sealed } of tables) {
    const kinds = Object.values(sealed ?? {});
    const text = `select ctid::text, ${sealedExpressions(sealed ?? {}).join(', ')} from ${name} where batch is null`;
    for await (const rows of inSlices(rowsOf(reader, `history_${name}`, text))) {
      const cells = rows.map(([, ...row]) => row.map((cell, index) => sealedText(kinds[index], cell)));
      yield {
        ...nothing,
        outbox: new Map([[name, cells]]),
        rows: { table: name, ctids: rows.map(([id]) => id as string) },
      };
    }
  }
}

async function* inSlices(rows: AsyncIterable<Columns>): AsyncGenerator<Columns[]> {
  let slice: Columns[] = [];
  for await (const row of rows) {
    slice.push(row);
    if (slice.length < SLICE) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

/** Rows in the order of one column. */
class Ordered {
  private readonly rows: AsyncGenerator<Columns>;
  private readonly column: number;
  private next: IteratorResult<Columns> | null = null;

  constructor(rows: AsyncGenerator<Columns>, column: number) {
    this.rows = rows;
    this.column = column;
  }

  async upTo(last: string): Promise<Columns[]> {
    const found: Columns[] = [];
    this.next ??= await this.rows.next();
    while (!this.next.done && (this.next.value[this.column] as string) <= last) {
      found.push(this.next.value);
      this.next = await this.rows.next();
    }
    return found;
  }

  async *rest(): AsyncGenerator<Columns> {
    this.next ??= await this.rows.next();
    for (; !this.next.done; this.next = await this.rows.next()) yield this.next.value;
  }
}
