// The chain of the audit log: each hash is an HMAC over the entry and the previous hash, so only holders of the key can extend it.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Row } from '../db/schema/tables.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';

export type InboxEntry = Row<'audit_inbox'>;
export type ChainedEntry = Row<'audit_log'>;
/** The content of an entry, in the inbox or in the chain. */
export type AuditEntry = Omit<InboxEntry, 'mac'>;

export interface ChainHead {
  seq: number;
  hash: Buffer;
}

export const GENESIS: ChainHead = { seq: 0, hash: Buffer.alloc(32) };

export const FORMAT = {
  keyed: 1,
  /** The entry arrived in the inbox without a valid MAC: not written by the service. */
  unauthenticated: 2,
} as const;

/** Derived from MASTER_KEY, one per purpose. */
export interface AuditKeys {
  chain: Buffer;
  inbox: Buffer;
  head: Buffer;
  state: Buffer;
}

const KEY_BYTES = 32;

export function auditKeys(masterKey: string): AuditKeys {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', masterKey, '', purpose, KEY_BYTES));
  return {
    chain: key('kissi-audit-chain-v1'),
    inbox: key('kissi-audit-inbox-v1'),
    head: key('kissi-audit-head-v1'),
    state: key('kissi-record-state-v1'),
  };
}

export function chained(
  keys: AuditKeys,
  head: ChainHead,
  { mac: _, ...entry }: InboxEntry,
  format: number,
): ChainedEntry {
  const next = { ...entry, format, seq: head.seq + 1, prev_hash: head.hash };
  return { ...next, hash: hashOf(keys, next) };
}

/** Whether the entry is a valid successor of the head. */
export function isSuccessor(keys: AuditKeys, head: ChainHead, entry: ChainedEntry): boolean {
  return (
    entry.seq === head.seq + 1 && entry.prev_hash.equals(head.hash) && timingSafeEqual(hashOf(keys, entry), entry.hash)
  );
}

function hashOf(keys: AuditKeys, entry: Omit<ChainedEntry, 'hash'>): Buffer {
  const { seq, prev_hash, format, state, ...content } = entry;
  // The database stores the value of `details`, not the order of its keys.
  return createHmac('sha256', keys.chain)
    .update(prev_hash)
    .update(canonicalJson([format, seq, ...contentOf(content), state]))
    .digest();
}

/** Proves to the sealing step that a gateway wrote the entry. */
export function inboxMac(keys: AuditKeys, { state, ...content }: AuditEntry): Buffer {
  return createHmac('sha256', keys.inbox)
    .update(canonicalJson([...contentOf(content), state]))
    .digest();
}

export function isAuthentic(keys: AuditKeys, { mac, ...entry }: InboxEntry): boolean {
  const expected = inboxMac(keys, entry);
  return mac !== null && mac.length === expected.length && timingSafeEqual(mac, expected);
}

/** One entry per id. An authentic entry takes precedence over one that is not. */
export function withoutCopies(keys: AuditKeys, entries: readonly InboxEntry[]): InboxEntry[] {
  const byId = new Map<string, InboxEntry>();
  for (const entry of entries) {
    const known = byId.get(entry.id);
    if (known === undefined || !isAuthentic(keys, known)) byId.set(entry.id, entry);
  }
  return [...byId.values()];
}

/** Proves that the service moved the end of the chain to this entry. */
export function headMac(keys: AuditKeys, { seq, hash }: ChainHead): Buffer {
  return createHmac('sha256', keys.head).update(`${seq}:`).update(hash).digest();
}

function contentOf(entry: Omit<AuditEntry, 'state'>): unknown[] {
  const { id, at, actor_type, actor_id, action, resource_type, resource_id, ip, request_id, details } = entry;
  return [id, at.toISOString(), actor_type, actor_id, action, resource_type, resource_id, ip, request_id, details];
}
