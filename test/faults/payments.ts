// Random payments of every kind for the fault tests: the request to send, and its effect according to the API reference.

import { bearer, encryptedPin, type Headers, inbound, partner, terminal, webhook } from '@kissi/testkit/signing';
import { CASHIN_SECRET } from './gateways.ts';
import { type Effect, type ReportedBalance, share } from './journal.ts';
import { type Parties, type Partner, PIN } from './parties.ts';
import type { Random } from './random.ts';

type Json = Record<string, unknown>;

/** A request that is retried with the same body until it is answered. */
export interface Payment {
  id: string;
  route: string;
  path: string;
  body: Json;
  sign(path: string, body: string): Headers;
  effect: Effect;
  /** Sent without a request id and therefore never retried. */
  once?: boolean;
  /** Reads the balance from the reply. */
  reportedBalance?(reply: Json): ReportedBalance;
  inbound?: { partnerId: string; reference: string; event: string };
}

/** Payments and credits of this client that can be refunded or reversed. */
export interface History {
  payments: { id: string; wallet: string; merchant: string; left: number }[];
  credits: { inboundId: string; reference: string; partner: Partner; wallet: string; amount: number }[];
}

export interface DrawContext {
  parties: Parties;
  random: Random;
  history: History;
  newId(): string;
}

type Draw = (drawContext: DrawContext) => Payment | null;

const effectOf = (type: string, amount: number, fee: number, legs: Record<string, number>): Effect => ({
  ...{ type, amount, fee },
  legs: Object.fromEntries(Object.entries(legs).filter(([, change]) => change !== 0)),
});

const withoutFee = (type: string, amount: number, from: string, to: string) =>
  effectOf(type, amount, 0, { [from]: -amount, [to]: amount });

/** The payer pays the fee on top of the amount. */
const withPayerFee = (type: string, amount: number, fee: number, from: string, to: string) =>
  effectOf(type, amount, fee, { [from]: -amount - fee, [to]: amount, fees: fee });

const balanceOf = (account: string) => (reply: Json) => ({ account, balance: Number(reply.balance) });
const newBalanceOf = (account: string) => (reply: Json) => ({ account, balance: Number(reply.new_balance) });

function twoOf<T>(random: Random, some: readonly T[]): [T, T] {
  const [one, other] = random.shuffled(some);
  return [one as T, other as T];
}

const amountFrom = (random: Random) => random.between(1, random.chance(0.01) ? 400_000 : 2_500);

const p2p: Draw = ({ parties, random, newId }) => {
  const [from, to] = twoOf(random, parties.wallets);
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'P2P', path: '/api/v1/wallet/transfer-p2p', sign: bearer(parties.key.bearer) },
    body: { sender_id: from.id, recipient_card_serial: to.card, amount: String(amount), pin: PIN, request_id: id },
    effect: withPayerFee('transfer_p2p', amount, share(amount, 150), from.id, to.id),
    reportedBalance: balanceOf(from.id),
  };
};

const transfer: Draw = ({ parties, random, newId }) => {
  const [from, to] = twoOf(random, parties.wallets);
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'transfer', path: '/api/v1/wallet/transfer', sign: bearer(parties.key.bearer) },
    body: { sender_id: from.id, recipient_phone: to.phone, amount, pin: PIN, request_id: id },
    effect: withPayerFee('transfer_p2p', amount, share(amount, 150), from.id, to.id),
    reportedBalance: balanceOf(from.id),
  };
};

/** A transfer without a request id: it is posted at most once, and its outcome is known only if it is answered. */
export const transferWithoutId: Draw = (drawContext) => {
  const payment = transfer(drawContext);
  if (!payment) return null;
  const { request_id: _, ...body } = payment.body;
  return { ...payment, route: 'transfer without id', once: true, body: { ...body, description: payment.id } };
};

const withdraw: Draw = ({ parties, random, newId }) => {
  const [from, to] = [random.pick(parties.wallets), random.pick([parties.superAgent, ...parties.subAgents])];
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'withdrawal', path: '/api/v1/wallet/withdraw', sign: bearer(parties.key.bearer) },
    body: { subscriber_id: from.id, agent_id: to.id, amount, pin: PIN, request_id: id },
    effect: withPayerFee('wallet_withdraw', amount, share(amount, 100), from.id, to.id),
    reportedBalance: balanceOf(from.id),
  };
};

export function funding({ parties, newId }: DrawContext, partnerId: string, walletId: string, amount: number): Payment {
  const id = newId();
  return {
    ...{ id, route: 'partner funding', path: '/api/v1/wallet/fund-from-partner', sign: bearer(parties.key.bearer) },
    body: { partner_id: partnerId, subscriber_id: walletId, amount, request_id: id },
    effect: withoutFee('vult_fund', amount, partnerId, walletId),
    reportedBalance: balanceOf(walletId),
  };
}

export function floatFunding({ parties, newId }: DrawContext, agentId: string, amount: number): Payment {
  const id = newId();
  return {
    ...{ id, route: 'float funding', path: `/api/v1/agents/${agentId}/fund`, sign: bearer(parties.key.bearer) },
    body: { amount, request_id: id },
    effect: withoutFee('agent_fund', amount, 'treasury', agentId),
    reportedBalance: balanceOf(agentId),
  };
}

const fund: Draw = (drawContext) => {
  const { parties, random } = drawContext;
  return funding(drawContext, random.pick(parties.partners).id, random.pick(parties.wallets).id, amountFrom(random));
};

const fundFloat: Draw = (drawContext) => {
  const { parties, random } = drawContext;
  return floatFunding(drawContext, random.pick([parties.superAgent, ...parties.subAgents]).id, amountFrom(random));
};

const cashIn: Draw = ({ parties, random, newId }) => {
  const [agent, to] = [random.pick([parties.superAgent, ...parties.subAgents]), random.pick(parties.wallets)];
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'agent cash-in', path: '/api/v1/agents/cashin', sign: bearer(parties.key.bearer) },
    body: { agent_id: agent.id, card_serial: to.card, amount, pin: agent.pin, request_id: id },
    effect: withPayerFee('agent_cashin', amount, share(amount, 50), agent.id, to.id),
    reportedBalance: balanceOf(agent.id),
  };
};

const floatTransfer: Draw = ({ parties, random, newId }) => {
  const { superAgent } = parties;
  const to = random.pick(parties.subAgents);
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'float transfer', path: '/api/v1/agents/transfer', sign: bearer(parties.key.bearer) },
    body: { from_agent_id: superAgent.id, to_agent_id: to.id, amount, pin: superAgent.pin, request_id: id },
    effect: withoutFee('agent_transfer', amount, superAgent.id, to.id),
  };
};

const processorTransfer: Draw = ({ parties, random, newId }) => {
  const [from, other] = twoOf(random, parties.merchants);
  const wallet = random.pick(parties.wallets);
  const amount = random.between(1, 500);
  const id = newId();
  const toWallet = random.chance(0.5);
  const to = toWallet ? { to_subscriber_id: wallet.id } : { to_processor_id: other.id };
  return {
    ...{ id, route: 'processor transfer', path: `/api/v1/processors/${from.id}/transfer` },
    sign: bearer(parties.key.bearer),
    body: { ...to, amount, request_id: id },
    effect: withoutFee('processor_transfer', amount, from.id, toWallet ? wallet.id : other.id),
    reportedBalance: balanceOf(from.id),
  };
};

function purchase({ parties, random, newId }: DrawContext, path: string, extra: Json): Payment {
  const [merchant, wallet] = [random.pick(parties.merchants), random.pick(parties.wallets)];
  const amount = amountFrom(random);
  const fee = share(amount, 100);
  const id = newId();
  const pin = encryptedPin(parties.key.secret, { pin: PIN, card_serial: wallet.card });
  const ids = { merchant_id: merchant.merchantId, processor_id: merchant.id, card_serial: wallet.card };
  return {
    ...{ id, route: path === '/api/v1/payment' ? 'in-app payment' : 'POS payment', path, sign: terminal(parties.key) },
    body: { request_id: id, ...ids, amount, encrypted_pin: pin, ...extra },
    effect: effectOf('pos_payment', amount, fee, { [wallet.id]: -amount, [merchant.id]: amount - fee, fees: fee }),
  };
}

const posPayment: Draw = (drawContext) => purchase(drawContext, '/api/v1/pos/payment', { terminal_id: 'T-1' });
const inAppPayment: Draw = (drawContext) =>
  purchase(drawContext, '/api/v1/payment', { metadata: { order: drawContext.newId() } });

const refund: Draw = ({ parties, random, history, newId }) => {
  const paid = history.payments.filter(({ left }) => left > 0);
  if (paid.length === 0) return null;
  const payment = random.pick(paid);
  const amount = random.between(1, payment.left);
  // Deducted when it is sent, because a refund whose answer is lost may still be posted.
  payment.left -= amount;
  const id = newId();
  return {
    ...{ id, route: 'POS refund', path: '/api/v1/pos/refund', sign: terminal(parties.key) },
    body: { request_id: id, transaction_id: payment.id, amount },
    effect: withoutFee('pos_refund', amount, payment.merchant, payment.wallet),
  };
};

export function creditBy(
  bank: Partner,
  amount: number,
  beneficiary: { id: string; phone: string },
  id: string,
): Payment {
  return {
    ...{ id, route: 'inbound credit', path: '/api/v1/inbound/credit', sign: inbound(bank.key, `op-${id}`) },
    body: { reference: id, amount, msisdn: beneficiary.phone, narration: 'Rent' },
    effect: withoutFee('inbound_credit', amount, bank.id, beneficiary.id),
    reportedBalance: ({ data }) => ({ account: bank.id, balance: -Number((data as Json).partner_outstanding) }),
    inbound: { partnerId: bank.id, reference: id, event: 'credit.completed' },
  };
}

const UNKNOWN_BENEFICIARY = { id: 'unknown', phone: '+23279999999' };

const inboundCredit: Draw = ({ parties, random, newId }) => {
  const bank = random.chance(0.15) ? parties.limitedPartner : random.pick(parties.partners);
  const beneficiary = random.chance(0.05) ? UNKNOWN_BENEFICIARY : random.pick(parties.wallets);
  return creditBy(bank, amountFrom(random), beneficiary, newId());
};

const reversal: Draw = ({ parties, history, random, newId }) => {
  const [credit] = history.credits.splice(random.between(0, Math.max(0, history.credits.length - 1)), 1);
  if (!credit) return null;
  const { inboundId, reference, partner: bank, wallet, amount } = credit;
  const id = newId();
  return {
    ...{ id, route: 'inbound reversal', path: `/api/v1/admin/inbound/${inboundId}/reverse` },
    sign: () => ({ ...bearer(parties.adminToken)(), 'x-request-id': id }),
    body: { reason: 'Sent by mistake' },
    effect: withoutFee('inbound_reversal', amount, wallet, bank.id),
    inbound: { partnerId: bank.id, reference, event: 'credit.reversed' },
  };
};

const partnerCashIn: Draw = ({ parties, random, newId }) => {
  const [bank, to] = [random.pick(parties.partners), random.pick(parties.wallets)];
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'partner cash-in', path: '/api/v1/partner/cashin', sign: partner(bank) },
    body: { phone_number: to.phone, amount, reference: id },
    effect: withoutFee('partner_cashin', amount, bank.id, to.id),
  };
};

const notification: Draw = ({ parties, random, newId }) => {
  const to = random.pick(parties.wallets);
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'cash-in notification', path: '/webhooks/partner/cashin', sign: webhook(CASHIN_SECRET) },
    body: { card_serial: to.card, amount, reference: id },
    effect: withoutFee('partner_cashin', amount, 'sys_suspense', to.id),
    reportedBalance: newBalanceOf(to.id),
  };
};

const DRAWS: readonly Draw[] = [
  ...[p2p, transfer, withdraw, fund, fundFloat, cashIn, floatTransfer, processorTransfer, posPayment, inAppPayment],
  ...[
    refund,
    inboundCredit,
    inboundCredit,
    reversal,
    partnerCashIn,
    notification,
    transferWithoutId,
    transferWithoutId,
  ],
];

export function drawPayment(drawContext: DrawContext): Payment {
  for (;;) {
    const drawn = drawContext.random.pick(DRAWS)(drawContext);
    if (drawn) return drawn;
  }
}
