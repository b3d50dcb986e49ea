// The chain of the audit log: each hash is an HMAC over the entry and the previous hash, so only holders of the key can extend it.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type ClosingKeys, closingKeys } from '../db/key-closings.ts';
import type { Row } from '../db/schema/tables.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { Derived, FIRST_KEY, type Keys, MissingKey } from '../kernel/key-ring.ts';

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

/** Derived from one key of MASTER_KEY, one per purpose. */
export interface ChainKeys {
  /** The id of the master key. */
  id: string;
  chain: Buffer;
  inbox: Buffer;
  head: Buffer;
}

export interface AuditKeys {
  of: Derived<ChainKeys>;
  closings: ClosingKeys;
  /**
   * Keys the digests of records. Always from the first master key: digests of different keys cannot be compared, and who has
   * the key finds no other content with the same digest.
   */
  readonly state: Buffer;
}

const KEY_BYTES = 32;

export function auditKeys(masterKeys: Keys): AuditKeys {
  const derive = (value: string, purpose: string) => Buffer.from(hkdfSync('sha256', value, '', purpose, KEY_BYTES));
  const of = new Derived(masterKeys, (value, id) => ({
    id,
    chain: derive(value, 'kissi-audit-chain-v1'),
    inbox: derive(value, 'kissi-audit-inbox-v1'),
    head: derive(value, 'kissi-audit-head-v1'),
  }));
  const states = new Derived(of.ring, (value) => derive(value, 'kissi-record-state-v1'));
  return {
    of,
    closings: closingKeys(of.ring),
    get state() {
      const found = states.known(FIRST_KEY);
      if (!found) throw new MissingKey(FIRST_KEY);
      return found;
    },
  };
}

export function chained(
  keys: ChainKeys,
  head: ChainHead,
  { mac: _, ...entry }: InboxEntry,
  format: number,
): ChainedEntry {
  const next = { ...entry, format, seq: head.seq + 1, prev_hash: head.hash };
  return { ...next, hash: hashOf(keys, next) };
}

/** Whether the entry is a valid successor of the head. */
export function isSuccessor(keys: ChainKeys, head: ChainHead, entry: ChainedEntry): boolean {
  return (
    entry.seq === head.seq + 1 && entry.prev_hash.equals(head.hash) && timingSafeEqual(hashOf(keys, entry), entry.hash)
  );
}

function hashOf(keys: ChainKeys, entry: Omit<ChainedEntry, 'hash'>): Buffer {
  const { seq, prev_hash, format, state, ...content } = entry;
  // The database stores the value of `details`, not the order of its keys.
  return createHmac('sha256', keys.chain)
    .update(prev_hash)
    .update(canonicalJson([format, seq, ...contentOf(content), state]))
    .digest();
}

const MAC_BYTES = 32;

/** Proves to the sealing step that a gateway wrote the entry. The key's id follows the 32 bytes, unless it is the first key. */
export function inboxMac({ of }: AuditKeys, entry: AuditEntry): Buffer {
  const { id, inbox } = of.writing;
  return Buffer.concat([macOf(inbox, entry), Buffer.from(id === FIRST_KEY ? '' : id, 'latin1')]);
}

function macOf(key: Buffer, { state, ...content }: AuditEntry): Buffer {
  return createHmac('sha256', key)
    .update(canonicalJson([...contentOf(content), state]))
    .digest();
}

/** `ended`: keys that write no entries any more. */
export function isAuthentic({ of }: AuditKeys, { mac, ...entry }: InboxEntry, ended: ReadonlySet<string>): boolean {
  if (mac === null || mac.length < MAC_BYTES) return false;
  const id = mac.length === MAC_BYTES ? FIRST_KEY : mac.toString('latin1', MAC_BYTES);
  const keys = ended.has(id) ? undefined : of.known(id);
  return keys !== undefined && timingSafeEqual(mac.subarray(0, MAC_BYTES), macOf(keys.inbox, entry));
}

/** One entry per id. An authentic entry takes precedence over one that is not. */
export function withoutCopies(entries: readonly InboxEntry[], isGenuine: (entry: InboxEntry) => boolean): InboxEntry[] {
  const byId = new Map<string, InboxEntry>();
  for (const entry of entries) {
    const known = byId.get(entry.id);
    if (known === undefined || !isGenuine(known)) byId.set(entry.id, entry);
  }
  return [...byId.values()];
}

/** Proves that the service moved the end of the chain to this entry. */
export function headMac(keys: ChainKeys, { seq, hash }: ChainHead): Buffer {
  return createHmac('sha256', keys.head).update(`${seq}:`).update(hash).digest();
}

function contentOf(entry: Omit<AuditEntry, 'state'>): unknown[] {
  const { id, at, actor_type, actor_id, action, resource_type, resource_id, ip, request_id, details } = entry;
  return [id, at.toISOString(), actor_type, actor_id, action, resource_type, resource_id, ip, request_id, details];
}
