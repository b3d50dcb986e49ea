// Cash-in at an agent: the agent takes cash, and its float pays the wallet.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { agentStatusRefusal, earningAgentSide, noSuchAgent, ownRefusal } from '../../parties/agent.ts';
import { type CardHolder, cardHolder, cardStatusRefusal, comparableSerial } from '../../parties/card.ts';
import { holderStatusRefusal, noSuchSubscriber, walletSide } from '../../parties/subscriber.ts';
import { confirmedByPin } from '../../payments/pin-confirmation.ts';
import { completedReply, type Executed, type PaymentOptions } from '../../payments/plan.ts';
import { runPayment } from '../../payments/run-payment.ts';
import type { AgentContext } from './context.ts';
import { agentPinRefusal } from './pin-checks.ts';
import type { cashInBody } from './schemas.ts';

export type CashIn = Static<typeof cashInBody>;

const TYPE = 'agent_cashin';

export function createCashIns({ findAgent, holders, cards, pins, payments, phone, audit }: AgentContext) {
  /** Null if the body has no phone number. */
  function readPhone(body: CashIn): string | null | Refusal {
    const names = [body.subscriber_id, body.phone_number, body.card_serial];
    if (names.filter((name) => name !== undefined).length !== 1) {
      return refuse('INVALID_REQUEST', 'Exactly one of subscriber_id, phone_number and card_serial is required.');
    }
    if (body.phone_number === undefined) return null;
    return phone(body.phone_number) ?? refuse('INVALID_REQUEST', 'phone_number is not a telephone number.');
  }

  async function findHolder(body: CashIn, phoneNumber: string | null): Promise<CardHolder | Refusal> {
    if (body.card_serial !== undefined) return cardHolder(await cards.withHolder(body.card_serial));
    const byName = phoneNumber === null ? holders.byId(body.subscriber_id ?? '') : holders.byPhone(phoneNumber);
    const holder = await byName;
    return holder ? { holder, card: null } : noSuchSubscriber();
  }

  return {
    async cashIn(actor: Actor, body: CashIn, options: PaymentOptions): Promise<Executed | Refusal> {
      const phoneNumber = readPhone(body);
      if (phoneNumber instanceof Refusal) return phoneNumber;
      const { agent_id, subscriber_id = null, card_serial, pin, description } = body;
      const serial = card_serial === undefined ? null : comparableSerial(card_serial);
      const notOwn = ownRefusal(actor.caller, { id: agent_id });
      return runPayment(payments, {
        type: TYPE,
        actor,
        options,
        request: { party: agent_id, details: [agent_id, subscriber_id, phoneNumber, serial] },
        description,
        ...confirmedByPin({
          formRefusal: pinFormRefusal(pin),
          refusal: async () => notOwn ?? ((await findAgent(agent_id)) ? null : noSuchAgent()),
          verify: () => agentPinRefusal(pins, actor, agent_id, pin),
        }),
        async find() {
          const [agent, recipient] = await Promise.all([findAgent(agent_id), findHolder(body, phoneNumber)]);
          if (!agent) return noSuchAgent();
          if (notOwn) return notOwn;
          return recipient instanceof Refusal ? recipient : { agent, ...recipient };
        },
        about: (found) => [agent_id, found?.holder.id],
        refusal: ({ agent, holder, card }) =>
          agentStatusRefusal(agent) ?? cardStatusRefusal(card) ?? holderStatusRefusal(holder, TYPE, 'subscriber'),
        plan: ({ agent, holder, card }) => ({
          payer: earningAgentSide(agent),
          payee: walletSide(holder.id, 'recipient', card?.serial),
          ...(card ? { details: { card_serial: card.serial } } : {}),
          reply: (receipt) => ({
            ...completedReply(receipt, options.requestId, 'The cash-in was completed.', receipt.payerBalance),
            agent_id: agent.id,
            subscriber_id: holder.id,
          }),
          rows: (receipt) =>
            audit.paymentRows({ actor, action: 'agent.cashin', payer: agent.id, payee: holder.id }, receipt),
        }),
      });
    },
  };
}
