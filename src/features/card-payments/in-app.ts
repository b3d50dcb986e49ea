// A payment from a wallet to a merchant without a card: its sides, and what the merchant's endpoints are told.
import { iso } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { type PaidProcessor, processorSide } from '../../parties/processor.ts';
import { walletSide } from '../../parties/subscriber.ts';
import type { Receipt } from '../../payments/plan.ts';
import type { MerchantEvent } from '../../webhooks/merchant-event.ts';

export function inAppSides(payerId: string, processor: PaidProcessor) {
  return {
    payer: walletSide(payerId, 'sender'),
    payee: processorSide(processor),
    narration: processor.business_name,
    details: { channel: 'in_app', merchant_id: processor.merchant_id },
  };
}

export function inAppPayment({ transactionId, amount, payeeFee, at }: Receipt) {
  return { transaction_id: transactionId, amount, fee: payeeFee, currency: CURRENCY, created_at: iso(at) };
}

/** `about`: what the payment was for, such as a request. */
export function inAppEvent(
  { id: processor_id, merchant_id }: PaidProcessor,
  payerId: string,
  receipt: Receipt,
  about: object = {},
): MerchantEvent {
  return {
    type: 'payment.completed',
    about: receipt.transactionId,
    subscriberId: payerId,
    object: () => ({
      ...inAppPayment(receipt),
      ...{ status: 'APPROVED', channel: 'in_app', merchant_id, processor_id, ...about },
    }),
  };
}
