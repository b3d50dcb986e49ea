// The limits of a wallet and of its cards, and what is used of them.
import type { AccountLimits } from '../../ledger/queries/account-limits.ts';

export interface CardLimit {
  serial: string;
  label: string | null;
  limit: number;
  used: number;
}

export interface LimitsInUse extends AccountLimits {
  subscriberId: string;
  /** Cards with their own daily limit. */
  cards: CardLimit[];
}
