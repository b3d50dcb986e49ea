// Cash-out at an agent: the wallet pays the agent's float, the agent hands out cash.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { isAgentUser } from '../../auth/caller.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import { once } from '../../kernel/once.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { agentStatusRefusal, earningAgentSide, noSuchAgent, ownRefusal } from '../../parties/agent.ts';
import {
  holderStatusRefusal,
  noSuchSubscriber,
  REFUSALS_WITHOUT_AMOUNTS,
  walletSide,
} from '../../parties/subscriber.ts';
import { confirmedByPin } from '../../payments/pin-confirmation.ts';
import { completedReply, type Executed, type PaymentOptions } from '../../payments/plan.ts';
import { runPayment } from '../../payments/run-payment.ts';
import { holderPinRefusal, type WalletContext } from './context.ts';
import type { withdrawBody } from './schemas.ts';

export type Withdrawal = Static<typeof withdrawBody>;

const TYPE = 'wallet_withdraw';

export function createWithdrawals({ holders, findAgent, pins, payments, pep, audit }: WalletContext) {
  return {
    withdraw(actor: Actor, body: Withdrawal, options: PaymentOptions): Promise<Executed | Refusal> {
      const { subscriber_id, agent_id, pin, description } = body;
      // As for cash-in at an agent: the holder confirms with the PIN, and a refusal would reveal who is exposed.
      const byAgent = isAgentUser(actor.caller);
      const notOwn = ownRefusal(actor.caller, { id: agent_id });
      const checkPep = once(async () => (byAgent ? null : pep.staffRefusal(actor, subscriber_id, 'payment')));
      const at = { kind: 'agent', id: agent_id } as const;
      return runPayment(payments, {
        type: TYPE,
        actor,
        options,
        request: { party: subscriber_id, details: [subscriber_id, agent_id] },
        description,
        ...confirmedByPin({
          formRefusal: pinFormRefusal(pin),
          refusal: async () =>
            notOwn ?? (await checkPep()) ?? ((await holders.byId(subscriber_id)) ? null : noSuchSubscriber()),
          verify: () => holderPinRefusal(pins.verify(actor.caller, subscriber_id, pin, at)),
        }),
        async find() {
          const [holder, agent, notPermitted] = await Promise.all([
            holders.byId(subscriber_id),
            findAgent(agent_id),
            checkPep(),
          ]);
          if (notOwn) return notOwn;
          if (!holder) return noSuchSubscriber();
          if (notPermitted) return notPermitted;
          return agent ? { holder, agent } : noSuchAgent();
        },
        about: () => [subscriber_id, agent_id],
        refusal: ({ holder, agent }) => holderStatusRefusal(holder, TYPE, 'subscriber') ?? agentStatusRefusal(agent),
        plan: ({ holder, agent }) => ({
          // Agents' users see neither the balances nor wallets' limits.
          payer: { ...walletSide(holder.id, 'sender'), ...(byAgent ? { refusals: REFUSALS_WITHOUT_AMOUNTS } : {}) },
          payee: earningAgentSide(agent),
          reply: (receipt) => {
            const balance = byAgent ? receipt.payeeBalance : receipt.payerBalance;
            return completedReply(receipt, options.requestId, 'The withdrawal was completed.', balance);
          },
          rows: (receipt) =>
            audit.paymentRows({ actor, action: 'wallet.withdraw', payer: holder.id, payee: agent.id }, receipt),
        }),
      });
    },
  };
}
