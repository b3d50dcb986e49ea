// What customers ask for: prices, payments, codes, requests, and their account.
import type { CustomerActor } from '../../../audit/log.ts';
import { type Code, Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Books } from '../../../ledger/queries/account-history.ts';
import type { AccountLimits } from '../../../ledger/queries/account-limits.ts';
import { type Holders, holderStatusRefusal, noSuchSubscriber } from '../../../parties/subscriber.ts';
import type { CustomerPayments } from '../../customer-payments/service.ts';
import type { CustomerSessionService } from '../../customer-session/service.ts';
import type { Answer, AnswerOf, Effect, EffectKind, EffectOf, Quote } from '../engine/state.ts';
import type { PeopleContext } from './people.ts';
import { createProblemAsks, type ProblemsContext } from './problems.ts';
import { receiptIn } from './receipt.ts';

export interface CustomerEffectsContext
  extends Pick<PeopleContext, 'subscribers' | 'notices' | 'clock'>,
    Omit<ProblemsContext, 'unlocked'> {
  sessions: Pick<CustomerSessionService, 'ussdLoginCode'>;
  customerPayments: CustomerPayments;
  holders: Holders;
  books: Pick<Books, 'balance'>;
  limitsOf(accountId: string, now: number): Promise<AccountLimits | null>;
}

type AgentKind = 'register' | 'cashInQuote' | 'cashIn' | 'redeem' | 'invite' | 'float';
export type CustomerEffect = Exclude<Effect, { kind: AgentKind }>;
type Asks = {
  [Kind in Exclude<EffectKind, AgentKind>]: (
    effect: EffectOf<Kind>,
    actor: CustomerActor,
  ) => Promise<AnswerOf<Kind> | Refusal>;
};

const SHOWN_PAYMENTS = 5;
const SHOWN_REQUESTS = 20;

export function createCustomerEffects(context: CustomerEffectsContext) {
  const { customerPayments, sessions, subscribers, notices, holders, books, limitsOf, clock } = context;

  /** Runs `read` once the PIN is right. */
  async function unlocked<Shown extends Answer>(
    actor: CustomerActor,
    pin: string,
    read: (id: string) => Promise<Shown | Refusal>,
  ): Promise<Shown | Refusal> {
    const verified = await subscribers.verifyPin(actor, actor.caller.id, pin);
    return verified instanceof Refusal ? verified : read(actor.caller.id);
  }

  async function historyOf(actor: CustomerActor): Promise<AnswerOf<'history'> | Refusal> {
    const page = { limit: SHOWN_PAYMENTS, offset: 0 };
    const found = await context.transactions.accountHistory(actor, actor.caller.id, page, null);
    if (found instanceof Refusal) return found;
    const history = found.transactions.map(({ created_at, direction, amount, payer_name, payee_name }) => {
      const isPaid = direction === 'debit';
      const name = (isPaid ? payee_name : payer_name) ?? '';
      return { at: `${created_at.slice(8, 10)}/${created_at.slice(5, 7)}`, amount: isPaid ? -amount : amount, name };
    });
    return { kind: 'history', history };
  }

  const asks: Asks = {
    ...createProblemAsks({ ...context, unlocked }),
    async quote(effect, actor) {
      const { amount } = effect;
      const quote = await customerPayments.quote(actor, { ...namedIn(effect), amount });
      if (quote instanceof Refusal) return quote;
      const { id, recipient_name: name, fee, total } = quote;
      return { kind: 'quote', quote: { id, name, amount: quote.amount, fee, total } };
    },
    async pay({ type, quoteId, requestId, pin }, actor) {
      const input = { quote_id: quoteId, pin, requestId: actor.requestId };
      const paid =
        type === 'transfer'
          ? await customerPayments.transfer(actor, input)
          : type === 'merchant'
            ? await customerPayments.payMerchant(actor, input)
            : await customerPayments.approve(actor, requestId ?? '', input);
      return paid instanceof Refusal ? paid : { kind: 'pay', receipt: receiptIn(paid) };
    },
    async cashOutQuote({ amount }, actor) {
      const price = await customerPayments.cashOutCodes.price(actor, amount);
      return price instanceof Refusal ? price : { kind: 'cashOutQuote', quote: { id: null, name: '', ...price } };
    },
    async cashOutCode({ kind: _, ...asked }, actor) {
      const made = await customerPayments.cashOutCodes.create(actor, { ...asked, requestId: actor.requestId });
      if (made instanceof Refusal) return made;
      const { code, expires_at } = made.reply.cash_out_code;
      if (code === null) return refuse('EXPIRED', 'The code has expired.');
      return { kind: 'cashOutCode', code, minutes: minutesUntil(Date.parse(expires_at)) };
    },
    async findRequest({ code }, actor) {
      const found = await customerPayments.requests.open(actor, code);
      if (found instanceof Refusal) return found;
      const ended = ENDED[found.status];
      if (ended) return refuse(ended, 'The payment request has ended.');
      return { kind: 'findRequest', request: { id: found.id, payeeName: found.payee_name, amount: found.amount } };
    },
    async requests(_effect, actor) {
      const { requests } = await customerPayments.requests.incoming(actor, { limit: SHOWN_REQUESTS, offset: 0 });
      const waiting = requests.map(({ id, payee_name: payeeName, amount }) => ({ id, payeeName, amount }));
      return { kind: 'requests', requests: waiting };
    },
    async decline({ requestId }, actor) {
      return (await customerPayments.requests.decline(actor, requestId)) ?? { kind: 'decline' };
    },
    balance: ({ pin }, actor) =>
      unlocked(actor, pin, async (id) => {
        const account = await books.balance(id);
        if (!account) throw new Error(`subscriber ${id} has no wallet`);
        const { balance, held } = account;
        return { kind: 'balance', available: balance - held, held };
      }),
    history: ({ pin }, actor) => unlocked(actor, pin, () => historyOf(actor)),
    limits: ({ pin }, actor) =>
      unlocked(actor, pin, async (id) => {
        const limits = await limitsOf(id, clock.now());
        if (!limits) throw new Error(`subscriber ${id} has no wallet`);
        const daily = limits.daily.limit ?? Number.MAX_SAFE_INTEGER;
        const maxBalance = limits.ceiling ?? Number.MAX_SAFE_INTEGER;
        return { kind: 'limits', leftToday: Math.max(0, daily - limits.daily.used), daily, maxBalance };
      }),
    async checkPin({ pin }, actor) {
      const verified = await subscribers.verifyPin(actor, actor.caller.id, pin);
      return verified instanceof Refusal ? verified : { kind: 'checkPin', pinVersion: verified.version };
    },
    async changePin({ pinVersion, pin }, actor) {
      const change = { version: pinVersion, new_pin: pin };
      const changed = await subscribers.changeVerifiedPin(actor, actor.caller.id, change);
      return changed === true ? { kind: 'changePin' } : changed;
    },
    async setLanguage({ language }, actor) {
      const changed = await notices.settings.change(actor, actor.caller.id, { language });
      if (changed instanceof Refusal) return changed;
      return { kind: 'setLanguage', language };
    },
    async loginCode(_effect, actor) {
      const holder = await holders.statusById(actor.caller.id);
      const refusal = holder ? holderStatusRefusal(holder, 'transfer_p2p', 'subscriber') : noSuchSubscriber();
      if (refusal?.code === 'SUBSCRIBER_BLOCKED') return refusal;
      const { code, expiresAt } = await sessions.ussdLoginCode(actor);
      return { kind: 'loginCode', code, minutes: minutesUntil(expiresAt.getTime()) };
    },
  };

  function minutesUntil(time: number): number {
    return Math.max(1, Math.floor((time - clock.now()) / 60_000));
  }

  return {
    answer(effect: CustomerEffect, actor: CustomerActor): Promise<Answer | Refusal> {
      const ask = asks[effect.kind] as (asked: CustomerEffect, by: CustomerActor) => Promise<Answer | Refusal>;
      return ask(effect, actor);
    },
  };
}

const ENDED: Record<string, Code> = {
  ...({ paid: 'ALREADY_PAID', declined: 'DECLINED', expired: 'EXPIRED', cancelled: 'CANCELLED' } as const),
};

function namedIn(effect: EffectOf<'quote'>) {
  switch (effect.type) {
    case 'transfer': {
      const field = effect.to.startsWith('+') ? 'phone_number' : 'account_number';
      return { type: effect.type, [field]: effect.to };
    }
    case 'merchant':
      return { type: effect.type, merchant_number: effect.merchantNumber };
    case 'payment_request':
      return { type: effect.type, payment_request_id: effect.requestId };
  }
}

/** The price differs from the one that was shown. */
export function changedQuote({ id, name: recipient_name, amount, fee, total }: Quote): Refusal {
  const details = { quote: { id, recipient_name, amount, fee, total } };
  return refuse('QUOTE_CHANGED', 'The price has changed: confirm the new quote.', { details });
}
