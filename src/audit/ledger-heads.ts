// Enters the ends of the ledger's chains into the audit log now and then, so that a shortened ledger chain is detected by it.
import { sql } from 'kysely';
import type { Database, Queries } from '../db/database.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { chainHeads, hasSeals } from './anchors.ts';
import { FORMAT } from './chain.ts';
import { type AuditLog, SYSTEM } from './log.ts';

const ACTION = 'ledger.heads';

/** Returns a task that records the heads if they have moved since its last run. */
export function createHeadRecorder({ database, audit }: { database: Database; audit: AuditLog }) {
  let latest = '[]';
  return async function recordHeads(): Promise<void> {
    const { seals } = await chainHeads(database.queries);
    const text = canonicalJson(seals);
    if (text === latest) return;
    await audit.record(database.queries, SYSTEM, { action: ACTION, resourceType: 'ledger', details: { seals } });
    latest = text;
  };
}

/** The batches whose seals the audit log names and the ledger lacks, or has with another MAC. */
export async function missingSeals(trx: Queries): Promise<string[]> {
  if (!(await hasSeals(trx))) return [];
  const { rows } = await sql<{ batch: string }>`
    select distinct head ->> 'batch' as batch from audit_log
    cross join lateral jsonb_array_elements(details -> 'seals') as heads (head)
    left join seals on seals.batch = (head ->> 'batch')::bigint
    where audit_log.action = ${ACTION} and audit_log.format = ${FORMAT.keyed} and encode(seals.mac, 'hex') is distinct from head ->> 'mac'
    limit 20`.execute(trx);
  return rows.map(({ batch }) => batch);
}
