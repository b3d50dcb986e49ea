// The wallet: what it holds, what goes in and out of it, and what is told of that afterwards.

import { statements } from '../statements/statement.ts';
import { histories } from '../transactions/history.ts';
import { balances } from './balances.ts';
import type { WalletContext } from './context.ts';
import { funding } from './funding.ts';
import { transfers } from './transfers.ts';
import { withdrawals } from './withdrawals.ts';

// What the other families that move money share with this one: who takes part, and the records.
export { isInTheBooks } from '../transactions/history.ts';
export { historyJson } from '../transactions/history-json.ts';
export type { HistoryPage, TransactionRecord } from '../transactions/record.ts';
export { type CardHolder, cardHolder, cardRefusal, holderRefusal, noSuchSubscriber, standingOf } from './context.ts';
export { historyFilters, paymentReply, transaction, transactionsReply } from './schemas.ts';
export { type Holder, type Holders, holdersOf, type PartnerOnFile, partnerById } from './store.ts';

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
