// Computes which protected records a transaction changed, and their digests before and after.
import { CompiledQuery } from 'kysely';
import type { Queries } from '../db/database.ts';
import { textArray } from '../db/driver/binary-arrays.ts';
import { text } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { statement } from '../db/driver/statement.ts';
import type { AuditKeys } from './chain.ts';
import {
  definitionOf,
  digestOf,
  KINDS,
  type RecordKind,
  type RecordRef,
  type StateChange,
  selectRecords,
} from './records.ts';

interface FoundRecord extends RecordRef {
  owned: boolean;
  /** Whether the transaction has written anything. */
  writing: boolean;
  present: boolean;
  content: string;
}

const byId = (kind: RecordKind) => `${definitionOf(kind).id} = any($1::text[])`;

/** The record itself and those that change together with it. */
function familySql(kind: RecordKind): string {
  const related = definitionOf(kind).related ?? [];
  const selects = related.map((each) => selectRecords(each.kind as RecordKind, `t.${each.by} = any($1::text[])`));
  return [selectRecords(kind, byId(kind)), ...selects].join('\nunion all\n');
}

const FAMILIES = new Map(KINDS.map((kind) => [kind, familySql(kind)]));
const LOCKS = new Map(
  KINDS.map((kind) => {
    const { table } = definitionOf(kind);
    return [kind, `select from ${table} t where ${byId(kind)} for no key update`];
  }),
);
const COMMITTED = new Map(
  KINDS.map((kind) => [
    kind,
    statement(
      `committed-${kind}`,
      `select id, present, content from (${selectRecords(kind, byId(kind))}) t`,
      (columns) => ({
        id: text(columns[0] ?? null),
        present: columns[1] === 't',
        content: text(columns[2] ?? null),
      }),
    ),
  ]),
);

export interface StateReader {
  keys: AuditKeys;
  /** Outside of the transaction: it sees the records as they were before. */
  reader: Reader;
  /** Per transaction, the states that its earlier entries have stored. */
  stored: WeakMap<Queries, Map<string, string | null>>;
}

/**
 * Empty if the transaction changed none of the records. A record that it changed is locked by it, so the committed version is
 * the one before the change. Reading it from the database, and not from the transaction, shows a change that was made without
 * the service: the digest before this change then differs from the one after the last audited change.
 */
export async function stateChanges(states: StateReader, trx: Queries, refs: RecordRef[]): Promise<StateChange[]> {
  const { keys } = states;
  const changes: StateChange[] = [];
  for (const [kind, ids] of grouped(refs)) {
    const written = await writtenRecords(states, trx, kind, ids);
    const after = digestsOf(keys, written);
    const absent = definitionOf(kind).deletable ? await missing(trx, kind, ids) : [];
    const changed = [...written, ...absent.map((id) => ({ kind, id }))];
    const before = new Map([...(await committedStates(states, changed)), ...(states.stored.get(trx) ?? [])]);
    for (const { kind, id } of changed) {
      const key = keyOf({ kind, id });
      const [old, current] = [before.get(key) ?? null, after.get(key) ?? null];
      if (old === current) continue;
      changes.push([kind, id, old, current]);
      remember(states, trx, key, current);
    }
  }
  return changes;
}

/** A refused attempt names a record that it did not write, and that is still there. */
async function missing(trx: Queries, kind: RecordKind, ids: string[]): Promise<string[]> {
  const found = new Set((await execute<FoundRecord>(trx, FAMILIES.get(kind), ids)).map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
}

function remember({ stored }: StateReader, trx: Queries, key: string, state: string | null): void {
  const known = stored.get(trx) ?? new Map<string, string | null>();
  known.set(key, state);
  stored.set(trx, known);
}

type Content = RecordRef & Pick<FoundRecord, 'present' | 'content'>;

function digestsOf(keys: AuditKeys, found: Content[]): Map<string, string | null> {
  return new Map(
    found.map(({ kind, id, present, content }) => [
      keyOf({ kind, id }),
      present ? digestOf(keys, { kind, id }, JSON.parse(content)) : null,
    ]),
  );
}

/**
 * The records that the transaction wrote. If it wrote or deleted only a part of a record, such as its PIN, it has not locked
 * the record itself: that is done here, so that the record does not change between the reads of the two versions.
 */
async function writtenRecords(
  states: StateReader,
  trx: Queries,
  kind: RecordKind,
  ids: string[],
): Promise<FoundRecord[]> {
  const found = await execute<FoundRecord>(trx, FAMILIES.get(kind), ids);
  const others = found.filter(({ owned, writing }) => !owned && writing && hasParts(kind));
  const partly = await different(
    states,
    others.filter((record) => record.kind === kind),
  );
  if (partly.length === 0) return found.filter(({ owned }) => owned);
  await execute(
    trx,
    LOCKS.get(kind),
    partly.map(({ id }) => id),
  );
  const locked = new Set(partly.map(({ id }) => id));
  const again = await execute<FoundRecord>(trx, FAMILIES.get(kind), ids);
  return again.filter(({ owned, ...record }) => owned || (record.kind === kind && locked.has(record.id)));
}

function hasParts(kind: RecordKind): boolean {
  return definitionOf(kind).parts !== undefined;
}

async function different(states: StateReader, records: FoundRecord[]): Promise<FoundRecord[]> {
  if (records.length === 0) return [];
  const [committed, current] = [await committedStates(states, records), digestsOf(states.keys, records)];
  return records.filter((record) => committed.get(keyOf(record)) !== current.get(keyOf(record)));
}

async function committedStates({ keys, reader }: StateReader, refs: RecordRef[]): Promise<Map<string, string | null>> {
  const found: Content[] = [];
  for (const [kind, ids] of grouped(refs)) {
    const committed = COMMITTED.get(kind);
    if (!committed) continue;
    for (const row of await reader.run(committed, [textArray(ids)])) found.push({ kind, ...row });
  }
  return digestsOf(keys, found);
}

/** The digests of the committed versions of existing records, by kind and id. */
export async function committedDigests(states: StateReader, refs: RecordRef[]): Promise<Record<string, string>> {
  const found = [...(await committedStates(states, refs))].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(found.flatMap(([key, digest]) => (digest === null ? [] : [[key, digest]])));
}

async function execute<Row>(trx: Queries, text: string | undefined, ids: string[]): Promise<Row[]> {
  if (text === undefined) return [];
  return (await trx.executeQuery<Row>(CompiledQuery.raw(text, [ids]))).rows;
}

function grouped(refs: RecordRef[]): Map<RecordKind, string[]> {
  const groups = new Map<RecordKind, string[]>();
  for (const { kind, id } of refs) groups.set(kind, [...new Set([...(groups.get(kind) ?? []), id])]);
  return groups;
}

function keyOf({ kind, id }: RecordRef): string {
  return `${kind} ${id}`;
}
