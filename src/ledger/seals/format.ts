// The format of seals: which bytes of a batch they cover, and how batches and chains are numbered.
import { createHash, createHmac, createSecretKey, type Hmac, hkdfSync, type KeyObject } from 'node:crypto';
import { int8Array, jsonArray, textArray } from '../../db/driver/binary-arrays.ts';
import { sealedCells } from '../../db/outbox-table.ts';
import { Derived, type Keys } from '../../kernel/key-ring.ts';
import type { OutboxRows } from '../types.ts';

/** Written with each seal. */
export const SEAL_FORMAT = 1;
const MAC_BYTES = 32;
const NO_REQUESTS = Buffer.alloc(MAC_BYTES);
export const NO_CHAIN = Buffer.alloc(MAC_BYTES);
/** The first byte of each MAC: a seal can never pass as the start of a chain. */
const CHAIN_MAC = 0x43;
const SEAL_MAC = 0x53;
const PRUNING_MAC = 0x50;
const BATCHES_PER_CHAIN = 2 ** 32;

export interface SealKey {
  /** Of the master key. Stored with each chain and archive. */
  id: string;
  key: KeyObject;
}

export type SealKeys = Derived<SealKey>;

export function sealKeys(masterKeys: Keys): SealKeys {
  return new Derived(masterKeys, (value, id) => {
    const bytes = hkdfSync('sha256', value, '', 'kissi-ledger-seal-v1', MAC_BYTES);
    return { id, key: createSecretKey(Buffer.from(bytes)) };
  });
}

export function batchNumber(chain: number, n: number): number {
  return chain * BATCHES_PER_CHAIN + n;
}

export function chainOf(batch: number): number {
  return Math.floor(batch / BATCHES_PER_CHAIN);
}

export interface ChainStart {
  id: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** The newest batches of other chains, with their seals. */
  heads: readonly { batch: number; mac: Buffer }[];
}

/** `previous`: the previous chain's MAC, or NO_CHAIN. */
export function chainMac(key: KeyObject, previous: Buffer, start: ChainStart): Buffer {
  const mac = createHmac('sha256', key)
    .update(header(CHAIN_MAC, SEAL_FORMAT, start.id, start.startedAt))
    .update(previous);
  for (const head of start.heads) mac.update(integer(head.batch)).update(head.mac);
  return mac.digest();
}

export interface SealedContent {
  batch: number;
  /** Milliseconds since 1970. */
  at: number;
  /** Encoded arrays of the columns of movements and postings, each in the order of ids. */
  ledger: readonly Buffer[];
  requestsDigest: Buffer | null;
  /** See `outboxText`. */
  outbox: string;
}

/** `previous`: the previous batch's seal, or the chain's MAC. Encoded arrays contain their length. */
export function sealMac(key: KeyObject, previous: Buffer, content: SealedContent): Buffer {
  const { batch, at, ledger, requestsDigest, outbox } = content;
  const mac = createHmac('sha256', key)
    .update(header(SEAL_MAC, SEAL_FORMAT, batch, at))
    .update(previous);
  return addAll(mac, ledger)
    .update(requestsDigest ?? NO_REQUESTS)
    .update(outbox)
    .digest();
}

/** Covers the instant before which idempotency keys may be missing. */
export function pruningMac(key: KeyObject, before: number): Buffer {
  return createHmac('sha256', key)
    .update(header(PRUNING_MAC, SEAL_FORMAT, 0, before))
    .digest();
}

/** SHA-256 of the encoded arrays of the columns of requests, in the order of movement ids. */
export function requestsDigest(columns: readonly Buffer[]): Buffer {
  const digest = createHash('sha256');
  for (const column of columns) digest.update(column);
  return digest.digest();
}

/** Rows of one sealed table as texts, in any order. */
export type SealedRows = readonly (readonly (string | null)[])[];

/** The rows of other tables: one line per table with rows, in the order of their names. */
export function outboxText(rows: ReadonlyMap<string, SealedRows>): string {
  const names = [...rows.keys()].filter((name) => rows.get(name)?.length).sort();
  const lines = names.map((name) => {
    const texts = (rows.get(name) ?? []).map((cells) => JSON.stringify(cells)).sort();
    return `${name} [${texts.join(',')}]\n`;
  });
  return lines.join('');
}

/** The sealed tables among a batch's rows. */
export function sealedRowsOf(rows: OutboxRows): Map<string, SealedRows> {
  const sealed = new Map<string, SealedRows>();
  for (const [{ name, sealed: columns }, records] of rows) {
    if (!columns) continue;
    sealed.set(name, [...(sealed.get(name) ?? []), ...records.map((row) => sealedCells(columns, row))]);
  }
  return sealed;
}

/** How a column is encoded. */
export type Encoding = 'text' | 'integer' | 'json' | 'hex' | 'flag';
type Columns = readonly (readonly [name: string, encoding: Encoding])[];

/** The columns that a seal covers, in its order. */
export const MOVEMENT_COLUMNS: Columns = [
  ['id', 'text'],
  ['type', 'text'],
  ['from_account', 'text'],
  ['to_account', 'text'],
  ['amount', 'integer'],
  ['fee', 'integer'],
  ['request_id', 'text'],
  ['reference', 'text'],
  ['narration', 'text'],
  ['metadata', 'json'],
  ['related_id', 'text'],
  ['details', 'json'],
  ['actor_type', 'text'],
  ['actor_id', 'text'],
];
export const POSTING_COLUMNS: Columns = [
  ['account_id', 'text'],
  ['seq', 'integer'],
  ['movement_id', 'text'],
  ['amount', 'integer'],
  ['fee', 'integer'],
  ['balance_after', 'integer'],
];
export const REQUEST_COLUMNS: Columns = [
  ['request_id', 'text'],
  ['scope', 'text'],
  ['hash', 'hex'],
  ['movement_id', 'text'],
  ['reply', 'text'],
  ['refused', 'flag'],
];

/** The columns as SQL reads them for `encodedColumns`; `of` is the prefix of a table's alias. */
export function selectList(columns: Columns, of = ''): string {
  return columns.map(([name, kind]) => (kind === 'hex' ? `encode(${of}${name}, 'hex')` : `${of}${name}`)).join(', ');
}

/** Rows that were read back as texts, encoded as the ledger encodes them when it writes. */
export function encodedColumns(columns: Columns, rows: readonly (readonly (string | null | undefined)[])[]): Buffer[] {
  return columns.map(([, encoding], index) => {
    const texts = rows.map((row) => row[index] ?? null);
    if (encoding === 'integer') return int8Array(texts.map((value) => (value === null ? null : Number(value))));
    if (encoding === 'flag') return int8Array(texts.map((value) => Number(value === 't')));
    return encoding === 'json' ? jsonArray(texts) : textArray(texts);
  });
}

function addAll(mac: Hmac, buffers: readonly Buffer[]): Hmac {
  for (const buffer of buffers) mac.update(buffer);
  return mac;
}

function header(kind: number, format: number, id: number, at: number): Buffer {
  const bytes = Buffer.allocUnsafe(18);
  bytes[0] = kind;
  bytes[1] = format;
  bytes.writeBigInt64BE(BigInt(id), 2);
  bytes.writeBigInt64BE(BigInt(at), 10);
  return bytes;
}

function integer(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}
