// Draws random payments of every kind between the parties. The service has to refuse some of them.
import type { Entry } from './journal.ts';
import { PIN } from './parties.ts';
import {
  authorization,
  confirmInLab,
  credit,
  type DrawContext,
  endOfAuthorization,
  floatFunding,
  funding,
  type Payment,
  p2p,
  purchase,
  refund,
  transfer,
  withKey,
  withoutFee,
  withPayerFee,
} from './payments.ts';
import type { Random } from './random.ts';
import { CASHIN_SECRET } from './service.ts';
import { bearer, partner, webhook } from './signing.ts';

type Draw = (context: DrawContext) => Payment | null;

const drawAmount = (random: Random) => random.int(1, random.chance(0.01) ? 400_000 : 2_500);
const drawAgent = ({ parties, random }: DrawContext) => random.pick([parties.superAgent, ...parties.subAgents]);

function drawTwo<T>(random: Random, some: readonly T[]): [T, T] {
  const [one, other] = random.shuffled(some);
  return [one as T, other as T];
}

const drawP2p: Draw = (context) => {
  const [from, to] = drawTwo(context.random, context.parties.wallets);
  return p2p(context, from.id, to, drawAmount(context.random));
};

const drawTransfer = (context: DrawContext): Payment => {
  const [from, to] = drawTwo(context.random, context.parties.wallets);
  return transfer(context, from.id, to, drawAmount(context.random));
};

/** A transfer without a request id: it is posted at most once, and its outcome is known only if it is answered. */
export const transferWithoutId = (context: DrawContext): Payment => {
  const payment = drawTransfer(context);
  const { request_id: _, ...body } = payment.body;
  return { ...payment, route: 'transfer without id', once: true, body: { ...body, description: payment.id } };
};

const drawWithdrawal: Draw = (context) => {
  const [from, to] = [context.random.pick(context.parties.wallets), drawAgent(context)];
  const effect = withPayerFee('wallet_withdraw', drawAmount(context.random), 100, from.id, to.id);
  const fields = { subscriber_id: from.id, agent_id: to.id, pin: PIN };
  return withKey(context, ['withdrawal', '/wallet/withdraw'], fields, effect, from.id);
};

const drawFunding: Draw = (context) => {
  const { parties, random } = context;
  return funding(context, random.pick(parties.partners).id, random.pick(parties.wallets).id, drawAmount(random));
};

const drawFloatFunding: Draw = (context) => floatFunding(context, drawAgent(context).id, drawAmount(context.random));

const drawCashIn: Draw = (context) => {
  const [agent, to] = [drawAgent(context), context.random.pick(context.parties.wallets)];
  const effect = withPayerFee('agent_cashin', drawAmount(context.random), 50, agent.id, to.id);
  const fields = { agent_id: agent.id, card_serial: to.card, pin: agent.pin };
  return withKey(context, ['agent cash-in', '/agents/cashin'], fields, effect, agent.id);
};

const drawFloatTransfer: Draw = (context) => {
  const { superAgent: from, subAgents } = context.parties;
  const to = context.random.pick(subAgents);
  const effect = withoutFee('agent_transfer', drawAmount(context.random), from.id, to.id);
  const fields = { from_agent_id: from.id, to_agent_id: to.id, pin: from.pin };
  return withKey(context, ['float transfer', '/agents/transfer'], fields, effect);
};

const drawProcessorTransfer: Draw = (context) => {
  const { parties, random } = context;
  const [from, other] = drawTwo(random, parties.merchants);
  const wallet = random.pick(parties.wallets);
  const toWallet = random.chance(0.5);
  const effect = withoutFee('processor_transfer', random.int(1, 500), from.id, toWallet ? wallet.id : other.id);
  const fields = toWallet ? { to_subscriber_id: wallet.id } : { to_processor_id: other.id };
  return withKey(context, ['processor transfer', `/processors/${from.id}/transfer`], fields, effect, from.id);
};

const drawPurchase = (context: DrawContext, order?: string): Payment => {
  const { parties, random } = context;
  return purchase(context, random.pick(parties.merchants), random.pick(parties.wallets), drawAmount(random), order);
};

const drawRefund: Draw = (context) => {
  const paid = context.history.payments.filter(({ left }) => left > 0);
  if (paid.length === 0) return null;
  const payment = context.random.pick(paid);
  const amount = context.random.int(1, payment.left);
  // Deducted when it is sent, because a refund whose answer is lost may still be posted.
  payment.left -= amount;
  return refund(context, payment, amount);
};

const drawAuthorization: Draw = (context) => {
  const { parties, random } = context;
  return authorization(context, random.pick(parties.merchants), random.pick(parties.wallets), drawAmount(random));
};

/** Captured in full or in part, or voided, each once. */
const drawEndOfAuthorization: Draw = (context) => {
  const { history, random } = context;
  const [held] = history.holds.splice(random.int(0, Math.max(0, history.holds.length - 1)), 1);
  if (!held) return null;
  const amount = random.chance(0.3) ? 0 : random.chance(0.4) ? held.amount : random.int(1, held.amount);
  return endOfAuthorization(context, held, amount);
};

/** Many clients pay the same request: links any number of times, others once. */
const drawRequestPayment: Draw = ({ parties, random, newId }) => {
  if (parties.asked.length === 0) return null;
  const [asked, payer] = [random.pick(parties.asked), random.pick(parties.wallets)];
  return confirmInLab({ newId }, parties.adminToken, asked, payer.id, asked.amount ?? drawAmount(random));
};

const UNKNOWN_BENEFICIARY = { id: 'unknown', phone: '+23279999999' };

const drawCredit: Draw = ({ parties, random, newId }) => {
  const bank = random.chance(0.15) ? parties.limitedPartner : random.pick(parties.partners);
  const beneficiary = random.chance(0.05) ? UNKNOWN_BENEFICIARY : random.pick(parties.wallets);
  return credit(bank, drawAmount(random), beneficiary, newId());
};

const drawReversal: Draw = ({ parties, history, random, newId }) => {
  const [drawn] = history.credits.splice(random.int(0, Math.max(0, history.credits.length - 1)), 1);
  if (!drawn) return null;
  const { inboundId, reference, partner: bank, wallet, amount } = drawn;
  const id = newId();
  return {
    id,
    route: 'inbound reversal',
    path: `/api/v1/admin/inbound/${inboundId}/reverse`,
    sign: () => ({ ...bearer(parties.adminToken)(), 'x-request-id': id }),
    body: { reason: 'Sent by mistake' },
    effect: withoutFee('inbound_reversal', amount, wallet, bank.id),
    inbound: { partnerId: bank.id, reference, event: 'credit.reversed' },
  };
};

const drawPartnerCashIn: Draw = ({ parties, random, newId }) => {
  const [bank, to, amount, id] = [
    random.pick(parties.partners),
    random.pick(parties.wallets),
    drawAmount(random),
    newId(),
  ];
  return {
    id,
    route: 'partner cash-in',
    path: '/api/v1/partner/cashin',
    sign: partner(bank),
    body: { phone_number: to.phone, amount, reference: id },
    effect: withoutFee('partner_cashin', amount, bank.id, to.id),
  };
};

const drawNotification: Draw = ({ parties, random, newId }) => {
  const [to, amount, id] = [random.pick(parties.wallets), drawAmount(random), newId()];
  return {
    id,
    route: 'cash-in notification',
    path: '/webhooks/partner/cashin',
    sign: webhook(CASHIN_SECRET),
    body: { card_serial: to.card, amount, reference: id },
    effect: withoutFee('partner_cashin', amount, 'sys_suspense', to.id),
    reportedBalance: ({ new_balance }) => ({ account: to.id, balance: Number(new_balance) }),
  };
};

/** Payments that can be sent again. Inbound credits occur twice as often as others. */
const REPEATABLE: readonly Draw[] = [
  ...[drawP2p, drawTransfer, drawWithdrawal, drawFunding, drawFloatFunding, drawCashIn, drawFloatTransfer],
  ...[drawProcessorTransfer, drawPurchase, (context: DrawContext) => drawPurchase(context, context.newId())],
  ...[drawRefund, drawCredit, drawCredit, drawReversal, drawPartnerCashIn, drawNotification],
];
const ALL: readonly Draw[] = [
  ...[...REPEATABLE, transferWithoutId, transferWithoutId],
  ...[drawAuthorization, drawAuthorization, drawEndOfAuthorization, drawEndOfAuthorization],
  ...[drawRequestPayment, drawRequestPayment],
];

function drawFrom(draws: readonly Draw[], context: DrawContext): Payment {
  for (;;) {
    const drawn = context.random.pick(draws)(context);
    if (drawn) return drawn;
  }
}

export const drawPayment = (context: DrawContext): Payment => drawFrom(ALL, context);
/** Without payments that have no request id: their outcome is unknown after a lost answer. */
export const drawRepeatablePayment = (context: DrawContext): Payment => drawFrom(REPEATABLE, context);

const MAX_HISTORY = 40;

/** Keeps acknowledged payments, authorisations and credits, so that some of them are refunded, ended or reversed later. */
export function remember({ history, parties }: DrawContext, { body, effect, inbound }: Payment, entry: Entry): void {
  if (entry.state !== 'acknowledged' || entry.transactionId === null) return;
  const [from = '', to = ''] = Object.keys(effect.legs);
  const { amount } = effect;
  if (effect.type === 'hold') {
    const wallet = parties.wallets.find(({ card }) => card === body.card_serial)?.id ?? '';
    history.holds.push({ id: entry.transactionId, wallet, merchant: String(body.processor_id), amount });
    if (history.holds.length > MAX_HISTORY) history.holds.shift();
  }
  if (effect.type === 'pos_payment') {
    history.payments.push({ id: entry.transactionId, wallet: from, merchant: to, left: amount });
    if (history.payments.length > MAX_HISTORY) history.payments.shift();
  }
  const bank = [...parties.partners, parties.limitedPartner].find(({ id }) => id === inbound?.partnerId);
  if (effect.type !== 'inbound_credit' || !bank) return;
  const { inbound_id } = (JSON.parse(entry.reply ?? '') as { data: { inbound_id: string } }).data;
  history.credits.push({ inboundId: inbound_id, reference: entry.id, partner: bank, wallet: to, amount });
  if (history.credits.length > MAX_HISTORY) history.credits.shift();
}
