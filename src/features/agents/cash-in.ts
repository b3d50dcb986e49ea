// Cash taken in by an agent: its float pays the wallet, and the agent keeps the notes.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { auditRows } from '../../audit/payments.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { type AgentRow, agentSide, agentStatusRefusal, noSuchAgent } from '../../parties/agent.ts';
import { type CardHolder, cardHolder, cardStatusRefusal, sameSerial } from '../../parties/card.ts';
import { type Holder, holderStatusRefusal, noSuchSubscriber } from '../../parties/subscriber.ts';
import type { Executed } from '../../payments/execute.ts';
import { carryOut, type IntendedPayment, sameAmount } from '../../payments/pay.ts';
import { completed, narrationOf, requestOf, type Terms } from '../../payments/reply.ts';
import type { AgentContext } from './context.ts';
import { ownRefusal } from './network-access.ts';
import { agentPinRefusal } from './pin-checks.ts';
import type { cashInBody } from './schemas.ts';

export type CashIn = Static<typeof cashInBody>;

const TYPE = 'agent_cashin';

interface Found extends CardHolder {
  agent: AgentRow;
}

/** A cash-in whose body has named one wallet. */
interface Asked {
  given: CashIn;
  /** E.164; null: named otherwise. */
  phoneNumber: string | null;
}

export function cashIns({ findAgent, holders, cards, pins, payments, phone, clock }: AgentContext) {
  function read(given: CashIn): Asked | Refusal {
    const names = [given.subscriber_id, given.phone_number, given.card_serial];
    if (names.filter((name) => name !== undefined).length !== 1) {
      return refuse('INVALID_REQUEST', 'Exactly one of subscriber_id, phone_number and card_serial names the wallet.');
    }
    if (given.phone_number === undefined) return { given, phoneNumber: null };
    const phoneNumber = phone(given.phone_number);
    return phoneNumber === null
      ? refuse('INVALID_REQUEST', 'phone_number is not a telephone number.')
      : { given, phoneNumber };
  }

  async function find({ caller }: Actor, asked: Asked): Promise<Found | Refusal> {
    const [agent, named] = await Promise.all([findAgent(asked.given.agent_id), findHolder(asked)]);
    if (!agent) return noSuchAgent();
    return ownRefusal(caller, agent) ?? (named instanceof Refusal ? named : { agent, ...named });
  }

  async function findHolder({ given, phoneNumber }: Asked): Promise<CardHolder | Refusal> {
    if (given.card_serial !== undefined) return cardHolder(await cards.withHolder(given.card_serial));
    const byName = phoneNumber === null ? holders.byId(given.subscriber_id ?? '') : holders.byPhone(phoneNumber);
    const holder: Holder | null = await byName;
    return holder ? { holder, card: null } : noSuchSubscriber();
  }

  function payment(
    actor: Actor,
    asked: Asked,
    terms: Terms,
    { agent, holder, card }: Found,
    amount: number,
  ): IntendedPayment {
    const audited = { actor, action: 'agent.cashin', payer: agent.id, payee: holder.id };
    return {
      type: TYPE,
      payer: agentSide(agent),
      payee: { accountId: holder.id, party: 'recipient', card: card?.serial },
      amount,
      countsDaily: false,
      narration: narrationOf(asked.given.description),
      ...(card ? { details: { card_serial: card.serial } } : {}),
      reply: (done) => ({
        ...completed(done, terms, 'The cash-in was completed.', done.payerBalance),
        agent_id: agent.id,
        subscriber_id: holder.id,
      }),
      beside: (done) => auditRows(audited, done, clock),
    };
  }

  function request(actor: Actor, { given, phoneNumber }: Asked, terms: Terms) {
    const { agent_id, subscriber_id = null, card_serial = null, description } = given;
    const serial = card_serial === null ? null : sameSerial(card_serial);
    const named = [agent_id, subscriber_id, phoneNumber, serial];
    const same = [...named, sameAmount(terms.amount), narrationOf(description)];
    return requestOf(actor, terms, same);
  }

  return {
    async cashIn(actor: Actor, given: CashIn, terms: Terms): Promise<Executed | Refusal> {
      const asked = read(given);
      if (asked instanceof Refusal) return asked;
      return (
        pinFormRefusal(given.pin) ??
        carryOut(payments, {
          type: TYPE,
          request: request(actor, asked, terms),
          amount: terms.amount,
          find: () => find(actor, asked),
          statusRefusal: ({ agent, holder, card }) =>
            agentStatusRefusal(agent) ?? cardStatusRefusal(card) ?? holderStatusRefusal(holder, TYPE, 'subscriber'),
          pinRefusal: ({ agent }) => agentPinRefusal(pins, actor, agent.id, given.pin),
          payment: (found, amount) => payment(actor, asked, terms, found, amount),
        })
      );
    },
  };
}
