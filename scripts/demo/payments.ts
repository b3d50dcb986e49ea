// The demo's payments: who pays whom, how much, and the requests that the app, terminals, agents and banks send.

import type { Random } from '@kissi/testkit/random';
import { inbound, terminal as sign } from '@kissi/testkit/signing';
import type { Demo, DemoAgent, DemoBank, DemoMerchant, Subscriber } from './country.ts';
import { SLE } from './money.ts';
import type { DemoReply, Json } from './runtime/client.ts';

/** A payment that is ready to be sent. */
export interface Payment {
  /** The parties whose balance decides the outcome. Payments with a common party are sent one after the other. */
  parties: (Subscriber | DemoAgent)[];
  send(): Promise<void>;
  /** A bank's credit. Banks send them in runs, and its webhook is awaited before the clock moves. */
  isInbound?: true;
}

/** Work at a time: staff actions, salaries and unusual payments. */
export interface Planned {
  at: number;
  run(): Promise<void> | Payment[];
  /** Its outcome does not depend on payments of the same time, nor theirs on it. */
  isIndependent?: true;
}

/** Whether the float covers a few payments of this size at once, so that their order does not matter. */
const isAmple = ({ float }: DemoAgent, amount: number) => float > 4 * amount + 1_000 * SLE;
const WRONG_PIN = '0000';

/** Amounts people choose: multiples of 5 SLE. */
const roundAmount = (amount: number) => Math.max(5 * SLE, Math.round(amount / (5 * SLE)) * 5 * SLE);

let requests = 0;
/** Unique over all starts of the demo. */
const requestId = (kind: string, demo: Demo) => `${kind}-${demo.clock.now().toString(36)}-${++requests}`;

const NOTES: readonly (string | null)[] = [
  'School fees',
  'Rent',
  'Rice',
  'For mama',
  'Transport',
  'Market goods',
  'Contribution',
  null,
  null,
  null,
];

/** Some people mistype their PIN. Most of them enter the right one next. Drawn before sending, so that a run is repeatable. */
function pinsEntered(random: Random, { pin }: Subscriber): string[] {
  if (!random.chance(0.015)) return [pin];
  return random.chance(0.2) ? [WRONG_PIN] : [WRONG_PIN, pin];
}

/** The reply to the successful attempt, or null. A holder whose own PIN is refused is left alone from then on. */
async function enterPins(
  demo: Demo,
  kind: string,
  { holder, pins }: { holder: Subscriber | DemoAgent; pins: string[] },
  send: (pin: string) => Promise<DemoReply>,
): Promise<Json | null> {
  for (const pin of pins) {
    if (holder.pinRefused) return null;
    const reply = await send(pin);
    demo.tally.count(kind, reply);
    if (reply.status === 200) return reply.json;
    if (pin === holder.pin && reply.json?.code === 'INVALID_PIN') holder.pinRefused = true;
  }
  return null;
}

/** A few people try to spend more than they have. */
function affordable(random: Random, payer: Subscriber, wanted: number): number {
  if (random.chance(0.015)) return roundAmount(payer.balance * 1.2 + 20 * SLE);
  return Math.min(wanted, Math.floor((payer.balance * 0.9) / (5 * SLE)) * 5 * SLE);
}

export function transfer(
  demo: Demo,
  random: Random,
  payer: Subscriber,
  payee: Subscriber,
  fixed?: number,
): Payment | null {
  const median = payer.occupation === 'wholesaler' ? 3_000 : 110;
  const amount = fixed ?? affordable(random, payer, roundAmount(random.around(median * SLE, 0.9)));
  if (amount < 5 * SLE || payer === payee) return null;
  const note = random.pick(NOTES);
  const pins = pinsEntered(random, payer);
  const byCard = payee.card !== null && !payee.cardBlocked && random.chance(0.3);
  const [path, recipient] = byCard
    ? ['/wallet/transfer-p2p', { recipient_card_serial: payee.card }]
    : ['/wallet/transfer', { recipient_phone: payee.phone }];
  return {
    parties: [payer, payee],
    async send() {
      const token = demo.operatorKey();
      const order = {
        sender_id: payer.id,
        amount,
        request_id: requestId('p2p', demo),
        ...(note ? { description: note } : {}),
      };
      const paid = await enterPins(demo, 'transfer', { holder: payer, pins }, (pin) =>
        demo.client.call('POST', path, { token, body: { ...order, ...recipient, pin } }),
      );
      if (!paid) return;
      payer.balance = paid.balance;
      payee.balance += amount;
    },
  };
}

export interface Purchase {
  merchant: DemoMerchant;
  payer: Subscriber;
  transactionId: string;
  amount: number;
}

export function purchase(
  demo: Demo,
  random: Random,
  payer: Subscriber,
  merchant: DemoMerchant,
  onPaid: (made: Purchase) => void,
): Payment | null {
  const amount = affordable(random, payer, roundAmount(random.around(merchant.ticket, 0.7)));
  if (amount < 5 * SLE || payer.card === null) return null;
  const terminal = merchant.online ? null : random.pick(merchant.terminals);
  const place = terminal
    ? { terminal_id: terminal }
    : { metadata: { order: `ORD-${random.digits(6)}`, channel: 'android' } };
  const pins = pinsEntered(random, payer);
  return {
    parties: [payer],
    async send() {
      const ids = { request_id: requestId('pos', demo), merchant_id: merchant.merchantId, processor_id: merchant.id };
      const body = { ...ids, card_serial: payer.card, amount, ...place };
      const path = terminal ? '/api/v1/pos/payment' : '/api/v1/payment';
      const paid = await enterPins(demo, 'card payment', { holder: payer, pins }, (pin) =>
        demo.client.postSigned(sign(merchant.key), path, { ...body, pin }),
      );
      if (!paid) return;
      payer.balance -= amount;
      merchant.balance += amount - paid.fee;
      onPaid({ merchant, payer, transactionId: paid.transaction_id, amount });
    },
  };
}

/** In full, or in part. The merchant pays it from its balance. */
export function refund(demo: Demo, random: Random, { merchant, payer, transactionId, amount }: Purchase): Payment {
  const part = random.chance(0.3) ? { amount: Math.round(amount / 2) } : {};
  const reason = random.pick(['Returned goods', 'Out of stock', 'Wrong size', 'Charged twice']);
  return {
    parties: [payer],
    async send() {
      const body = { request_id: requestId('refund', demo), transaction_id: transactionId, reason, ...part };
      const path = merchant.online ? '/api/v1/payment/refund' : '/api/v1/pos/refund';
      const reply = await demo.client.postSigned(sign(merchant.key), path, body);
      demo.tally.count('refund', reply);
      if (reply.status !== 200) return;
      payer.balance += reply.json.amount;
      merchant.balance -= reply.json.amount;
    },
  };
}

export function cashIn(
  demo: Demo,
  random: Random,
  payee: Subscriber,
  agent: DemoAgent,
  fixed?: number,
): Payment | null {
  const median = payee.occupation === 'wholesaler' ? 12_000 : 210;
  const amount = fixed ?? roundAmount(random.around(median * SLE, 0.8));
  // Most agents send customers away when the float is too low. Some try.
  if (agent.float < amount && !random.chance(0.3)) return null;
  return {
    parties: isAmple(agent, amount) ? [payee] : [payee, agent],
    async send() {
      const token = demo.operatorKey();
      const order = { agent_id: agent.id, phone_number: payee.phone, amount, request_id: requestId('cashin', demo) };
      const paid = await enterPins(demo, 'cash-in', { holder: agent, pins: [agent.pin] }, (pin) =>
        demo.client.call('POST', '/agents/cashin', { token, body: { ...order, pin } }),
      );
      if (!paid) return;
      payee.balance += amount;
      agent.float -= amount;
    },
  };
}

export function withdrawal(demo: Demo, random: Random, payer: Subscriber, agent: DemoAgent): Payment | null {
  const wanted = payer.balance > 2_000 * SLE ? payer.balance * random.around(0.25, 0.4) : random.around(160 * SLE, 0.7);
  const amount = affordable(random, payer, roundAmount(wanted));
  if (amount < 10 * SLE) return null;
  const pins = pinsEntered(random, payer);
  return {
    parties: isAmple(agent, amount) ? [payer] : [payer, agent],
    async send() {
      const token = demo.operatorKey();
      const body = { subscriber_id: payer.id, agent_id: agent.id, amount, request_id: requestId('cashout', demo) };
      const paid = await enterPins(demo, 'withdrawal', { holder: payer, pins }, (pin) =>
        demo.client.call('POST', '/wallet/withdraw', { token, body: { ...body, pin } }),
      );
      if (!paid) return;
      payer.balance = paid.balance;
      agent.float += amount;
    },
  };
}

/** A bank credits a wallet: a salary, or money from abroad. */
export function bankCredit(
  demo: Demo,
  payee: Subscriber,
  bank: DemoBank,
  credit: { amount: number; payer: string; narration: string },
): Payment {
  return {
    parties: [payee],
    isInbound: true,
    async send() {
      const payer = { name: credit.payer, account_masked: `****${bank.id.slice(-4)}`, bank_code: bank.code };
      const body = {
        reference: requestId(bank.code, demo),
        amount: credit.amount,
        msisdn: payee.phone,
        narration: credit.narration,
        payer,
      };
      const reply = await demo.client.postSigned(inbound(bank.key, body.reference), '/api/v1/inbound/credit', body);
      demo.tally.count('bank credit', reply);
      if (reply.status === 200) payee.balance += credit.amount;
    },
  };
}

/** A super-agent passes float on to one of its sub-agents. */
export function floatTransfer(demo: Demo, from: DemoAgent, to: DemoAgent, amount: number): Payment {
  return {
    parties: [from, to],
    async send() {
      const token = demo.operatorKey();
      const order = { from_agent_id: from.id, to_agent_id: to.id, amount, request_id: requestId('float', demo) };
      const paid = await enterPins(demo, 'float transfer', { holder: from, pins: [from.pin] }, (pin) =>
        demo.client.call('POST', '/agents/transfer', { token, body: { ...order, pin } }),
      );
      if (!paid) return;
      from.float -= amount;
      to.float += amount;
    },
  };
}

export function payOut(demo: Demo, merchant: DemoMerchant, owner: Subscriber, amount: number): Payment {
  return {
    parties: [owner],
    async send() {
      const body = {
        to_subscriber_id: owner.id,
        amount,
        request_id: requestId('payout', demo),
        description: 'Weekly pay-out',
      };
      const reply = await demo.client.call('POST', `/processors/${merchant.id}/transfer`, {
        token: demo.operatorKey(),
        body,
      });
      demo.tally.count('pay-out', reply);
      if (reply.status !== 200) return;
      owner.balance += amount;
      merchant.balance -= amount;
    },
  };
}
