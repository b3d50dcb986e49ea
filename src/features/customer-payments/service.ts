// Customers' payments on their own channels: /me and USSD call the same functions.
import type { CustomerActor } from '../../audit/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type NewRequest, noSuchRequest } from '../payment-requests/service.ts';
import { createCashOutCodes } from './cash-out-codes.ts';
import type { CustomerPaymentsContext } from './context.ts';
import { createQuotedPayments } from './quoted-payments.ts';
import { createRedeeming } from './redeeming.ts';
import { createUnclaimedCodes } from './unclaimed-codes.ts';

export type { NewCode } from './cash-out-codes.ts';
export type { QuotedInput, QuoteInput, QuoteView } from './quotes.ts';
export type { Redemption } from './redeeming.ts';

export type CustomerPayments = ReturnType<typeof createCustomerPayments>;

export function createCustomerPayments(context: CustomerPaymentsContext) {
  const { paymentRequests } = context;
  const { ofCustomers } = paymentRequests;
  const { payees, ...quotedPayments } = createQuotedPayments(context);

  /** Afterwards the customer sees the payee's name: of a request that they were not told about it counts as a look-up. */
  async function lookUp(actor: CustomerActor, id: string): Promise<Refusal | null> {
    if (await ofCustomers.isKnown(actor, id)) return null;
    const payee = await payees.find(actor, { type: 'payment_request', payment_request_id: id });
    if (!(payee instanceof Refusal)) return null;
    return payee.code === 'SAME_ACCOUNT' ? noSuchRequest() : payee;
  }

  return {
    ...quotedPayments,
    cashOutCodes: createCashOutCodes(context),
    redeem: createRedeeming(context),
    unclaimedCodes: createUnclaimedCodes(context),
    requests: {
      ...ofCustomers,
      /** By the code that the payer typed, or the token of the link. It counts as a look-up. */
      async open(actor: CustomerActor, code: string) {
        const payee = await payees.find(actor, { type: 'payment_request', code });
        if (payee instanceof Refusal) return payee;
        if (!payee.request) throw new Error('a payment request was found without itself');
        return ofCustomers.viewForPayer(payee.request);
      },
      create: (actor: CustomerActor, input: NewRequest, requestId: string) =>
        paymentRequests.createForSubscriber(actor, actor.caller.id, input, requestId),
      decline: async (actor: CustomerActor, id: string) =>
        (await lookUp(actor, id)) ?? paymentRequests.decline(actor, { payer: actor.caller.id, request: id }),
      block: async (actor: CustomerActor, id: string) => (await lookUp(actor, id)) ?? ofCustomers.block(actor, id),
    },
  };
}
