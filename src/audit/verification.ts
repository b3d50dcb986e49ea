// Verifies the audit log and the protected records, for npm run ledger:verify.
import { sql } from 'kysely';
import { type Database, openDatabase, type Queries } from '../db/database.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { Keys } from '../kernel/key-ring.ts';
import { type AuditKeys, auditKeys } from './chain.ts';
import { missingSeals } from './ledger-heads.ts';
import { missingClosings } from './missing-closings.ts';
import { KINDS, type RecordKind } from './records.ts';
import { type ChainVerification, repeatedEntry, verifyChain } from './verify-chain.ts';
import { type RecordFault, verifyRecords } from './verify-records.ts';

export interface AuditVerification {
  clean: boolean;
  chain: ChainVerification;
  records: number;
  faults: RecordFault[];
  /** Seals of the ledger that the audit log names and that are gone. */
  missingSeals: string[];
  /** Seals under both keys that ended an old key, which the audit log names and that are gone. */
  missingClosings: string[];
}

export interface AuditVerificationOptions {
  masterKey: Keys;
  kinds?: readonly RecordKind[];
}

const TOOL_TIMEOUT_MS = DAY_MS;

export async function verifyAuditAt(url: string, options: AuditVerificationOptions): Promise<AuditVerification> {
  const database = openDatabase({ url, poolSize: 4, timeouts: { queryMs: TOOL_TIMEOUT_MS } });
  try {
    return await verifyAudit(database, options);
  } finally {
    await database.close();
  }
}

/** One snapshot: the service can keep running. */
export async function verifyAudit(
  { queries }: Database,
  options: AuditVerificationOptions,
): Promise<AuditVerification> {
  const snapshot = queries.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute((trx) => verifyAuditIn(trx, options));
}

/** Within a transaction that sees one snapshot. */
export async function verifyAuditIn(
  trx: Queries,
  { masterKey, kinds = KINDS }: AuditVerificationOptions,
): Promise<AuditVerification> {
  const keys = auditKeys(masterKey);
  const chain = await verifyWholeChain(keys, trx);
  // A gateway that starts on an empty database begins the chain before it writes anything. Until then only migrations did.
  const isUnused = chain.valid && chain.entries === 0 && !(await isInUse(trx));
  const { records, faults } = await verifyRecords(keys, trx, isUnused ? [] : kinds);
  const missing = await missingSeals(trx);
  const closings = await missingClosings(trx);
  const clean = chain.valid && faults.length + missing.length + closings.length === 0;
  return { clean, chain, records, faults, missingSeals: missing, missingClosings: closings };
}

async function verifyWholeChain(keys: AuditKeys, trx: Queries): Promise<ChainVerification> {
  const chain = await verifyChain(keys, trx);
  const repeated = chain.valid ? await repeatedEntry(trx) : null;
  return repeated === null ? chain : { valid: false, entries: chain.entries, brokenAt: repeated };
}

async function isInUse(trx: Queries): Promise<boolean> {
  const tables = [
    'users',
    'api_keys',
    'subscribers',
    'agents',
    'processors',
    'partners',
    'movements',
    'requests',
  ] as const;
  for (const table of tables) {
    // Not as exists: a cluster cannot return a row without columns.
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(trx);
    if (rows.length > 0) return true;
  }
  return false;
}

const EXAMPLES = 20;

export function auditReportOf(verification: AuditVerification): string {
  const { clean, chain, records, faults, missingSeals: missing, missingClosings: closings } = verification;
  const lines = [`Audit log: ${chain.entries.toLocaleString('en')} entries, ${records.toLocaleString('en')} records.`];
  if (!chain.valid) lines.push(`FAULT audit_chain: entry ${chain.brokenAt} is missing, changed, or not the service's`);
  if (faults.length > 0) {
    lines.push(`FAULT record_differs (${faults.length}): a record is not in the state of its last audit entry`);
    lines.push(...faults.slice(0, EXAMPLES).map(({ kind, id, detail }) => `  ${kind} ${id}: ${detail}`));
  }
  if (faults.length > EXAMPLES) lines.push(`  and ${faults.length - EXAMPLES} more`);
  if (missing.length > 0)
    lines.push(`FAULT seal_missing: the audit log names the seals of batches ${missing.join(', ')}`);
  if (closings.length > 0) lines.push(`FAULT key_closing_missing: the audit log names ${closings.join(', ')}`);
  lines.push(clean ? 'The audit log and the records are in order.' : 'The audit log or the records are NOT in order.');
  return lines.join('\n');
}
