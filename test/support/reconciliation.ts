// Bank entries and reconciliation calls for tests. Entries are inserted as their own statement.
import { createHash } from 'node:crypto';
import { createListing } from '../../src/features/finance/reconciliation/service.ts';
import { newId } from '../../src/kernel/ids.ts';
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import type { BankOptions } from './money.ts';

/** For bankForFile: the statements are inserted without a file, and not through the service. */
export const INSERTED_STATEMENTS = {
  brokenRules: ['bank_entries_differ', 'bank_file_differs', 'bank_statement_gap'],
  unauditedRecords: ['trust_account', 'bank_statement'],
} satisfies BankOptions;

export interface TestEntry {
  amount: number;
  /** By default today. */
  date?: string;
  reference?: string | null;
  counterparty?: string | null;
  description?: string | null;
}

export interface Finance {
  /** Inserts a statement with these entries into the trust account and returns their ids. */
  statement(...entries: TestEntry[]): Promise<string[]>;
  call(method: string, path: string, body?: object): Promise<CallReply>;
  run(): Promise<Json>;
  match(bankIds: string[], transactionIds: string[], note?: string): Promise<CallReply>;
  undo(matchId: string): Promise<CallReply>;
  items(query?: string): Promise<Json[]>;
  /** The list's record of one item. */
  item(id: string): Promise<Json>;
}

export const today = ({ clock }: TestGateway) => new Date(clock.now()).toISOString().slice(0, 10);

export async function financeOf(kissi: TestGateway, token: string): Promise<Finance> {
  const trustAccountId = newId('trust', kissi.clock);
  const now = () => new Date(kissi.clock.now());
  await kissi.db.query(
    `insert into trust_accounts (id, name, bank, account_number, currency, created_at, updated_at)
     values ($1, 'Trust', 'Test bank', $1, 'SLE', $2, $2)`,
    [trustAccountId, now()],
  );
  let statements = 0;

  async function statement(...entries: TestEntry[]): Promise<string[]> {
    const id = newId('stmt', kissi.clock);
    const sum = entries.reduce((total, { amount }) => total + amount, 0);
    const digest = createHash('sha256').update(id).digest();
    // The dates of statements must differ; those of the entries are independent of them here.
    const date = new Date(Date.UTC(2000, 0, ++statements));
    await kissi.db.query(
      `insert into bank_statements (id, trust_account_id, format, file_sha256, from_date, to_date, opening_balance,
        closing_balance, entry_count, entries_digest, file, uploaded_by, uploaded_at)
       values ($1, $2, 'csv', $3, $4, $4, 0, $5, $6, $3, '', 'test', $7)`,
      [id, trustAccountId, digest, date, sum, entries.length, now()],
    );
    const ids = entries.map(() => newId('bent', kissi.clock));
    await kissi.db.query(
      `insert into bank_entries (id, trust_account_id, statement_id, position, booked_on, amount, reference, counterparty,
        description)
       select e.id, $1, $2, e.position, e.booked_on, e.amount, e.reference, e.counterparty, e.description
       from json_populate_recordset(null::bank_entries, $3::json) e`,
      [
        ...[trustAccountId, id],
        JSON.stringify(
          entries.map(({ date = today(kissi), ...rest }, n) => ({
            id: ids[n],
            position: n + 1,
            booked_on: date,
            ...rest,
          })),
        ),
      ],
    );
    // The service lists entries when it stores a statement.
    await createListing({ database: kissi.db.database, clock: kissi.clock })();
    return ids;
  }

  const call = (method: string, path: string, body?: object) =>
    kissi.call(method, `/api/v1/admin/reconciliation${path}`, { token, ...(body ? { body } : {}) });

  async function items(query = ''): Promise<Json[]> {
    return assertStatus(await call('GET', query === '' ? '' : `?${query}`), 200).json.items;
  }

  return {
    statement,
    call,
    items,
    async run() {
      return assertStatus(await call('POST', '/run'), 200).json.run;
    },
    match: (bank_entry_ids, transaction_ids, note) =>
      call('POST', '/matches', { bank_entry_ids, transaction_ids, ...(note === undefined ? {} : { note }) }),
    undo: (matchId) => call('DELETE', `/matches/${matchId}`),
    async item(id) {
      for (let offset = 0; ; offset += 100) {
        const page = await items(`limit=100&offset=${offset}`);
        const found = page.find((each) => each.id === id);
        if (found || page.length === 0) return found;
      }
    },
  };
}
