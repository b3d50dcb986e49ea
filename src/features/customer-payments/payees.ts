// Finds whom a customer wants to pay: by number, code, QR or request. What is shown of them is limited like every look-up.
import type { CustomerActor } from '../../audit/log.ts';
import { hasLuhnDigit } from '../../kernel/account-number.ts';
import { readMerchantNumber } from '../../kernel/merchant-number.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { shortName } from '../../kernel/text.ts';
import { noSuchProcessor, type PaidProcessor, processorSide, processorStatusRefusal } from '../../parties/processor.ts';
import { type Holder, holderStatusRefusal, noSuchSubscriber, walletSide } from '../../parties/subscriber.ts';
import type { Side } from '../../payments/plan.ts';
import { readPaymentCode } from '../../qr/payment-codes.ts';
import type { PaymentRequest } from '../payment-requests/service.ts';
import type { CustomerPaymentsContext } from './context.ts';
import type { QuotedPayment, QuoteType } from './quote-token.ts';

/** One of these names the payee. */
export const PAYEE_FIELDS = {
  transfer: ['phone_number', 'account_number'],
  merchant: ['merchant_number', 'qr'],
  payment_request: ['payment_request_id', 'code', 'qr'],
} as const satisfies Record<QuoteType, readonly string[]>;

type PayeeField = (typeof PAYEE_FIELDS)[QuoteType][number];
export type NamedPayee = { type: QuoteType } & Partial<Record<PayeeField, string | undefined>>;

export interface FoundPayee {
  /** A QR code says itself which of the two it is. */
  type: QuoteType;
  id: string;
  /** A person's first name and initial, or the merchant's registered name. */
  name: string;
  side: Side;
  request: PaymentRequest | null;
  /** Why it cannot be paid now. */
  refusal: Refusal | null;
}

export function createPayees(context: CustomerPaymentsContext) {
  const { holders, findProcessor, findMerchant, paymentRequests, lookupLimit, phone, qr } = context;

  function person(holder: Holder | null): FoundPayee | Refusal {
    if (!holder) return noSuchSubscriber('recipient');
    const { id } = holder;
    const refusal = holderStatusRefusal(holder, 'transfer_p2p', 'recipient');
    return { type: 'transfer', id, name: shortName(holder), side: walletSide(id, 'recipient'), request: null, refusal };
  }

  function merchant(found: PaidProcessor | null): FoundPayee | Refusal {
    if (!found) return noSuchProcessor('merchant');
    const { id, business_name: name } = found;
    const refusal = processorStatusRefusal(found, 'merchant');
    return { type: 'merchant', id, name, side: processorSide(found), request: null, refusal };
  }

  async function requested(named: { id: string } | { code: string }): Promise<FoundPayee | Refusal> {
    const found = await paymentRequests.payable(named);
    if (found instanceof Refusal) return found;
    const { request, payeeName, ended } = found;
    const { payee_id: id } = request;
    const payee = request.payee_kind === 'processor' ? await findProcessor(id) : await holders.byId(id);
    if (!payee) throw new Error(`the payee of ${request.id} does not exist`);
    const isMerchant = 'merchant_id' in payee;
    const refusal = isMerchant
      ? processorStatusRefusal(payee)
      : holderStatusRefusal(payee, 'transfer_p2p', 'recipient');
    const side = isMerchant ? processorSide(payee) : walletSide(id, 'recipient');
    return { type: 'payment_request', id, name: payeeName, side, request, refusal: ended ?? refusal };
  }

  async function scanned(text: string): Promise<FoundPayee | Refusal> {
    const read = readPaymentCode(qr, text);
    if (!read) return refuse('INVALID_REQUEST', 'qr is not a payment code of this service.');
    return read.kind === 'merchant' ? merchant(await findMerchant(read.number)) : requested({ code: read.code });
  }

  async function byField(field: PayeeField, text: string): Promise<FoundPayee | Refusal> {
    switch (field) {
      case 'phone_number': {
        const number = phone(text);
        if (number === null) return refuse('INVALID_REQUEST', 'phone_number is not a valid phone number.');
        return person(await holders.byPhone(number));
      }
      case 'account_number':
        if (!isAccountNumber(text)) return refuse('INVALID_REQUEST', 'account_number is not a valid account number.');
        return person(await holders.byAccountNumber(text));
      case 'merchant_number': {
        const number = readMerchantNumber(text);
        if (number === null) return refuse('INVALID_REQUEST', 'merchant_number is not a valid merchant number.');
        return merchant(await findMerchant(number));
      }
      case 'qr':
        return scanned(text);
      case 'code':
        return requested({ code: text.trim() });
      case 'payment_request_id':
        return requested({ id: text });
    }
  }

  /** Counts as a look-up, unless what was sent cannot name anybody. */
  async function find({ caller }: CustomerActor, named: NamedPayee): Promise<FoundPayee | Refusal> {
    const field = fieldOf(named);
    if (field instanceof Refusal) return field;
    const text = named[field] ?? '';
    const found = await byField(field, text);
    if (found instanceof Refusal) {
      if (found.code === 'INVALID_REQUEST') return found;
      return (await lookupLimit.ofCustomer(caller.id, `${field} ${text}`, null)) ?? found;
    }
    if (found.id === caller.id) return refuse('SAME_ACCOUNT', 'Payer and payee are the same account.');
    return (await lookupLimit.ofCustomer(caller.id, text, found.id)) ?? found;
  }

  /** The payee of a quote, who was shown to the customer before. */
  async function ofQuote({ type, payeeId, paymentRequestId }: QuotedPayment): Promise<FoundPayee | Refusal> {
    if (paymentRequestId !== null) return requested({ id: paymentRequestId });
    return type === 'transfer' ? person(await holders.byId(payeeId)) : merchant(await findProcessor(payeeId));
  }

  return { find, ofQuote };
}

function fieldOf(named: NamedPayee): PayeeField | Refusal {
  const allowed: readonly PayeeField[] = PAYEE_FIELDS[named.type];
  const all = new Set<PayeeField>(Object.values(PAYEE_FIELDS).flat());
  const sent = [...all].filter((field) => named[field] !== undefined);
  const [field, ...others] = sent;
  if (field !== undefined && others.length === 0 && allowed.includes(field)) return field;
  return refuse('INVALID_REQUEST', `Send exactly one of ${allowed.join(', ')}.`);
}

function isAccountNumber(text: string): boolean {
  return /^[1-9]\d{9}$/.test(text) && hasLuhnDigit(text);
}
