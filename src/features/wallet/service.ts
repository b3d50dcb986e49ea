// The wallet: what it holds, what goes in and out of it, and what is told of that afterwards.

import { statements } from '../statements/statement.ts';
import { histories } from '../transactions/history.ts';
import { balances } from './balances.ts';
import type { WalletContext } from './context.ts';
import { funding } from './funding.ts';
import { transfers } from './transfers.ts';
import { withdrawals } from './withdrawals.ts';

// Transaction records, shared with the other families that move money.
export { isInTheBooks } from '../transactions/history.ts';
export { historyJson } from '../transactions/history-json.ts';
export type { HistoryPage, TransactionRecord } from '../transactions/record.ts';
export { historyFilters, paymentReply, transaction, transactionsReply } from './schemas.ts';

export type Wallet = ReturnType<typeof createWallet>;

export function createWallet(context: WalletContext) {
  return {
    ...balances(context),
    ...transfers(context),
    ...funding(context),
    ...withdrawals(context),
    ...histories(context),
    ...statements(context),
  };
}
