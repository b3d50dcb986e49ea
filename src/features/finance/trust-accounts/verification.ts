// Verifies bank statements: the entries are those of the digest, and the stored file is the one that was uploaded.
// The statements themselves are protected records (audit/record-kinds.ts).
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Connection } from '../../../db/driver/connection.ts';
import { statement } from '../../../db/driver/statement.ts';
import { type Check, type Findings, rowsOf } from '../../../ledger/verification/findings.ts';
import { EntriesDigest } from './entry-batches.ts';

const RULES = {
  bank_entries_differ: "a bank statement's entries are not the uploaded ones",
  bank_entry_without_statement: "an entry belongs to no bank statement, or to another trust account's",
  bank_file_differs: "a bank statement's stored file is not the uploaded one",
  bank_statement_gap: "a bank statement does not continue its trust account's previous one",
} as const;

const STATEMENTS = `select id, encode(entries_digest, 'hex'), encode(file_sha256, 'hex') from bank_statements order by id`;
const ENTRIES = `select statement_id, id, position, booked_on, amount, reference, counterparty, description
  from bank_entries order by statement_id, position, id`;
const ORPHANS = `select e.id, e.statement_id from bank_entries e left join bank_statements s
  on s.id = e.statement_id and s.trust_account_id = e.trust_account_id where s.id is null`;
const GAPS = `select id, previous_id from (select id, from_date, opening_balance, lag(id) over w as previous_id,
    lag(to_date) over w as previous_to, lag(closing_balance) over w as previous_closing
    from bank_statements window w as (partition by trust_account_id order by to_date)) s
  where from_date <= previous_to or opening_balance <> previous_closing`;
const FILE = statement('verify-bank-file', `select encode(file, 'base64') from bank_statements where id = $1`);

export const BANK_STATEMENTS: Check = {
  rules: RULES,
  async run(connection, findings) {
    const digests = await entryDigests(connection);
    const none = new EntriesDigest().end().toString('hex');
    const files: [id: string, sha256: string][] = [];
    for await (const [id, digest, sha256] of rowsOf(connection, 'bank_statements_read', STATEMENTS)) {
      const found = digests.get(id as string) ?? none;
      if (found !== digest) findings.fault('bank_entries_differ', id as string, 'the digest of its entries differs');
      files.push([id as string, sha256 as string]);
    }
    for await (const [id, statementId] of rowsOf(connection, 'bank_entries_orphaned', ORPHANS)) {
      findings.fault('bank_entry_without_statement', id as string, `it names the statement ${statementId}`);
    }
    for await (const [id, previous] of rowsOf(connection, 'bank_statements_gaps', GAPS)) {
      findings.fault('bank_statement_gap', id as string, `after ${previous}`);
    }
    for (const file of files) await verifyFile(connection, findings, file);
  },
};

/** The digest of the entries of each statement that has some. */
async function entryDigests(connection: Connection): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  let [current, digest] = ['', new EntriesDigest()];
  const keep = () => current && digests.set(current, digest.end().toString('hex'));
  for await (const [statementId, ...columns] of rowsOf(connection, 'bank_entries_read', ENTRIES)) {
    if (statementId !== current) {
      keep();
      [current, digest] = [statementId as string, new EntriesDigest()];
    }
    digest.add(columns);
  }
  keep();
  return digests;
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** One file at a time: together they are too large for the memory. */
async function verifyFile(connection: Connection, findings: Findings, [id, sha256]: [string, string]): Promise<void> {
  const [row] = await connection.run(FILE, [id]);
  const compressed = Buffer.from(row?.[0] ?? '', 'base64');
  const file = await promisify(gunzip)(compressed, { maxOutputLength: MAX_FILE_BYTES }).catch(() => null);
  const found = file && createHash('sha256').update(file).digest('hex');
  if (found !== sha256)
    findings.fault('bank_file_differs', id, found ? `its SHA-256 is ${found}` : 'it is not a gzip file');
}
