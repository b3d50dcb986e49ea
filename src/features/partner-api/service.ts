// What a partner may ask for itself: whether an account is there, to credit one with cash, and what it did so far.
import { Refusal } from '../../kernel/refusal.ts';
import type { CardHolder, Wallet } from '../wallet/service.ts';
import { type CashInParts, cashingIn } from './cashin.ts';
import { naming } from './naming.ts';
import type { Named } from './schemas.ts';

export interface PartnerApiParts extends CashInParts {
  wallet: Pick<Wallet, 'accountHistory'>;
}

export interface AccountStatus {
  exists: boolean;
  status: string | null;
}

export interface HistoryRequest {
  from?: string;
  to?: string;
  limit: number;
  offset: number;
}

export type PartnerApi = ReturnType<typeof createPartnerApi>;

export function createPartnerApi(parts: PartnerApiParts) {
  const { read, find } = naming(parts);
  return {
    cashIn: cashingIn(parts),

    async accountStatus(named: Named): Promise<AccountStatus | Refusal> {
      const name = read(named);
      if (name instanceof Refusal) return name;
      const found = await find(name);
      return { exists: found !== null, status: found && statusOf(found) };
    },

    /** Whatever moved its clearing account: cash-ins, fundings, inbound credits and their reversals, settlements. */
    history: (partnerId: string, request: HistoryRequest) => parts.wallet.accountHistory(partnerId, request, null),
  };
}

/** A blocked card cannot be credited by its serial, however its holder stands. */
function statusOf({ holder, card }: CardHolder): string {
  return card?.status === 'blocked' ? 'blocked' : holder.status.toLowerCase();
}
