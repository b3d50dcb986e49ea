// The partner API: account status, cash-in and the partner's own transaction history.
import type { Actor } from '../../../audit/log.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { isSystemAccount } from '../../../ledger/system-accounts.ts';
import { cardHolderStatus } from '../../../parties/card.ts';
import type { HistoryPage, TransactionRecord, Transactions } from '../../transactions/service.ts';
import { naming } from './beneficiary.ts';
import { type CashInContext, cashingIn } from './cash-in.ts';
import type { Named } from './schemas.ts';

export interface PartnerApiParts extends CashInContext {
  transactions: Pick<Transactions, 'accountHistory'>;
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

export function createPartnerApi(context: PartnerApiParts) {
  const { read, find } = naming(context);
  return {
    cashIn: cashingIn(context),

    async accountStatus(named: Named): Promise<AccountStatus | Refusal> {
      const name = read(named);
      if (name instanceof Refusal) return name;
      const found = await find(name);
      return { exists: found !== null, status: found && cardHolderStatus(found) };
    },

    /** All movements of its clearing account: cash-ins, fundings, inbound credits and reversals, settlements. */
    async history(actor: Actor, partnerId: string, request: HistoryRequest): Promise<HistoryPage | Refusal> {
      const page = await context.transactions.accountHistory(actor, partnerId, request, null);
      return page instanceof Refusal ? page : { ...page, transactions: page.transactions.map(withoutHouse) };
    },
  };
}

/** Hides the operator's system accounts from partners. */
function withoutHouse(record: TransactionRecord): TransactionRecord {
  const { counterparty, payer_id, payee_id } = record;
  return {
    ...record,
    counterparty: unlessHouse(counterparty),
    payer_id: unlessHouse(payer_id),
    payee_id: unlessHouse(payee_id),
  };
}

function unlessHouse(id: string | null): string | null {
  return id !== null && isSystemAccount(id) ? null : id;
}
