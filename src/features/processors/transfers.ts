// Transfers from a processor to another processor or to a wallet: free of charge, without a daily limit.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { formatMoney, parseAmount } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import {
  noSuchProcessor,
  otherProcessorRefusal,
  type PaidProcessor,
  processorSide,
  processorStatusRefusal,
} from '../../parties/processor.ts';
import { type Holder, holderStatusRefusal, noSuchSubscriber, walletSide } from '../../parties/subscriber.ts';
import {
  comparableAmount,
  completedReply,
  type Executed,
  invalidAmount,
  movementActor,
  narrationOf,
  type PaymentOptions,
  requestKey,
  type Side,
} from '../../payments/payment.ts';
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
    { amount: rawAmount, requestId, approval }: PaymentOptions,
  ): Promise<Executed | Refusal> {
    const { to_processor_id = null, to_subscriber_id = null } = body;
    if ((to_processor_id === null) === (to_subscriber_id === null)) {
      return refuse('INVALID_REQUEST', 'Send exactly one of to_processor_id and to_subscriber_id.');
    }
    const narration = narrationOf(body.description);
    const details = [id, to_processor_id, to_subscriber_id, comparableAmount(rawAmount), narration];
    const key = requestKey(TRANSFER_TYPE, actor, id, requestId, details);
    const [replay, payer, payee, policy] = await Promise.all([
      payments.replay(key, () => otherProcessorRefusal(actor.caller, id)),
      findProcessor(id),
      findPayee(body),
      payments.policy(TRANSFER_TYPE),
    ]);
    if (replay) return replay;
    if (!payer) return noSuchProcessor();
    const foreign = otherProcessorRefusal(actor.caller, payer.id);
    if (foreign) return foreign;
    if (payee instanceof Refusal) return payee;
    const payeeSide = sideOf(payee);
    if (payeeSide.accountId === payer.id) return refuse('SAME_ACCOUNT', 'Sender and recipient are the same account.');
    const refusal = processorStatusRefusal(payer) ?? payeeRefusal(payee);
    if (refusal) return refusal;
    const amount = parseAmount(rawAmount);
    if (amount === null) return invalidAmount();
    const audited = { actor, action: 'processor.transfer', payer: payer.id, payee: payeeSide.accountId };
    return payments.execute(
      {
        type: TRANSFER_TYPE,
        actor: movementActor(actor),
        payer: processorSide(payer),
        payee: payeeSide,
        amount,
        key,
        narration,
        approval,
        onPosted: (receipt) => ({
          reply: completedReply(receipt, requestId, 'The transfer was completed.', receipt.payerBalance),
          rows: audit.paymentRows(audited, receipt),
        }),
      },
      policy,
    );
  };
}

function payeeRefusal(payee: Payee): Refusal | null {
  if ('processor' in payee) return processorStatusRefusal(payee.processor, 'receiving processor');
  return holderStatusRefusal(payee.holder, TRANSFER_TYPE, 'subscriber');
}

function sideOf(payee: Payee): Side {
  if ('processor' in payee) return processorSide(payee.processor, { which: 'receiving processor' });
  return walletSide(payee.holder.id, 'recipient');
}
