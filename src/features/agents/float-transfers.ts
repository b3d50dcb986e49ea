// Transfers float from a super-agent to one of its own sub-agents.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import { formatMoney, parseAmount } from '../../kernel/money.ts';
import { once } from '../../kernel/once.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { agentSide, agentStatusRefusal, noSuchAgent, ownRefusal } from '../../parties/agent.ts';
import {
  comparableAmount,
  type Executed,
  invalidAmount,
  movementActor,
  narrationOf,
  type PaymentOptions,
  type Receipt,
  requestKey,
} from '../../payments/payment.ts';
import type { AgentContext } from './context.ts';
import { agentPinRefusal } from './pin-checks.ts';
import type { transferBody } from './schemas.ts';

export type FloatTransfer = Static<typeof transferBody>;

const TYPE = 'agent_transfer';

export function createFloatTransfers({ findAgent, pins, payments, audit }: AgentContext) {
  return {
    async transfer(
      actor: Actor,
      body: FloatTransfer,
      { amount: rawAmount, requestId }: PaymentOptions,
    ): Promise<Executed | Refusal> {
      const badPin = pinFormRefusal(body.pin);
      if (badPin) return badPin;
      const { from_agent_id, to_agent_id } = body;
      const narration = narrationOf(body.description);
      const details = [from_agent_id, to_agent_id, comparableAmount(rawAmount), narration];
      const key = requestKey(TYPE, actor, from_agent_id, requestId, details);
      const notOwn = ownRefusal(actor.caller, { id: from_agent_id });
      const checkPin = once(() => agentPinRefusal(pins, actor, from_agent_id, body.pin));
      const [replay, from, to, policy] = await Promise.all([
        payments.replay(key, () => notOwn ?? checkPin()),
        findAgent(from_agent_id),
        findAgent(to_agent_id),
        payments.policy(TYPE),
      ]);
      if (replay) return replay;
      if (!from) return noSuchAgent('agent to transfer from');
      if (!to) return noSuchAgent('agent to transfer to');
      const refusal =
        notOwn ??
        (to.parent_agent_id === from.id ? null : notItsSubAgent()) ??
        agentStatusRefusal(from, 'agent to transfer from') ??
        agentStatusRefusal(to, 'agent to transfer to') ??
        (await checkPin());
      if (refusal) return refusal;
      const amount = parseAmount(rawAmount);
      if (amount === null) return invalidAmount();
      const audited = { actor, action: 'agent.transfer', payer: from.id, payee: to.id };
      return payments.execute(
        {
          type: TYPE,
          actor: movementActor(actor),
          payer: agentSide(from),
          payee: agentSide(to),
          amount,
          key,
          narration,
          onPosted: (receipt) => ({ reply: transferReply(receipt), rows: audit.paymentRows(audited, receipt) }),
        },
        policy,
      );
    },
  };
}

/** By API contract, this reply contains formatted amounts only. */
function transferReply(receipt: Receipt) {
  return {
    success: true,
    message: 'The transfer was completed.',
    transaction_id: receipt.transactionId,
    amount: formatMoney(receipt.amount),
    from_balance: formatMoney(receipt.payerBalance),
    to_balance: formatMoney(receipt.payeeBalance),
  };
}

function notItsSubAgent(): Refusal {
  return refuse('FORBIDDEN', 'A super-agent can transfer float only to its own sub-agents.');
}
