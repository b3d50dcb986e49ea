// The wallet: balances, transfers, funding and withdrawals.
import { createBalances } from './balances.ts';
import type { WalletContext } from './context.ts';
import { createFunding } from './funding.ts';
import { createTransfers } from './transfers.ts';
import { createWithdrawals } from './withdrawals.ts';

export { balanceReply } from './schemas.ts';

export type Wallet = ReturnType<typeof createWallet>;

export function createWallet(context: WalletContext) {
  return {
    ...createBalances(context),
    ...createTransfers(context),
    ...createFunding(context),
    ...createWithdrawals(context),
  };
}
