// From a processor's account to another processor's, or into a wallet: free of charge, and without a limit of a day.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { auditRows } from '../../audit/payments.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import {
  noSuchProcessor,
  otherProcessorRefusal,
  type PaidProcessor,
  processorSide,
  processorStatusRefusal,
} from '../../parties/processor.ts';
import { type Holder, holderStatusRefusal, noSuchSubscriber } from '../../parties/subscriber.ts';
import type { Executed, Side } from '../../payments/execute.ts';
import { carryOut, type IntendedPayment, sameAmount } from '../../payments/pay.ts';
import { completed, narrationOf, requestOf, type Terms } from '../../payments/reply.ts';
import type { ProcessorContext } from './context.ts';
import type { transferBody } from './schemas.ts';

export type Transfer = Static<typeof transferBody>;

export const TRANSFER_TYPE = 'processor_transfer';

type Payee = { processor: PaidProcessor } | { holder: Holder };

interface Found {
  payer: PaidProcessor;
  payee: Payee;
}

export function transfers({ findProcessor, holders, payments, clock }: ProcessorContext) {
  async function find({ caller }: Actor, id: string, given: Transfer): Promise<Found | Refusal> {
    const [payer, payee] = await Promise.all([findProcessor(id), findPayee(given)]);
    if (!payer) return noSuchProcessor();
    const refusal = otherProcessorRefusal(caller, payer.id);
    if (refusal) return refusal;
    if (payee instanceof Refusal) return payee;
    if (sideOf(payee).accountId === payer.id) return refuse('SAME_ACCOUNT', 'Sender and recipient are the same.');
    return { payer, payee };
  }

  async function findPayee({ to_processor_id, to_subscriber_id }: Transfer): Promise<Payee | Refusal> {
    if (to_processor_id !== undefined) {
      const processor = await findProcessor(to_processor_id);
      return processor ? { processor } : noSuchProcessor('processor as to_processor_id names');
    }
    const holder = await holders.byId(to_subscriber_id ?? '');
    return holder ? { holder } : noSuchSubscriber('subscriber as to_subscriber_id names');
  }

  function payment(
    actor: Actor,
    given: Transfer,
    terms: Terms,
    { payer, payee }: Found,
    amount: number,
  ): IntendedPayment {
    const payeeSide = sideOf(payee);
    const audited = { actor, action: 'processor.transfer', payer: payer.id, payee: payeeSide.accountId };
    return {
      type: TRANSFER_TYPE,
      payer: processorSide(payer),
      payee: payeeSide,
      amount,
      countsDaily: false,
      narration: narrationOf(given.description),
      reply: (done) => completed(done, terms, 'The transfer was completed.', done.payerBalance),
      beside: (done) => auditRows(audited, done, clock),
    };
  }

  return async function transfer(actor: Actor, id: string, given: Transfer, terms: Terms): Promise<Executed | Refusal> {
    if ((given.to_processor_id === undefined) === (given.to_subscriber_id === undefined)) {
      return refuse('INVALID_REQUEST', 'Exactly one of to_processor_id and to_subscriber_id names the recipient.');
    }
    return carryOut(payments, {
      type: TRANSFER_TYPE,
      request: request(actor, id, given, terms),
      amount: terms.amount,
      find: () => find(actor, id, given),
      statusRefusal: ({ payer, payee }) => processorStatusRefusal(payer) ?? payeeRefusal(payee),
      payment: (found, amount) => payment(actor, given, terms, found, amount),
    });
  };
}

function request(actor: Actor, id: string, given: Transfer, terms: Terms) {
  const { to_processor_id = null, to_subscriber_id = null, description } = given;
  const same = [id, to_processor_id, to_subscriber_id, sameAmount(terms.amount), narrationOf(description)];
  return requestOf(actor, terms, same);
}

function payeeRefusal(payee: Payee): Refusal | null {
  if ('processor' in payee) return processorStatusRefusal(payee.processor, 'receiving processor');
  return holderStatusRefusal(payee.holder, TRANSFER_TYPE, 'subscriber');
}

function sideOf(payee: Payee): Side {
  if ('processor' in payee) return processorSide(payee.processor, { which: 'receiving processor' });
  return { accountId: payee.holder.id, party: 'recipient' };
}
