// What an agent pays to a person without a wallet: priced as a withdrawal, limited per number and day, with the identity document.
import type { Actor } from '../../audit/log.ts';
import { OutboxTable } from '../../db/outbox-table.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { KYC_LIMITS } from '../../kernel/kyc.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Hold } from '../../ledger/holds/lookup.ts';
import { isSystemAccount } from '../../ledger/system-accounts.ts';
import { type AgentRow, earningAgentSide } from '../../parties/agent.ts';
import { takeEarned } from '../../payments/fees.ts';
import { countedTotals } from '../../payments/holds.ts';
import { completedReply } from '../../payments/plan.ts';
import type { PlannedPayment } from '../../payments/run-payment.ts';
import { bookItem } from '../finance/reconciliation/service.ts';
import { createCodeKeys } from './cash-out-code.ts';
import type { CustomerPaymentsContext } from './context.ts';

export interface IdentityDocument {
  type: string;
  number: string;
  full_name: string;
}

interface UnclaimedRedemption {
  hold: Hold;
  agent: AgentRow;
  /** E.164. */
  number: string;
  identity: IdentityDocument;
  requestId: string;
}

export const REDEMPTIONS = new OutboxTable('unclaimed_redemptions', {
  sealed: {
    hold_id: 'text',
    transaction_id: 'text',
    agent_id: 'text',
    id_type: 'text',
    sealed_identity: 'text',
    redeemed_at: 'timestamp',
  },
});
/** What a new wallet may pay out on one day. */
const DAILY_LIMIT = KYC_LIMITS[1]?.dailyLimit ?? 0;

type Context = Pick<CustomerPaymentsContext, 'audit' | 'vault' | 'masterKey' | 'clock'>;

export function createUnclaimedRedemption({ audit, vault, masterKey, clock }: Context) {
  const keys = createCodeKeys(masterKey);

  /** The running total of a number on the current UTC day. */
  function paidToday(number: string) {
    const day = Math.floor(clock.now() / DAY_MS);
    return { id: `unclaimed:${keys.fingerprint(number, 'day')}:${day}`, limit: DAILY_LIMIT, refusal: overDailyLimit };
  }

  return {
    plan(actor: Actor, { hold, agent, number, identity, requestId }: UnclaimedRedemption): PlannedPayment {
      const { draws_from: _, allowances: __, ...details } = takeEarned(hold.details).details;
      return {
        pricedAs: 'wallet_withdraw',
        payer: { accountId: hold.account_id, party: 'sender', refusals: { account_frozen: payerSuspended } },
        payee: earningAgentSide(agent),
        narration: hold.narration,
        details: { ...details, hold_id: hold.id },
        captures: hold,
        validUntil: { at: hold.expires_at.getTime(), refusal: () => refuse('EXPIRED', 'The code has expired.') },
        allowances: [...countedTotals(hold, overDailyLimit), paidToday(number)],
        reply: (receipt) => ({
          ...completedReply(receipt, requestId, 'The code was redeemed: pay out the amount.', receipt.payeeBalance),
          agent_id: agent.id,
        }),
        rows: (receipt) => {
          const { transactionId, at } = receipt;
          const sealed = vault.seal(
            JSON.stringify({ number: identity.number, full_name: identity.full_name }),
            hold.id,
          );
          const row = {
            ...{ hold_id: hold.id, transaction_id: transactionId, agent_id: agent.id, id_type: identity.type },
            ...{ sealed_identity: `\\x${sealed.toString('hex')}`, redeemed_at: new Date(at) },
          };
          const audited = { actor, action: 'agent.redeem_code', payer: hold.account_id, payee: agent.id };
          // The treasury issues e-money, which stands for money at a bank.
          const booked = isSystemAccount(hold.account_id) ? [bookItem('unclaimed_payment', receipt)] : [];
          return [{ table: REDEMPTIONS, row }, audit.paymentRow(audited, receipt), ...booked];
        },
      };
    },

    identityRequired: () =>
      refuse('INVALID_REQUEST', 'identity_document is required: the code was sent to a number without a wallet.'),
  };
}

function overDailyLimit(): Refusal {
  return refuse(
    'DAILY_LIMIT_EXCEEDED',
    'With this code the number would be paid more than a new wallet may pay out on one day.',
  );
}

function payerSuspended(): Refusal {
  return refuse('PROCESSOR_SUSPENDED', 'The payer is suspended: the code cannot be redeemed now.');
}
