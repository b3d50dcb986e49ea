// The hash chain of the audit log: each hash covers the entry and the previous hash, which makes changes detectable.
import { createHash } from 'node:crypto';
import type { Row } from '../db/schema/tables.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';

export type AuditEntry = Row<'audit_inbox'>;
export type ChainedEntry = Row<'audit_log'>;

export interface ChainHead {
  seq: number;
  hash: Buffer;
}

export const GENESIS: ChainHead = { seq: 0, hash: Buffer.alloc(32) };

export function chained(head: ChainHead, entry: AuditEntry): ChainedEntry {
  const seq = head.seq + 1;
  return { ...entry, seq, prev_hash: head.hash, hash: hashOf(seq, head.hash, entry) };
}

/** Whether the entry is a valid successor of the head. */
export function isSuccessor(head: ChainHead, entry: ChainedEntry): boolean {
  return (
    entry.seq === head.seq + 1 &&
    entry.prev_hash.equals(head.hash) &&
    entry.hash.equals(hashOf(entry.seq, head.hash, entry))
  );
}

function hashOf(seq: number, prevHash: Buffer, entry: AuditEntry): Buffer {
  const { id, at, actor_type, actor_id, action, resource_type, resource_id, ip, request_id, details } = entry;
  const fields = [seq, id, at.toISOString(), actor_type, actor_id, action, resource_type, resource_id, ip, request_id];
  return (
    createHash('sha256')
      .update(prevHash)
      // The database stores the value of `details`, not the order of its keys.
      .update(canonicalJson([...fields, details]))
      .digest()
  );
}
