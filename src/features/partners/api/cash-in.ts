// Cash-in at a partner: credits the wallet and adds to what the partner owes, once per reference.
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { Load } from '../../../db/batch-loader.ts';
import { CURRENCY, parseAmount } from '../../../kernel/money.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { cardStatusRefusal } from '../../../parties/card.ts';
import type { EnquiryLimit } from '../../../parties/enquiry-limit.ts';
import { amountRefusal, type PartnerRow, partnerSide } from '../../../parties/partner.ts';
import { holderStatusRefusal, noSuchSubscriber, walletSide } from '../../../parties/subscriber.ts';
import type { Payments } from '../../../payments/execute.ts';
import {
  comparableAmount,
  type Executed,
  idempotencyKey,
  narrationOf,
  referenceScope,
} from '../../../payments/plan.ts';
import { runPayment } from '../../../payments/run-payment.ts';
import { type BeneficiaryContext, createBeneficiaryLookup } from './beneficiary.ts';
import type { CashIn } from './schemas.ts';

export interface CashInContext extends BeneficiaryContext {
  payments: Payments;
  findPartner: Load<string, PartnerRow | null>;
  audit: AuditLog;
  enquiryLimit: EnquiryLimit;
}

export interface CashInRequest {
  partnerId: string;
  body: CashIn;
  /** As sent. */
  amount: number | string;
}

const TYPE = 'partner_cashin';

export function createCashIn(context: CashInContext) {
  const { payments, findPartner, audit, enquiryLimit } = context;
  const { read, find } = createBeneficiaryLookup(context);

  return async function cashIn(actor: Actor, request: CashInRequest): Promise<Executed | Refusal> {
    const { partnerId, body, amount: rawAmount } = request;
    const identifier = read(body);
    if (identifier instanceof Refusal) return identifier;
    const { reference } = body;
    // The reference belongs to the partner, not to the key that signs: a retry after a key rotation is still a retry.
    const details = [identifier.by, identifier.value, comparableAmount(rawAmount), narrationOf(body.narration)];
    let sought: Sought | null = null;
    const outcome = await runPayment(payments, {
      type: TYPE,
      actor,
      options: { amount: rawAmount, requestId: reference },
      request: { key: idempotencyKey(TYPE, referenceScope(partnerId), reference, details) },
      description: body.narration,
      async find() {
        const [found, partner] = await Promise.all([find(identifier), findPartner(partnerId)]);
        if (!partner) throw new Error(`there is no partner ${partnerId}`);
        const amount = parseAmount(rawAmount);
        sought = {
          customer: found?.holder.id ?? null,
          isImpossible: amount === null || !!amountRefusal(amount, partner),
        };
        return found ? { ...found, partner } : noSuchUser();
      },
      about: (found) => [found?.holder.id],
      refusal: ({ holder, card }) => cardStatusRefusal(card) ?? holderStatusRefusal(holder, TYPE, 'subscriber'),
      plan({ holder, card, partner }, amount) {
        const outOfRange = amountRefusal(amount, partner);
        if (outOfRange) return outOfRange;
        const audited = { actor, action: 'partner.cashin', payer: partner.id, payee: holder.id, reference };
        return {
          payer: partnerSide(partner),
          payee: { ...walletSide(holder.id, 'recipient', card?.serial), refusals: { account_missing: noSuchUser } },
          reference,
          ...(card ? { details: { card_serial: card.serial } } : {}),
          reply: (receipt) => ({
            success: true,
            transaction_id: receipt.transactionId,
            reference,
            amount: receipt.amount,
            currency: CURRENCY,
          }),
          rows: (receipt) => [audit.paymentRow(audited, receipt)],
        };
      },
    });
    if (!(outcome instanceof Refusal)) return outcome;
    // Partners call the idempotency key a reference.
    if (outcome.code === 'REQUEST_CONFLICT') return conflict();
    return (sought && (await asEnquiry(partnerId, sought))) ?? outcome;
  };

  /** A refused cash-in tells who exists, and counts as an enquiry. Only one that nobody could get is limited like one. */
  async function asEnquiry(partnerId: string, { customer, isImpossible }: Sought): Promise<Refusal | null> {
    const tooMany = await enquiryLimit[isImpossible ? 'asEnquiry' : 'count'](partnerId, customer);
    return isImpossible ? tooMany : null;
  }
}

/** Who was looked up for a cash-in. */
interface Sought {
  customer: string | null;
  /** Nobody could get such an amount from the partner. */
  isImpossible: boolean;
}

function noSuchUser(): Refusal {
  return noSuchSubscriber('subscriber', 'USER_NOT_FOUND');
}

function conflict(): Refusal {
  return refuse('REFERENCE_CONFLICT', 'This reference was used before with different details.');
}
