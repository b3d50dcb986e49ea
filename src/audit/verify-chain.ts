// Recomputes the chain of the audit log.
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import {
  type AuditKeys,
  type ChainedEntry,
  type ChainHead,
  type ChainKeys,
  FORMAT,
  GENESIS,
  headMac,
  isSuccessor,
} from './chain.ts';
import { type ChainPeriods, readPeriods } from './key-closings.ts';

export type ChainVerification = { valid: true; entries: number } | { valid: false; entries: number; brokenAt: number };

// Hashing one batch blocks the event loop for a few milliseconds.
const VERIFY_BATCH = 1_000;

/**
 * The head is stored separately from the entries, so that the removal of the last entries is detected too. An entry that no
 * gateway wrote counts as broken.
 */
export async function verifyChain(keys: AuditKeys, queries: Queries): Promise<ChainVerification> {
  // One statement, one snapshot: an entry after the head means that the head was moved back. The loop below does not read
  // entries with numbers below 1.
  const bound = (text: string) => queries.selectFrom('audit_log').select(sql.raw<number>(text).as('seq'));
  const end = await queries
    .selectFrom('audit_head')
    .select([
      'seq',
      'hash',
      'mac',
      bound('coalesce(min(seq), 1)').as('first'),
      bound('coalesce(max(seq), 0)').as('last'),
    ])
    .executeTakeFirstOrThrow();
  const periods = await readPeriods(keys, queries);
  if (periods.brokenAt !== null) return { valid: false, entries: periods.brokenAt - 1, brokenAt: periods.brokenAt };
  let head: ChainHead = GENESIS;
  while (head.seq < end.seq) {
    const batch = queries.selectFrom('audit_log').selectAll().where('seq', '>', head.seq).where('seq', '<=', end.seq);
    const entries = await batch.orderBy('seq').limit(VERIFY_BATCH).execute();
    const reached = lastUnbroken(periods, head, entries);
    if (reached === head || reached !== entries.at(-1)) return broken(reached);
    head = reached;
  }
  const isWhole = head.hash.equals(end.hash) && end.last === end.seq && isHeadAuthentic(periods.current(), end);
  return isWhole && end.first === 1 ? { valid: true, entries: end.seq } : broken(head);
}

/**
 * The first entry whose number or id is used twice; null: there is none. Constraints are not trusted, because the owner of the
 * database can drop them. Reads the whole table, so only ledger:verify does it.
 */
export async function repeatedEntry(queries: Queries): Promise<number | null> {
  const { rows } = await sql<{ seq: number | null }>`
    select min(seq) as seq from (select seq, count(*) over (partition by id) as of_id, count(*) over (partition by seq) as of_seq
      from audit_log) entries where of_id > 1 or of_seq > 1`.execute(queries);
  return rows[0]?.seq ?? null;
}

function lastUnbroken(periods: ChainPeriods, head: ChainHead, entries: ChainedEntry[]): ChainHead {
  let last = head;
  for (const entry of entries) {
    const keys = periods.keyAt(entry.seq);
    if (!keys || !isSuccessor(keys, last, entry) || entry.format !== FORMAT.keyed) break;
    if (!periods.agrees(entry)) break;
    last = entry;
  }
  return last;
}

/** Only an empty chain has a head without a MAC. */
function isHeadAuthentic(keys: ChainKeys, end: ChainHead & { mac: Buffer | null }): boolean {
  return end.mac === null ? end.seq === 0 : end.mac.equals(headMac(keys, end));
}

function broken(head: ChainHead): ChainVerification {
  return { valid: false, entries: head.seq, brokenAt: head.seq + 1 };
}
