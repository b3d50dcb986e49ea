// The wallet: balances, transfers, funding and withdrawals.
import { balances } from './balances.ts';
import type { WalletContext } from './context.ts';
import { funding } from './funding.ts';
import { transfers } from './transfers.ts';
import { withdrawals } from './withdrawals.ts';

export type Wallet = ReturnType<typeof createWallet>;

export function createWallet(context: WalletContext) {
  return { ...balances(context), ...transfers(context), ...funding(context), ...withdrawals(context) };
}
