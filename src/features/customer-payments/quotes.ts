// Quotes: whom a customer would pay and at what price, shown before the PIN. A quote pays once, within five minutes.
import type { CustomerActor } from '../../audit/log.ts';
import type { SubscriberCaller } from '../../auth/caller.ts';
import { iso, MINUTE_MS } from '../../kernel/clock.ts';
import { CURRENCY, parseAmount } from '../../kernel/money.ts';
import { onPrimary } from '../../kernel/read-context.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { walletSide } from '../../parties/subscriber.ts';
import { newDeviceAllowances } from '../../payments/new-device.ts';
import { type Allowance, type Executed, invalidAmount, requestKey } from '../../payments/plan.ts';
import type { QuotedTerms } from '../../payments/quoted-terms.ts';
import { USES_OF_QUOTE } from '../../payments/verification.ts';
import type { CustomerPaymentsContext } from './context.ts';
import { createPayees, type FoundPayee, type NamedPayee } from './payees.ts';
import { createQuoteTokens, type OpenedQuote, type QuoteType } from './quote-token.ts';

const VALID_MS = 5 * MINUTE_MS;

export type QuoteInput = NamedPayee & { amount?: string | number | undefined };

/** What the customer sends with the PIN. */
export interface QuotedInput {
  quote_id: string;
  pin: string;
  requestId: string;
}

export interface QuoteView {
  id: string;
  type: QuoteType;
  recipient_name: string;
  amount: number;
  fee: number;
  total: number;
  currency: string;
  payment_request_id: string | null;
  expires_at: string;
}

export function createQuotes(context: CustomerPaymentsContext) {
  const { database, payments, masterKey, clock } = context;
  const payees = createPayees(context);
  const tokens = createQuoteTokens(masterKey, clock);

  async function view(caller: SubscriberCaller, payee: FoundPayee, amount: number): Promise<QuoteView | Refusal> {
    const price = await payments.quote({
      type: payee.side.party === 'processor' ? 'pos_payment' : 'transfer_p2p',
      ...{ amount, payer: walletSide(caller.id, 'sender'), payee: payee.side },
    });
    if (price instanceof Refusal) return price;
    const { type, id: payeeId, name, request } = payee;
    const { payerFee: fee, debited: total } = price;
    const latest = clock.now() + VALID_MS;
    const expiresAt = request ? Math.min(latest, request.expires_at.getTime()) : latest;
    const quoted = { type, payeeId, paymentRequestId: request?.id ?? null, amount, total, expiresAt };
    return {
      id: tokens.seal(caller, quoted),
      ...{ type, recipient_name: name, amount, fee, total, currency: CURRENCY },
      payment_request_id: quoted.paymentRequestId,
      expires_at: iso(expiresAt),
    };
  }

  async function quote(actor: CustomerActor, { amount, ...named }: QuoteInput): Promise<QuoteView | Refusal> {
    const payee = await payees.find(actor, named);
    if (payee instanceof Refusal) return payee;
    if (payee.refusal) return payee.refusal;
    const asked = payee.request?.amount ?? null;
    const entered = amount === undefined ? asked : parseAmount(amount);
    if (entered === null) return invalidAmount();
    if (asked !== null && entered !== asked) return otherAmount(asked);
    return view(actor.caller, payee, entered);
  }

  /**
   * Confirms a quote. `pay` makes the payment within the terms. The key does not depend on what the quote says, so that a
   * repeated request is recognised after the quote can no longer be read.
   */
  async function confirm(actor: CustomerActor, type: QuoteType, input: QuotedInput, pay: PayQuote) {
    const { caller } = actor;
    const { quote_id: token, requestId } = input;
    const key = requestKey('transfer_p2p', actor, caller.id, requestId, ['quote', type, token]);
    const quoted = tokens.open(caller, token);
    if (quoted?.type !== type) return (await payments.replay(key)) ?? noSuchQuote();
    const outcome = await pay(quoted, {
      key,
      quoted: { total: quoted.total, refusal: () => CHANGED },
      validUntil: { at: quoted.expiresAt, refusal: () => OVER },
      allowances: [useOf(quoted), ...newDeviceAllowances(caller)],
    });
    return worded(actor, quoted, outcome);
  }

  /** A quote that was paid is not offered again. */
  async function worded(actor: CustomerActor, quoted: OpenedQuote, outcome: Executed | Refusal) {
    if (outcome !== CHANGED && outcome !== OVER) return outcome;
    if (await isUsed(quoted)) return USED;
    if (outcome === OVER) return OVER;
    const payee = await payees.ofQuote(quoted);
    const renewed = payee instanceof Refusal ? payee : await view(actor.caller, payee, quoted.amount);
    if (renewed instanceof Refusal) return renewed;
    return refuse(CHANGED.code, CHANGED.message, { details: { quote: renewed } });
  }

  async function isUsed(quoted: OpenedQuote): Promise<boolean> {
    const uses = database.queries.selectFrom('allowances').select('id').where('id', '=', useOf(quoted).id);
    return (await onPrimary(() => uses.executeTakeFirst())) !== undefined;
  }

  return { payees, quote, confirm, noSuchQuote };
}

type PayQuote = (quoted: OpenedQuote, terms: QuotedTerms) => Promise<Executed | Refusal>;

const CHANGED = refuse('QUOTE_CHANGED', 'The price has changed: confirm the new quote.');
const OVER = refuse('EXPIRED', 'The quote has expired: ask for a new one.');
const USED = refuse('QUOTE_USED', 'The quote has already been paid.');

function noSuchQuote(): Refusal {
  return refuse('NOT_FOUND', 'There is no such quote for this wallet and device.');
}

function otherAmount(required: number): Refusal {
  return refuse('AMOUNT_MISMATCH', 'amount is not what the payment request asks for.', { details: { required } });
}

/** The ledger refuses a second use, whatever request it comes with. */
function useOf({ use }: OpenedQuote): Allowance {
  return { id: `${USES_OF_QUOTE}${use}`, use: 1, limit: 1, refusal: () => USED };
}
