// Cash-out at an agent: the wallet pays the agent's float, the agent hands out cash.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { isAgentUser } from '../../auth/caller.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import { parseAmount } from '../../kernel/money.ts';
import { once } from '../../kernel/once.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { agentStatusRefusal, earningAgentSide, noSuchAgent, ownRefusal } from '../../parties/agent.ts';
import {
  holderStatusRefusal,
  noSuchSubscriber,
  REFUSALS_WITHOUT_AMOUNTS,
  walletSide,
} from '../../parties/subscriber.ts';
import {
  comparableAmount,
  completedReply,
  type Executed,
  invalidAmount,
  movementActor,
  narrationOf,
  type PaymentOptions,
  type Receipt,
  requestKey,
} from '../../payments/payment.ts';
import { holderPinRefusal, type WalletContext } from './context.ts';
import type { withdrawBody } from './schemas.ts';

export type Withdrawal = Static<typeof withdrawBody>;

const TYPE = 'wallet_withdraw';

export function createWithdrawals({ holders, findAgent, pins, payments, pep, audit }: WalletContext) {
  return {
    async withdraw(
      actor: Actor,
      body: Withdrawal,
      { amount: rawAmount, requestId }: PaymentOptions,
    ): Promise<Executed | Refusal> {
      const badPin = pinFormRefusal(body.pin);
      if (badPin) return badPin;
      const { subscriber_id, agent_id } = body;
      const narration = narrationOf(body.description);
      const details = [subscriber_id, agent_id, comparableAmount(rawAmount), narration];
      const key = requestKey(TYPE, actor, subscriber_id, requestId, details);
      // As for cash-in at an agent: the holder confirms with the PIN, and a refusal would reveal who is exposed.
      const byAgent = isAgentUser(actor.caller);
      const notOwn = ownRefusal(actor.caller, { id: agent_id });
      const checkPep = byAgent ? null : pep.staffRefusal(actor, subscriber_id, 'payment');
      const at = { kind: 'agent', id: agent_id } as const;
      const checkPin = once(() => holderPinRefusal(pins.verify(actor.caller, subscriber_id, body.pin, at)));
      const [replay, holder, agent, pepRefusal, policy] = await Promise.all([
        payments.replay(key, async () => notOwn ?? (await checkPep) ?? checkPin()),
        holders.byId(subscriber_id),
        findAgent(agent_id),
        checkPep,
        payments.policy(TYPE),
      ]);
      if (replay) return replay;
      if (notOwn) return notOwn;
      if (!holder) return noSuchSubscriber();
      if (pepRefusal) return pepRefusal;
      if (!agent) return noSuchAgent();
      const refusal =
        holderStatusRefusal(holder, TYPE, 'subscriber') ?? agentStatusRefusal(agent) ?? (await checkPin());
      if (refusal) return refusal;
      const amount = parseAmount(rawAmount);
      if (amount === null) return invalidAmount();
      // Users of agents see neither the balances nor the limits of wallets.
      const balanceFor = ({ payerBalance, payeeBalance }: Receipt) => (byAgent ? payeeBalance : payerBalance);
      const audited = { actor, action: 'wallet.withdraw', payer: holder.id, payee: agent.id };
      return payments.execute(
        {
          type: TYPE,
          actor: movementActor(actor),
          payer: { ...walletSide(holder.id, 'sender'), ...(byAgent ? { refusals: REFUSALS_WITHOUT_AMOUNTS } : {}) },
          payee: earningAgentSide(agent),
          amount,
          key,
          narration,
          onPosted: (receipt) => ({
            reply: completedReply(receipt, requestId, 'The withdrawal was completed.', balanceFor(receipt)),
            rows: audit.paymentRows(audited, receipt),
          }),
        },
        policy,
      );
    },
  };
}
