// Cash that a customer handed a partner: credited to the wallet at once, owed by the partner, once for each reference.
import { CURRENCY } from '../../../kernel/money.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { type CardHolder, cardStatusRefusal } from '../../../parties/card.ts';
import { partnerSuspended } from '../../../parties/partner.ts';
import { holderStatusRefusal, noSuchSubscriber } from '../../../parties/subscriber.ts';
import type { Executed, Payment, PaymentRequest, Payments } from '../../../payments/execute.ts';
import { carryOut, sameAmount } from '../../../payments/pay.ts';
import { narrationOf } from '../../../payments/reply.ts';
import { type Name, type NamingParts, naming } from './beneficiary.ts';
import type { CashIn } from './schemas.ts';

export interface CashInParts extends NamingParts {
  payments: Payments;
}

export interface CashInRequest {
  partnerId: string;
  given: CashIn;
  /** As it was written. */
  amount: number | string;
}

const TYPE = 'partner_cashin';

export function cashingIn(context: CashInParts) {
  const { payments } = context;
  const { read, find } = naming(context);

  return async function cashIn(asked: CashInRequest): Promise<Executed | Refusal> {
    const name = read(asked.given);
    if (name instanceof Refusal) return name;
    const request = requestOf(asked, name);
    const outcome = await carryOut(payments, {
      type: TYPE,
      request,
      amount: asked.amount,
      find: async () => (await find(name)) ?? noSuchUser(),
      statusRefusal: ({ card, holder }) => cardStatusRefusal(card) ?? holderStatusRefusal(holder, TYPE, 'subscriber'),
      payment: (found, amount) => payment(asked, request, found, amount),
    });
    return outcome instanceof Refusal && outcome.code === 'REQUEST_CONFLICT' ? conflict() : outcome;
  };
}

/** The reference is the partner's, whichever of its keys signs: a retry after a rotation is still a retry. */
function requestOf({ partnerId, given, amount }: CashInRequest, { by, value }: Name): PaymentRequest {
  const same = [by, value, sameAmount(amount), narrationOf(given.narration)];
  return { scope: `${TYPE}:${partnerId}`, id: given.reference, same };
}

function payment(
  { partnerId, given: { reference, narration } }: CashInRequest,
  request: PaymentRequest,
  { holder, card }: CardHolder,
  amount: number,
): Payment {
  return {
    type: TYPE,
    // The partner has the cash in hand: what it owes for it grows past whatever credits without cash may reach.
    payer: { accountId: partnerId, party: 'sender', mayPass: { floor: true }, refusals: PARTNER_REFUSALS },
    payee: { accountId: holder.id, party: 'recipient', card: card?.serial, refusals: { account_missing: noSuchUser } },
    amount,
    countsDaily: false,
    request,
    reference,
    narration: narrationOf(narration),
    ...(card ? { details: { card_serial: card.serial } } : {}),
    reply: (done) => ({
      success: true,
      transaction_id: done.transactionId,
      reference,
      amount: done.amount,
      currency: CURRENCY,
      new_balance: done.payeeBalance,
    }),
  };
}

function noSuchUser(): Refusal {
  return noSuchSubscriber('subscriber', 'USER_NOT_FOUND');
}

function conflict(): Refusal {
  return refuse('REFERENCE_CONFLICT', 'This reference was used before for a cash-in with other details.');
}

const PARTNER_REFUSALS = {
  account_missing: (): Refusal => {
    throw new Error('a partner has no clearing account');
  },
  account_frozen: partnerSuspended,
};
