// The table of processors' bank accounts.
import type { Queries } from '../../db/database.ts';
import type { NewRow, Row } from '../../db/schema/tables.ts';

export type BankAccountRow = Row<'bank_accounts'>;

export function insertBankAccount(trx: Queries, account: NewRow<'bank_accounts'>): Promise<BankAccountRow> {
  return trx.insertInto('bank_accounts').values(account).returningAll().executeTakeFirstOrThrow();
}

/** Finds removed accounts too. */
export function findBankAccount(
  queries: Queries,
  processorId: string,
  id: string,
): Promise<BankAccountRow | undefined> {
  const account = queries.selectFrom('bank_accounts').selectAll().where('id', '=', id);
  return account.where('processor_id', '=', processorId).executeTakeFirst();
}

export function findByNumber(
  queries: Queries,
  processorId: string,
  accountNumber: string,
): Promise<BankAccountRow | undefined> {
  const accounts = openAccounts(queries, processorId).selectAll();
  return accounts.where('account_number', '=', accountNumber).executeTakeFirst();
}

export function listBankAccounts(queries: Queries, processorId: string): Promise<BankAccountRow[]> {
  return openAccounts(queries, processorId).selectAll().orderBy('id', 'desc').execute();
}

export async function countBankAccounts(trx: Queries, processorId: string): Promise<number> {
  return (await openAccounts(trx, processorId).select('id').execute()).length;
}

function openAccounts(queries: Queries, processorId: string) {
  return queries.selectFrom('bank_accounts').where('processor_id', '=', processorId).where('removed_at', 'is', null);
}

/** Undefined if the account is unknown or already removed. */
export function removeBankAccount(
  trx: Queries,
  processorId: string,
  id: string,
  by: { removed_by: string; removed_at: Date },
): Promise<BankAccountRow | undefined> {
  return trx
    .updateTable('bank_accounts')
    .set(by)
    .where('id', '=', id)
    .where('processor_id', '=', processorId)
    .where('removed_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}
