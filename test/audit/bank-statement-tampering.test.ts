// The database's owner changes bank statements, entries or trust accounts: ledger:verify detects each change.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { verifyBooks } from '../../src/app/verification.ts';
import { RECORD_KINDS } from '../../src/audit/record-kinds.ts';
import { auditReportOf, verifyAudit } from '../../src/audit/verification.ts';
import { reportOf } from '../../src/ledger/verification/verify.ts';
import { asOwner } from '../ledger/books.ts';
import { CSV, csvFile, newTrustAccount, uploadStatement } from '../support/bank-files.ts';
import { assertStatus, gatewayForFile } from '../support/gateway.ts';
import { SECRETS } from '../support/secrets.ts';

const kissi = await gatewayForFile();
const token = await kissi.adminToken();
const TABLES = ['trust_accounts', 'bank_statements', 'bank_entries'];

const { id: accountId } = await newTrustAccount(kissi, token);
const { id: otherAccountId } = await newTrustAccount(kissi, token);
const statements: string[] = [];
for (const day of ['2026-02-23', '2026-02-24']) {
  const entries = [
    { amount: 500, reference: 'REF-1', description: 'Deposit' },
    { amount: -100, reference: 'REF-2', description: 'Charge' },
  ];
  const file = csvFile({ opening: statements.length * 400, entries, from: day });
  const reply = assertStatus(await uploadStatement(kissi, token, accountId, [CSV, file]), 201);
  statements.push(reply.json.statement.id);
}
const [first, last] = statements;
// The owner ignores foreign keys and triggers.
const owner = (text: string) =>
  asOwner(kissi.db.url, (client) => client.query(`set session_replication_role = replica; ${text}`));
const saved: [table: string, rows: string][] = [];
for (const table of TABLES) {
  const { rows } = await kissi.db.query(`select json_agg(each_row)::text as rows from ${table} each_row`);
  saved.push([table, rows[0].rows]);
}

afterEach(() =>
  asOwner(kissi.db.url, async (client) => {
    await client.query('set session_replication_role = replica');
    for (const [table, rows] of saved) {
      await client.query(`delete from ${table}`);
      await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [rows]);
    }
  }),
);

/** The broken rules of the books, and the kinds of records that differ. */
async function findings(): Promise<string[]> {
  const books = await verifyBooks(kissi.db.url, SECRETS.MASTER_KEY);
  const audit = await verifyAudit(kissi.db.database, { masterKey: SECRETS.MASTER_KEY });
  assert.ok(audit.chain.valid, auditReportOf(audit));
  assert.deepEqual(
    [...books.broken.values()].filter((count) => count === 0),
    [],
    reportOf(books),
  );
  return [...books.broken.keys(), ...new Set(audit.faults.map(({ kind }) => kind))].sort();
}

test('nothing is reported before a tampering', async () => {
  assert.deepEqual(await findings(), []);
});

const ENTRY = `where statement_id = '${first}' and position = 1`;
const ghost = (position: number, amount: number) =>
  `insert into bank_entries select 'bent_GHOST', trust_account_id, statement_id, ${position}, booked_on, ${amount},
    reference, counterparty, description from bank_entries ${ENTRY}`;
const LATER = `where id = '${last}'`;

const CASES: Record<string, [tampering: string, found: string[]]> = {
  'the amount of an entry is changed': [
    `update bank_entries set amount = 501 ${ENTRY}`,
    ['bank_entries_differ', 'match_item_differs'],
  ],
  'two amounts are changed, so that the sum stays': [
    `update bank_entries set amount = amount + case position when 1 then 7 else -7 end where statement_id = '${first}'`,
    ['bank_entries_differ', 'match_item_differs'],
  ],
  'the reference of an entry is changed': [`update bank_entries set reference = 'X' ${ENTRY}`, ['bank_entries_differ']],
  'an empty text becomes a missing one': [
    `update bank_entries set counterparty = '' ${ENTRY}`,
    ['bank_entries_differ'],
  ],
  'the day of an entry is changed': [
    `update bank_entries set booked_on = booked_on - 1 ${ENTRY}`,
    ['bank_entries_differ', 'match_item_differs'],
  ],
  'the id of an entry is changed': [
    `update bank_entries set id = 'bent_X' ${ENTRY}`,
    ['bank_entries_differ', 'match_item_differs'],
  ],
  'the ids of two entries are exchanged': [
    `create temp table ids as select id, position from bank_entries where statement_id = '${first}';
      update bank_entries set id = 'bent_X' ${ENTRY};
      update bank_entries set id = (select id from ids where position = 1) where statement_id = '${first}' and position = 2;
      update bank_entries set id = (select id from ids where position = 2) ${ENTRY}`,
    ['bank_entries_differ', 'match_item_differs'],
  ],
  'an entry is added': [ghost(3, 900), ['bank_entries_differ', 'match_item_differs']],
  'an entry of zero is added': [ghost(3, 0), ['bank_entries_differ', 'match_item_differs']],
  'an entry is removed': [`delete from bank_entries ${ENTRY}`, ['bank_entries_differ', 'match_item_differs']],
  'all entries are removed': [
    `delete from bank_entries where statement_id = '${first}'`,
    ['bank_entries_differ', 'match_item_differs'],
  ],
  'an entry is moved to another statement': [
    `update bank_entries set statement_id = '${last}', position = 9 ${ENTRY}`,
    ['bank_entries_differ'],
  ],
  'an entry is moved to another account': [
    `update bank_entries set trust_account_id = '${otherAccountId}' ${ENTRY}`,
    ['bank_entry_without_statement'],
  ],
  'an entry without a statement is added': [
    `${ghost(3, 5)}; update bank_entries set statement_id = 'stmt_X' where id = 'bent_GHOST'`,
    ['bank_entry_without_statement', 'match_item_differs'],
  ],
  'the closing balance is changed': [
    `update bank_statements set closing_balance = closing_balance + 1 ${LATER}`,
    ['bank_statement'],
  ],
  'the opening balance is changed': [
    `update bank_statements set opening_balance = opening_balance + 1 ${LATER}`,
    ['bank_statement', 'bank_statement_gap'],
  ],
  'the last day is changed': [`update bank_statements set to_date = to_date + 1 ${LATER}`, ['bank_statement']],
  'entries and digest are changed together': [
    `update bank_entries set amount = 0 where statement_id = '${last}';
      update bank_statements set entries_digest = sha256('x') ${LATER}`,
    ['bank_entries_differ', 'bank_statement', 'match_item_differs'],
  ],
  'the file is replaced': [`update bank_statements set file = 'x'::bytea ${LATER}`, ['bank_file_differs']],
  'the file of another statement is put in its place': [
    `update bank_statements set file = (select file from bank_statements where id = '${first}') ${LATER}`,
    ['bank_file_differs'],
  ],
  'file and hash are replaced': [
    `update bank_statements set (file, file_sha256) = (select file, sha256('x') from bank_statements where id = '${first}') ${LATER}`,
    ['bank_file_differs', 'bank_statement'],
  ],
  'the last statement is removed with its entries': [
    `delete from bank_entries where statement_id = '${last}'; delete from bank_statements ${LATER}`,
    ['bank_statement', 'match_item_differs'],
  ],
  'a statement is inserted': [
    `insert into bank_statements select 'stmt_GHOST', trust_account_id, format, sha256('g'), to_date + 1, to_date + 1,
      closing_balance, closing_balance, 0, sha256(''), file, uploaded_by, uploaded_at from bank_statements ${LATER}`,
    ['bank_file_differs', 'bank_statement'],
  ],
  'a statement is moved to another account': [
    `update bank_statements set trust_account_id = '${otherAccountId}' ${LATER};
      update bank_entries set trust_account_id = '${otherAccountId}' where statement_id = '${last}'`,
    ['bank_statement'],
  ],
  'the account number is changed': [
    `update trust_accounts set account_number = '1' where id = '${accountId}'`,
    ['trust_account'],
  ],
  'an account is closed': [
    `update trust_accounts set status = 'closed' where id = '${otherAccountId}'`,
    ['trust_account'],
  ],
  'an account is inserted': [
    `insert into trust_accounts select 'trust_GHOST', name, 'X', account_number, currency, status, created_at, updated_at
      from trust_accounts limit 1`,
    ['trust_account'],
  ],
  'an account is removed': [`delete from trust_accounts where id = '${otherAccountId}'`, ['trust_account']],
};

describe('is detected:', () => {
  for (const [name, [tampering, found]] of Object.entries(CASES)) {
    test(name, async () => {
      await owner(tampering);
      assert.deepEqual(await findings(), found);
    });
  }
});

/** Columns of finance tables that no protected record has, and how a change of them is found or why it need not be. */
const OTHER_COLUMNS: Record<string, Record<string, string[]>> = {
  'the digest of the entries, and the statement of each': {
    bank_entries: [
      ...['id', 'trust_account_id', 'statement_id', 'position', 'booked_on', 'amount'],
      ...['reference', 'counterparty', 'description'],
    ],
  },
  'the SHA-256 of the file': { bank_statements: ['file'] },
  'ledger:verify derives it from entries, movements and matches': {
    reconciliation_items: ['side', 'item_id', 'dated', 'amount', 'status', 'match_id', 'suggestion_id', 'was_undone'],
  },
  'no authority: the audit log has every change of an owner': { reconciliation_items: ['owner_id', 'owned_since'] },
  'no authority: accepting a suggestion makes every check of a manual match': {
    reconciliation_suggestions: ['id', 'rule', 'bank_entry_ids', 'transaction_ids', 'amount', 'created_at'],
  },
  'no authority: the audit log has every run and its matches': {
    reconciliation_runs: [
      ...['id', 'status', 'started_by', 'started_at', 'lease_until', 'finished_at', 'matched', 'suggested'],
    ],
  },
  'an item that it leaves out is reported': { reconciliation_progress: ['single', 'listed_until'] },
  'the protected matches have the numbers that it gave': { reconciliation_progress: ['changes'] },
  'the audit log has the time of each change': { trust_accounts: ['updated_at'], commission_tiers: ['updated_at'] },
};

test('every column of the finance tables is in a protected record or is listed here', async () => {
  const found = await kissi.db.query(`select table_name, column_name from information_schema.columns
    where table_schema = 'public' and table_name ~ '^(trust_|bank_|reconciliation_|close|commission_)'`);
  const kinds = Object.values(RECORD_KINDS) as { table: string; id: string; columns: object }[];
  const known = new Set([
    ...kinds.flatMap(({ table, id, columns }) => [id, ...Object.keys(columns)].map((name) => `${table}.${name}`)),
    ...Object.values(OTHER_COLUMNS).flatMap((tables) =>
      Object.entries(tables).flatMap(([table, names]) => names.map((name) => `${table}.${name}`)),
    ),
  ]);
  const columns = found.rows.map(({ table_name, column_name }) => `${table_name}.${column_name}`);
  assert.ok(columns.length > 70, String(columns.length));
  assert.deepEqual(
    columns.filter((column) => !known.has(column)),
    [],
  );
});
