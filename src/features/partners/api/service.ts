// The partner API: account status, cash-in and the partner's own transaction history.
import type { Actor } from '../../../audit/log.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { isSystemAccount } from '../../../ledger/system-accounts.ts';
import { cardHolderStatus } from '../../../parties/card.ts';
import type { HistoryPage, TransactionRecord, Transactions } from '../../transactions/service.ts';
import { createBeneficiaryLookup } from './beneficiary.ts';
import { type CashInContext, createCashIn } from './cash-in.ts';
import type { IdentifierFields } from './schemas.ts';

export interface PartnerApiContext extends CashInContext {
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

export function createPartnerApi(context: PartnerApiContext) {
  const { read, find } = createBeneficiaryLookup(context);
  const { enquiryLimit } = context;
  return {
    cashIn: createCashIn(context),

    async accountStatus(partnerId: string, fields: IdentifierFields): Promise<AccountStatus | Refusal> {
      const identifier = read(fields);
      if (identifier instanceof Refusal) return identifier;
      const limited = enquiryLimit.refusal(partnerId);
      if (limited) return limited;
      const found = await find(identifier);
      const tooMany = await enquiryLimit.count(partnerId, found?.holder.id ?? null);
      return tooMany ?? { exists: found !== null, status: found && cardHolderStatus(found) };
    },

    /** All movements of its clearing account: cash-ins, fundings, inbound credits and reversals, settlements. */
    async history(actor: Actor, partnerId: string, request: HistoryRequest): Promise<HistoryPage | Refusal> {
      const page = await context.transactions.accountHistory(actor, partnerId, request, null);
      return page instanceof Refusal ? page : { ...page, transactions: page.transactions.map(withoutSystemAccounts) };
    },
  };
}

/** Hides the operator's system accounts from partners. */
function withoutSystemAccounts(record: TransactionRecord): TransactionRecord {
  const { counterparty, payer_id, payee_id } = record;
  return {
    ...record,
    counterparty: unlessSystemAccount(counterparty),
    payer_id: unlessSystemAccount(payer_id),
    payee_id: unlessSystemAccount(payee_id),
  };
}

function unlessSystemAccount(id: string | null): string | null {
  return id !== null && isSystemAccount(id) ? null : id;
}
