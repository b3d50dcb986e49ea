// Every way money moves, as one client draws them by chance: what is sent, and what the interface says it does.
import { type Effect, share, type ToldBalance } from './book.ts';
import { CASHIN_SECRET } from './gateways.ts';
import { type Partner, type People, PIN } from './people.ts';
import type { Random } from './random.ts';
import { bearer, encryptedPin, type Headers, inbound, partner, terminal, webhook } from './signing.ts';

type Json = Record<string, unknown>;

/** Something to send, again and again until it is answered, always with the same body. */
export interface Payment {
  id: string;
  route: string;
  path: string;
  body: Json;
  sign(path: string, body: string): Headers;
  effect: Effect;
  /** Without a request id: nobody may send it again. */
  once?: boolean;
  /** Where a reply says what the balance is. */
  told?(reply: Json): ToldBalance;
  inbound?: { partnerId: string; reference: string; event: string };
}

/** What this client has done that can be undone. */
export interface Past {
  payments: { id: string; wallet: string; shop: string; left: number }[];
  credits: { inboundId: string; reference: string; partner: Partner; wallet: string; amount: number }[];
}

export interface Drawing {
  people: People;
  random: Random;
  past: Past;
  newId(): string;
}

type Draw = (drawing: Drawing) => Payment | null;

const moved = (type: string, amount: number, fee: number, legs: Record<string, number>): Effect => ({
  ...{ type, amount, fee },
  legs: Object.fromEntries(Object.entries(legs).filter(([, change]) => change !== 0)),
});

const free = (type: string, amount: number, from: string, to: string) =>
  moved(type, amount, 0, { [from]: -amount, [to]: amount });

/** The payer pays the fee on top. */
const onTop = (type: string, amount: number, fee: number, from: string, to: string) =>
  moved(type, amount, fee, { [from]: -amount - fee, [to]: amount, fees: fee });

const balanceOf = (account: string) => (reply: Json) => ({ account, balance: Number(reply.balance) });
const newBalanceOf = (account: string) => (reply: Json) => ({ account, balance: Number(reply.new_balance) });

function twoOf<T>(random: Random, some: readonly T[]): [T, T] {
  const [one, other] = random.shuffled(some);
  return [one as T, other as T];
}

const amountFrom = (random: Random) => random.between(1, random.chance(0.01) ? 400_000 : 2_500);

const p2p: Draw = ({ people, random, newId }) => {
  const [from, to] = twoOf(random, people.wallets);
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'P2P', path: '/api/v1/wallet/transfer-p2p', sign: bearer(people.key.bearer) },
    body: { sender_id: from.id, recipient_card_serial: to.card, amount: String(amount), pin: PIN, request_id: id },
    effect: onTop('transfer_p2p', amount, share(amount, 150), from.id, to.id),
    told: balanceOf(from.id),
  };
};

const transfer: Draw = ({ people, random, newId }) => {
  const [from, to] = twoOf(random, people.wallets);
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'transfer', path: '/api/v1/wallet/transfer', sign: bearer(people.key.bearer) },
    body: { sender_id: from.id, recipient_phone: to.phone, amount, pin: PIN, request_id: id },
    effect: onTop('transfer_p2p', amount, share(amount, 150), from.id, to.id),
    told: balanceOf(from.id),
  };
};

/** As a careless client pays: without a request id. What became of it is known if it was answered, and it is there at most once. */
export const careless: Draw = (drawing) => {
  const payment = transfer(drawing);
  if (!payment) return null;
  const { request_id: _, ...body } = payment.body;
  return { ...payment, route: 'transfer without id', once: true, body: { ...body, description: payment.id } };
};

const withdraw: Draw = ({ people, random, newId }) => {
  const [from, to] = [random.pick(people.wallets), random.pick([people.superAgent, ...people.subAgents])];
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'withdrawal', path: '/api/v1/wallet/withdraw', sign: bearer(people.key.bearer) },
    body: { subscriber_id: from.id, agent_id: to.id, amount, pin: PIN, request_id: id },
    effect: onTop('wallet_withdraw', amount, share(amount, 100), from.id, to.id),
    told: balanceOf(from.id),
  };
};

export function funding({ people, newId }: Drawing, partnerId: string, walletId: string, amount: number): Payment {
  const id = newId();
  return {
    ...{ id, route: 'partner funding', path: '/api/v1/wallet/fund-from-partner', sign: bearer(people.key.bearer) },
    body: { partner_id: partnerId, subscriber_id: walletId, amount, request_id: id },
    effect: free('vult_fund', amount, partnerId, walletId),
    told: balanceOf(walletId),
  };
}

export function floatFunding({ people, newId }: Drawing, agentId: string, amount: number): Payment {
  const id = newId();
  return {
    ...{ id, route: 'float funding', path: `/api/v1/agents/${agentId}/fund`, sign: bearer(people.key.bearer) },
    body: { amount, request_id: id },
    effect: free('agent_fund', amount, 'treasury', agentId),
    told: balanceOf(agentId),
  };
}

const fund: Draw = (drawing) => {
  const { people, random } = drawing;
  return funding(drawing, random.pick(people.partners).id, random.pick(people.wallets).id, amountFrom(random));
};

const fundFloat: Draw = (drawing) => {
  const { people, random } = drawing;
  return floatFunding(drawing, random.pick([people.superAgent, ...people.subAgents]).id, amountFrom(random));
};

const cashIn: Draw = ({ people, random, newId }) => {
  const [agent, to] = [random.pick([people.superAgent, ...people.subAgents]), random.pick(people.wallets)];
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'agent cash-in', path: '/api/v1/agents/cashin', sign: bearer(people.key.bearer) },
    body: { agent_id: agent.id, card_serial: to.card, amount, pin: agent.pin, request_id: id },
    effect: onTop('agent_cashin', amount, share(amount, 50), agent.id, to.id),
    told: balanceOf(agent.id),
  };
};

const floatTransfer: Draw = ({ people, random, newId }) => {
  const { superAgent } = people;
  const to = random.pick(people.subAgents);
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'float transfer', path: '/api/v1/agents/transfer', sign: bearer(people.key.bearer) },
    body: { from_agent_id: superAgent.id, to_agent_id: to.id, amount, pin: superAgent.pin, request_id: id },
    effect: free('agent_transfer', amount, superAgent.id, to.id),
  };
};

const processorTransfer: Draw = ({ people, random, newId }) => {
  const [from, other] = twoOf(random, people.shops);
  const wallet = random.pick(people.wallets);
  const amount = random.between(1, 500);
  const id = newId();
  const toWallet = random.chance(0.5);
  const to = toWallet ? { to_subscriber_id: wallet.id } : { to_processor_id: other.id };
  return {
    ...{ id, route: 'processor transfer', path: `/api/v1/processors/${from.id}/transfer` },
    sign: bearer(people.key.bearer),
    body: { ...to, amount, request_id: id },
    effect: free('processor_transfer', amount, from.id, toWallet ? wallet.id : other.id),
    told: balanceOf(from.id),
  };
};

function purchase({ people, random, newId }: Drawing, path: string, extra: Json): Payment {
  const [shop, wallet] = [random.pick(people.shops), random.pick(people.wallets)];
  const amount = amountFrom(random);
  const fee = share(amount, 100);
  const id = newId();
  const pin = encryptedPin(people.key.secret, { pin: PIN, card_serial: wallet.card });
  const parties = { merchant_id: shop.merchantId, processor_id: shop.id, card_serial: wallet.card };
  return {
    ...{ id, route: path === '/api/v1/payment' ? 'in-app payment' : 'POS payment', path, sign: terminal(people.key) },
    body: { request_id: id, ...parties, amount, encrypted_pin: pin, ...extra },
    effect: moved('pos_payment', amount, fee, { [wallet.id]: -amount, [shop.id]: amount - fee, fees: fee }),
  };
}

const posPayment: Draw = (drawing) => purchase(drawing, '/api/v1/pos/payment', { terminal_id: 'T-1' });
const inAppPayment: Draw = (drawing) => purchase(drawing, '/api/v1/payment', { metadata: { order: drawing.newId() } });

const refund: Draw = ({ people, random, past, newId }) => {
  const paid = past.payments.filter(({ left }) => left > 0);
  if (paid.length === 0) return null;
  const payment = random.pick(paid);
  const amount = random.between(1, payment.left);
  // Counted when it is sent: an answer that is lost is no reason to ask for as much again.
  payment.left -= amount;
  const id = newId();
  return {
    ...{ id, route: 'POS refund', path: '/api/v1/pos/refund', sign: terminal(people.key) },
    body: { request_id: id, transaction_id: payment.id, amount },
    effect: free('pos_refund', amount, payment.shop, payment.wallet),
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
    effect: free('inbound_credit', amount, bank.id, beneficiary.id),
    told: ({ data }) => ({ account: bank.id, balance: -Number((data as Json).partner_outstanding) }),
    inbound: { partnerId: bank.id, reference: id, event: 'credit.completed' },
  };
}

const NOBODY = { id: 'nobody', phone: '+23279999999' };

const inboundCredit: Draw = ({ people, random, newId }) => {
  const bank = random.chance(0.15) ? people.poorPartner : random.pick(people.partners);
  const beneficiary = random.chance(0.05) ? NOBODY : random.pick(people.wallets);
  return creditBy(bank, amountFrom(random), beneficiary, newId());
};

const reversal: Draw = ({ people, past, random, newId }) => {
  const [credit] = past.credits.splice(random.between(0, Math.max(0, past.credits.length - 1)), 1);
  if (!credit) return null;
  const { inboundId, reference, partner: bank, wallet, amount } = credit;
  const id = newId();
  return {
    ...{ id, route: 'inbound reversal', path: `/api/v1/admin/inbound/${inboundId}/reverse` },
    sign: () => ({ ...bearer(people.adminToken)(), 'x-request-id': id }),
    body: { reason: 'Sent by mistake' },
    effect: free('inbound_reversal', amount, wallet, bank.id),
    inbound: { partnerId: bank.id, reference, event: 'credit.reversed' },
  };
};

const partnerCashIn: Draw = ({ people, random, newId }) => {
  const [bank, to] = [random.pick(people.partners), random.pick(people.wallets)];
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'partner cash-in', path: '/api/v1/partner/cashin', sign: partner(bank) },
    body: { phone_number: to.phone, amount, reference: id },
    effect: free('partner_cashin', amount, bank.id, to.id),
    told: newBalanceOf(to.id),
  };
};

const notification: Draw = ({ people, random, newId }) => {
  const to = random.pick(people.wallets);
  const amount = amountFrom(random);
  const id = newId();
  return {
    ...{ id, route: 'cash-in notification', path: '/webhooks/partner/cashin', sign: webhook(CASHIN_SECRET) },
    body: { card_serial: to.card, amount, reference: id },
    effect: free('partner_cashin', amount, 'sys_suspense', to.id),
    told: newBalanceOf(to.id),
  };
};

const DRAWS: readonly Draw[] = [
  ...[p2p, transfer, withdraw, fund, fundFloat, cashIn, floatTransfer, processorTransfer, posPayment, inAppPayment],
  ...[refund, inboundCredit, inboundCredit, reversal, partnerCashIn, notification, careless, careless],
];

export function drawPayment(drawing: Drawing): Payment {
  for (;;) {
    const drawn = drawing.random.pick(DRAWS)(drawing);
    if (drawn) return drawn;
  }
}
