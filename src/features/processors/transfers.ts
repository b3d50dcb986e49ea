// Transfers from a processor to another processor or to a wallet: free of charge, without a daily limit.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { formatMoney } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import {
  noSuchProcessor,
  otherProcessorRefusal,
  type PaidProcessor,
  processorSide,
  processorStatusRefusal,
} from '../../parties/processor.ts';
import { type Holder, holderStatusRefusal, noSuchSubscriber, walletSide } from '../../parties/subscriber.ts';
import { completedReply, type Executed, type PaymentOptions, type Side } from '../../payments/plan.ts';
import { runPayment } from '../../payments/run-payment.ts';
import type { PaymentOperation } from '../approvals/service.ts';
import type { ProcessorContext } from './context.ts';
import type { transferBody } from './schemas.ts';

export type Transfer = Static<typeof transferBody>;

export const TRANSFER_TYPE = 'processor_transfer';

type Payee = { processor: PaidProcessor } | { holder: Holder };

export function createTransfer(context: ProcessorContext): PaymentOperation<{ id: string }, Transfer> {
  const transfer = createTransfers(context);
  return {
    kind: 'payment',
    name: 'processors.transfer',
    action: 'processors.transfer',
    movementType: TRANSFER_TYPE,
    party: ({ params }) => params.id,
    actingRefusal: (caller, { params }) => otherProcessorRefusal(caller, params.id),
    describe: ({ params, body }, amount) =>
      `Transfer ${formatMoney(amount)} from processor ${params.id} to ${body.to_processor_id ?? body.to_subscriber_id}.`,
    execute: (actor, { params, body }, options) => transfer(actor, params.id, body, options),
  };
}

function createTransfers({ findProcessor, holders, payments, audit }: ProcessorContext) {
  async function findPayee({ to_processor_id, to_subscriber_id }: Transfer): Promise<Payee | Refusal> {
    if (to_processor_id !== undefined) {
      const processor = await findProcessor(to_processor_id);
      return processor ? { processor } : noSuchProcessor('processor (to_processor_id)');
    }
    const holder = await holders.byId(to_subscriber_id ?? '');
    return holder ? { holder } : noSuchSubscriber('subscriber (to_subscriber_id)');
  }

  return async function transfer(
    actor: Actor,
    id: string,
    body: Transfer,
    options: PaymentOptions,
  ): Promise<Executed | Refusal> {
    const { to_processor_id = null, to_subscriber_id = null, description } = body;
    if ((to_processor_id === null) === (to_subscriber_id === null)) {
      return refuse('INVALID_REQUEST', 'Send exactly one of to_processor_id and to_subscriber_id.');
    }
    const foreign = otherProcessorRefusal(actor.caller, id);
    return runPayment(payments, {
      type: TRANSFER_TYPE,
      actor,
      options,
      request: { party: id, details: [id, to_processor_id, to_subscriber_id] },
      description,
      mayAct: () => foreign,
      async find() {
        const [payer, payee] = await Promise.all([findProcessor(id), findPayee(body)]);
        if (!payer) return noSuchProcessor();
        if (foreign) return foreign;
        return payee instanceof Refusal ? payee : { payer, payee };
      },
      about: () => [id],
      refusal: ({ payer, payee }) =>
        (sideOf(payee).accountId === payer.id ? sameAccount() : null) ??
        processorStatusRefusal(payer) ??
        payeeRefusal(payee),
      plan({ payer, payee }) {
        const payeeSide = sideOf(payee);
        const audited = { actor, action: 'processor.transfer', payer: payer.id, payee: payeeSide.accountId };
        return {
          payer: processorSide(payer),
          payee: payeeSide,
          reply: (receipt) =>
            completedReply(receipt, options.requestId, 'The transfer was completed.', receipt.payerBalance),
          rows: (receipt) => audit.paymentRows(audited, receipt),
        };
      },
    });
  };
}

function sameAccount(): Refusal {
  return refuse('SAME_ACCOUNT', 'Sender and recipient are the same account.');
}

function payeeRefusal(payee: Payee): Refusal | null {
  if ('processor' in payee) return processorStatusRefusal(payee.processor, 'receiving processor');
  return holderStatusRefusal(payee.holder, TRANSFER_TYPE, 'subscriber');
}

function sideOf(payee: Payee): Side {
  if ('processor' in payee) return processorSide(payee.processor, { which: 'receiving processor' });
  return walletSide(payee.holder.id, 'recipient');
}
