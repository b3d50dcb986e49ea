// A processor's pay-outs to its bank account: the amount is in transit until the bank's debit is matched with it.
import { randomInt } from 'node:crypto';
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { PAYOUTS_IN_TRANSIT } from '../../ledger/system-accounts.ts';
import {
  noSuchProcessor,
  otherProcessorRefusal,
  processorSide,
  processorStatusRefusal,
} from '../../parties/processor.ts';
import { completedReply, type Executed, type PaymentOptions, type Receipt, type Side } from '../../payments/plan.ts';
import { runPayment } from '../../payments/run-payment.ts';
import { replied } from '../../webhooks/merchant-event.ts';
import type { PaymentOperation } from '../approvals/service.ts';
import { bookItem } from '../finance/reconciliation/service.ts';
import { type createBankAccounts, namedAccount, noSuchAccount } from './bank-accounts.ts';
import type { ProcessorContext } from './context.ts';
import type { payoutBody } from './payout-schemas.ts';

export type Payout = Static<typeof payoutBody>;

export const PAYOUT_TYPE = 'processor_payout';

export const IN_TRANSIT: Side = { accountId: PAYOUTS_IN_TRANSIT, kind: 'payouts_in_transit', party: 'recipient' };

type BankAccounts = Pick<ReturnType<typeof createBankAccounts>, 'numberOf' | 'isStored'>;

export function createPayout(
  context: ProcessorContext,
  bankAccounts: BankAccounts,
): PaymentOperation<{ id: string }, Payout> {
  const payOut = createPayouts(context, bankAccounts);
  return {
    kind: 'payment',
    name: 'processors.payout',
    action: 'processors.payout',
    movementType: PAYOUT_TYPE,
    party: ({ params }) => params.id,
    actingRefusal: (caller, { params }) => otherProcessorRefusal(caller, params.id),
    describe: ({ params, body }, amount) =>
      `Pay out ${formatMoney(amount)} from processor ${params.id} to the bank account ${namedAccount(body.bank_account)}.`,
    execute: (actor, { params, body }, options) => payOut(actor, params.id, body, options),
  };
}

function createPayouts({ findProcessor, payments, notifying, audit }: ProcessorContext, bankAccounts: BankAccounts) {
  return async function payOut(
    actor: Actor,
    id: string,
    body: Payout,
    options: PaymentOptions,
  ): Promise<Executed | Refusal> {
    const bankAccount = await bankAccounts.numberOf(id, body.bank_account);
    const foreign = otherProcessorRefusal(actor.caller, id);
    return notifying((eventRows) =>
      runPayment(payments, {
        type: PAYOUT_TYPE,
        actor,
        options,
        request: { party: id, details: [id, bankAccount] },
        mayAct: () => foreign,
        async find() {
          const [processor, isStored] = await Promise.all([findProcessor(id), bankAccounts.isStored(id, bankAccount)]);
          if (!processor) return noSuchProcessor();
          return foreign ?? { processor, isStored };
        },
        about: () => [id],
        refusal: ({ processor, isStored }) => processorStatusRefusal(processor) ?? (isStored ? null : noSuchAccount()),
        plan({ processor }) {
          const reference = newReference();
          const [payer, payee] = [processor.id, PAYOUTS_IN_TRANSIT];
          const reply = (receipt: Receipt) => ({
            ...completedReply(receipt, options.requestId, 'The pay-out is in transit.', receipt.payerBalance),
            processor_id: processor.id,
            bank_account: bankAccount,
            reference,
          });
          return {
            payer: processorSide(processor),
            payee: IN_TRANSIT,
            reference,
            details: { bank_account: bankAccount },
            reply,
            rows: (receipt) => [
              audit.paymentRow({ actor, action: 'processor.payout', payer, payee, reference }, receipt),
              bookItem(PAYOUT_TYPE, receipt),
              ...eventRows(processor, {
                type: 'payout.sent',
                about: receipt.transactionId,
                subscriberId: null,
                object: () => ({ ...replied(reply(receipt)), status: 'IN_TRANSIT' }),
              }),
            ],
          };
        },
      }),
    );
  };
}

const REFERENCE_CHARACTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const REFERENCE_LENGTH = 12;

/** For the bank transfer, so that its debit can be matched. MT940 has room for 16 characters. */
function newReference(): string {
  const character = () => REFERENCE_CHARACTERS.charAt(randomInt(REFERENCE_CHARACTERS.length));
  return `PO${Array.from({ length: REFERENCE_LENGTH }, character).join('')}`;
}
