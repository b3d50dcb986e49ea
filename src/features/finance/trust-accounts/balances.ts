// Balances of the trust accounts at the end of a day, for the daily close and the alarms.
import type { Queries } from '../../../db/database.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import type { TrustAccountRow } from './store.ts';

export interface TrustBalance {
  trustAccountId: string;
  name: string;
  bank: string;
  accountNumber: string;
  currency: string;
  status: TrustAccountRow['status'];
  /** The closing balance of the last statement that ends on the day or before it. Null: there is none. */
  balance: number | null;
  /** The day on which that statement ends. */
  asOf: string | null;
  /** Days from the end of that statement to the day: 0 if it ends on the day itself. */
  ageDays: number | null;
  statementId: string | null;
}

/** `day`: YYYY-MM-DD. In the order of the ids. */
export async function trustBalancesAt(queries: Queries, day: string): Promise<TrustBalance[]> {
  const rows = await queries
    .selectFrom('trust_accounts as account')
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('bank_statements')
          .select(['id', 'closing_balance', 'to_date'])
          .whereRef('trust_account_id', '=', 'account.id')
          .where('to_date', '<=', day)
          .orderBy('to_date', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['account.id', 'name', 'bank', 'account_number', 'currency', 'status'])
    .select(['last.id as statement_id', 'last.closing_balance', 'last.to_date'])
    .orderBy('account.id')
    .execute();
  return rows.map(({ id, name, bank, account_number, currency, status, statement_id, closing_balance, to_date }) => ({
    ...{ trustAccountId: id, name, bank, accountNumber: account_number, currency, status },
    balance: closing_balance,
    asOf: to_date,
    ageDays: to_date === null ? null : (Date.parse(day) - Date.parse(to_date)) / DAY_MS,
    statementId: statement_id,
  }));
}
