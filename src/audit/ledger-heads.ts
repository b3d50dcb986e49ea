// Records the ends of the ledger's chains in the audit log every ten minutes, so that verification finds a shortened chain.
import { sql } from 'kysely';
import type { Database, Queries } from '../db/database.ts';
import { chainHeads, type Heads } from './anchors.ts';
import { FORMAT } from './chain.ts';
import { type AuditLog, SYSTEM } from './log.ts';

type Head = Heads['seals'][number];

const ACTION = 'ledger.heads';
const PAGE = 1_000;
const BATCHES_PER_CHAIN = 2 ** 32;

/**
 * Returns a task that records the heads that the audit log does not name yet. Two gateways that run it at the same moment
 * record the same head twice, which does no harm.
 */
export function createHeadRecorder({ database, audit }: { database: Database; audit: AuditLog }) {
  const recorded = recordedHeads(database.queries);
  return async function recordHeads(): Promise<void> {
    await audit.seal();
    const latest = await recorded();
    const { seals: heads } = await chainHeads(database.queries);
    const seals = heads.filter((head) => latest.get(chainOf(head)) !== textOf(head));
    if (seals.length === 0) return;
    await audit.record(database.queries, SYSTEM, { action: ACTION, resourceType: 'ledger', details: { seals } });
  };
}

const chainOf = ({ batch }: Head) => Math.floor(Number(batch) / BATCHES_PER_CHAIN);
const textOf = ({ batch, mac }: Head) => `${batch} ${mac}`;

/** The last recorded head of each chain. The first call reads all entries, the next ones only those added since, by any gateway. */
function recordedHeads(queries: Queries): () => Promise<ReadonlyMap<number, string>> {
  const latest = new Map<number, string>();
  let readTo = 0;
  return async () => {
    for (;;) {
      const { rows } = await sql<{ seq: string; seals: Head[] }>`
        select seq::text as seq, details -> 'seals' as seals from audit_log
        where action = ${ACTION} and format = ${FORMAT.keyed} and seq > ${readTo} order by seq limit ${PAGE}`.execute(
        queries,
      );
      for (const { seq, seals } of rows) {
        for (const head of seals) latest.set(chainOf(head), textOf(head));
        readTo = Number(seq);
      }
      if (rows.length < PAGE) return latest;
    }
  };
}

/** The batches whose seals the audit log names and the ledger lacks, or has with another MAC. One index look-up per seal. */
export async function missingSeals(trx: Queries): Promise<string[]> {
  const { rows } = await sql<{ batch: string }>`
    select distinct batch from (
      select distinct head ->> 'batch' as batch, head ->> 'mac' as mac from audit_log
      cross join lateral jsonb_array_elements(details -> 'seals') as heads (head)
      where action = ${ACTION} and format = ${FORMAT.keyed}) recorded
    where encode((select mac from seals where seals.batch = recorded.batch::bigint), 'hex') is distinct from recorded.mac
    order by batch limit 20`.execute(trx);
  return rows.map(({ batch }) => batch);
}
