// Makes payments: the request to send, and its effect according to the API reference.
// They are sent as they are and not by the client, which would retry them, add missing ids and parse their replies: tests
// compare replies byte for byte, and benchmarks would measure the client.
import { type Effect, type ReportedBalance, share } from './journal.ts';
import { type ApiKey, type Merchant, type Parties, type Partner, PIN, type Wallet } from './parties.ts';
import type { Random } from './random.ts';
import { bearer, encryptedPin, type Headers, inbound, terminal } from './signing.ts';

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

/** Payments, authorisations and credits of this client that can be refunded, ended or reversed. */
export interface History {
  holds: { id: string; wallet: string; merchant: string; amount: number }[];
  payments: { id: string; wallet: string; merchant: string; left: number }[];
  credits: { inboundId: string; reference: string; partner: Partner; wallet: string; amount: number }[];
}

/** Who sends a payment: the key, and what names its requests. */
export interface Sender {
  key: ApiKey;
  newId(): string;
}

export interface DrawContext extends Sender {
  parties: Parties;
  random: Random;
  history: History;
}

const describeEffect = (type: string, amount: number, fee: number, legs: Record<string, number>): Effect => ({
  type,
  amount,
  fee,
  legs: Object.fromEntries(Object.entries(legs).filter(([, change]) => change !== 0)),
});

export const withoutFee = (type: string, amount: number, from: string, to: string) =>
  describeEffect(type, amount, 0, { [from]: -amount, [to]: amount });

/** The payer pays the fee, in ten-thousandths, on top of the amount. */
export const withPayerFee = (type: string, amount: number, rate: number, from: string, to: string) => {
  const fee = share(amount, rate);
  return describeEffect(type, amount, fee, { [from]: -amount - fee, [to]: amount, fees: fee });
};

/** A payment with a bearer key. The reply states the balance of the account `reported`. */
export function withKey(
  { key, newId }: Sender,
  [route, path]: [route: string, path: string],
  fields: Json,
  effect: Effect,
  reported?: string,
): Payment {
  const id = newId();
  return {
    id,
    route,
    path: `/api/v1${path}`,
    sign: bearer(key.bearer),
    body: { amount: effect.amount, ...fields, request_id: id },
    effect,
    ...(reported ? { reportedBalance: ({ balance }) => ({ account: reported, balance: Number(balance) }) } : {}),
  };
}

export function p2p(sender: Sender, from: string, to: Pick<Wallet, 'id' | 'card'>, amount: number): Payment {
  const fields = { sender_id: from, recipient_card_serial: to.card, amount: String(amount), pin: PIN };
  const effect = withPayerFee('transfer_p2p', amount, 150, from, to.id);
  return withKey(sender, ['P2P', '/wallet/transfer-p2p'], fields, effect, from);
}

export function transfer(sender: Sender, from: string, to: { id: string; phone?: string }, amount: number): Payment {
  const recipient = to.phone ? { recipient_phone: to.phone } : { recipient_id: to.id };
  const effect = withPayerFee('transfer_p2p', amount, 150, from, to.id);
  return withKey(sender, ['transfer', '/wallet/transfer'], { sender_id: from, ...recipient, pin: PIN }, effect, from);
}

export function funding(sender: Sender, partnerId: string, walletId: string, amount: number): Payment {
  const fields = { partner_id: partnerId, subscriber_id: walletId };
  const effect = withoutFee('vult_fund', amount, partnerId, walletId);
  return withKey(sender, ['partner funding', '/wallet/fund-from-partner'], fields, effect, walletId);
}

export function floatFunding(sender: Sender, agentId: string, amount: number): Payment {
  const effect = withoutFee('agent_fund', amount, 'treasury', agentId);
  return withKey(sender, ['float funding', `/agents/${agentId}/fund`], {}, effect, agentId);
}

/** At a terminal, or in an app if `order` is given. */
export function purchase(
  { key, newId }: Sender,
  merchant: Pick<Merchant, 'id' | 'merchantId'>,
  wallet: Pick<Wallet, 'id' | 'card'>,
  amount: number,
  order?: string,
): Payment {
  const [id, fee] = [newId(), share(amount, 100)];
  const ids = { merchant_id: merchant.merchantId, processor_id: merchant.id, card_serial: wallet.card };
  const encrypted_pin = encryptedPin(key.secret, { pin: PIN, card_serial: wallet.card });
  const place = order ? { metadata: { order } } : { terminal_id: 'T-1' };
  return {
    id,
    route: order ? 'in-app payment' : 'POS payment',
    path: order ? '/api/v1/payment' : '/api/v1/pos/payment',
    sign: terminal(key),
    body: { request_id: id, ...ids, amount, encrypted_pin, ...place },
    effect: describeEffect('pos_payment', amount, fee, {
      [wallet.id]: -amount,
      [merchant.id]: amount - fee,
      fees: fee,
    }),
  };
}

/** A payment at a terminal that is only authorised: a hold, and no movement. */
export function authorization(...[sender, merchant, wallet, amount]: Parameters<typeof purchase>): Payment {
  const payment = purchase(sender, merchant, wallet, amount);
  const effect = { ...withoutFee('hold', amount, wallet.id, merchant.id), legs: {} };
  return { ...payment, route: 'authorisation', body: { ...payment.body, capture: false }, effect };
}

/** Captures so much of an authorised payment; nothing: voids it. */
export function endOfAuthorization(
  { key, newId }: Sender,
  { id: held, wallet, merchant }: { id: string; wallet: string; merchant: string },
  amount: number,
): Payment {
  const [id, fee] = [newId(), share(amount, 100)];
  const [route, what] = amount > 0 ? ['capture', 'capture'] : ['void', 'void'];
  return {
    ...{ id, route, path: `/api/v1/pos/payment/${held}/${what}`, sign: terminal(key) },
    body: { request_id: id, ...(amount > 0 ? { amount } : {}) },
    effect:
      amount > 0
        ? describeEffect('pos_payment', amount, fee, { [wallet]: -amount, [merchant]: amount - fee, fees: fee })
        : describeEffect('void', 0, 0, {}),
  };
}

/** A merchant asks for a payment. It moves nothing. */
export function ask({ key, newId }: Sender, processorId: string, amount: number): Payment {
  const id = newId();
  return {
    ...{ id, route: 'payment request', path: '/api/v1/payment-requests', sign: bearer(key.bearer) },
    body: { processor_id: processorId, amount, description: 'Order', request_id: id },
    effect: describeEffect('payment_request', amount, 0, {}),
  };
}

/** A request of a merchant; without an amount it is a link that many pay. */
export interface Asked {
  id: string;
  merchant: string;
  amount: number | null;
}

/** The payer confirms it with a quote, in their own session. */
export function approve(
  { newId }: Pick<Sender, 'newId'>,
  token: string,
  asked: Asked & { amount: number },
  payer: string,
  quote_id: string,
): Payment {
  const id = newId();
  return {
    ...confirmInLab({ newId: () => id }, token, asked, payer, asked.amount),
    path: `/api/v1/me/payment-requests/${asked.id}/approve`,
    body: { quote_id, pin: PIN, request_id: id },
  };
}

/** The payer confirms it, in the lab. */
export function confirmInLab(
  { newId }: Pick<Sender, 'newId'>,
  token: string,
  { id: asked, merchant, amount: fixed }: Asked,
  payer: string,
  amount: number,
): Payment {
  const [id, fee] = [newId(), share(amount, 100)];
  return {
    ...{ id, route: 'payment of a request', path: `/api/v1/admin/lab/payment-requests/${asked}/confirm` },
    sign: bearer(token),
    body: { payer_id: payer, pin: PIN, request_id: id, ...(fixed === null ? { amount } : {}) },
    effect: describeEffect('pos_payment', amount, fee, { [payer]: -amount, [merchant]: amount - fee, fees: fee }),
    reportedBalance: ({ balance }) => ({ account: payer, balance: Number(balance) }),
  };
}

export function refund(
  { key, newId }: Sender,
  payment: { id: string; wallet: string; merchant: string },
  amount: number,
): Payment {
  const id = newId();
  return {
    id,
    route: 'POS refund',
    path: '/api/v1/pos/refund',
    sign: terminal(key),
    body: { request_id: id, transaction_id: payment.id, amount },
    effect: withoutFee('pos_refund', amount, payment.merchant, payment.wallet),
  };
}

export function credit(
  bank: Pick<Partner, 'id' | 'key'>,
  amount: number,
  beneficiary: { id: string; phone: string },
  id: string,
): Payment {
  return {
    id,
    route: 'inbound credit',
    path: '/api/v1/inbound/credit',
    sign: inbound(bank.key, `op-${id}`),
    body: { reference: id, amount, msisdn: beneficiary.phone, narration: 'Rent' },
    effect: withoutFee('inbound_credit', amount, bank.id, beneficiary.id),
    reportedBalance: ({ data }) => ({ account: bank.id, balance: -Number((data as Json).partner_outstanding) }),
    inbound: { partnerId: bank.id, reference: id, event: 'credit.completed' },
  };
}
