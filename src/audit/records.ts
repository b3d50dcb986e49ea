// Protected records: the queries that read them, and the keyed digests that the audit log stores of them.
//
// An audited change stores, per changed record, the digest before and after it. Verification compares the last digest with the
// row: a row that was changed, inserted, removed or put back without the service does not match.
import { createHmac } from 'node:crypto';
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { AuditKeys } from './chain.ts';
import type { ColumnType, KindDefinition, Part } from './record-kind.ts';
import { RECORD_KINDS, type RecordKind } from './record-kinds.ts';

export { KINDS, type RecordKind } from './record-kinds.ts';

export interface RecordRef {
  kind: RecordKind;
  id: string;
}

/** Digests in base64url; null: there was no record before, or there is none after the change. */
export type StateChange = [kind: RecordKind, id: string, before: string | null, after: string | null];

export function isRecordKind(name: string | undefined): name is RecordKind {
  return name !== undefined && Object.hasOwn(RECORD_KINDS, name);
}

export function definitionOf(kind: RecordKind): KindDefinition {
  return RECORD_KINDS[kind];
}

export type RecordContent = Record<string, unknown>;

const DIGEST_BYTES = 16;

/**
 * Absent values (null, false, an empty list) are left out. A column that is added later with such a default therefore does not
 * change the digests of existing records.
 */
export function digestOf({ state }: Pick<AuditKeys, 'state'>, { kind, id }: RecordRef, content: RecordContent): string {
  const present = Object.entries(content).filter(([, value]) => !isAbsent(value));
  const text = canonicalJson([kind, id, Object.fromEntries(present)]);
  return createHmac('sha256', state).update(text).digest().subarray(0, DIGEST_BYTES).toString('base64url');
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);
}

/** The content of a row that is about to be written, as it will be read back. Only for kinds without parts. */
export function contentOfRow(kind: RecordKind, row: Record<string, unknown>): RecordContent {
  const columns = Object.keys(definitionOf(kind).columns);
  return Object.fromEntries(columns.map((name) => [name, jsonValueOf(row[name])]));
}

function jsonValueOf(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : (value ?? null);
}

/**
 * Selects kind, id, whether this transaction wrote the record (`owned`) or anything (`writing`), and its content as JSON text.
 * `condition` refers to the table as t.
 */
export function selectRecords(kind: RecordKind, condition: string): string {
  const { table, id, columns, parts = {}, scope } = definitionOf(kind);
  const pairs = Object.entries(columns).map(([name, type]) => `'${name}', ${expression('t', name, type)}`);
  const lists = Object.entries(parts).map(([name, part]) => `'${name}', (${partsList(part, `t.${id}`)})`);
  return `select '${kind}' as kind, ${id} as id, ${isOwn('t')} as owned,
    pg_current_xact_id_if_assigned() is not null as writing, (${scope ?? 'true'}) as present,
    json_build_object(${[...pairs, ...lists].join(', ')})::text as content from ${table} t where ${condition}`;
}

/** Whether the current transaction wrote this version of the row. */
function isOwn(alias: string): string {
  return `coalesce(${alias}.xmin = pg_current_xact_id_if_assigned()::xid, false)`;
}

function partsList({ table, by, where = 'true', columns }: Part, id: string): string {
  const pairs = Object.entries(columns).map(([name, type]) => `'${name}', ${expression('p', name, type)}`);
  const element = `jsonb_build_object(${pairs.join(', ')})`;
  return `select jsonb_agg(${element} order by ${element}) from ${table} p where p.${by} = ${id} and ${where}`;
}

function expression(alias: string, column: string, type: ColumnType): string {
  switch (type) {
    case 'time':
      return `(extract(epoch from ${alias}.${column}) * 1000)::bigint`;
    case 'bytes':
      return `encode(${alias}.${column}, 'hex')`;
    case 'text':
      return `${alias}.${column}::text`;
    default:
      return `${alias}.${column}`;
  }
}
