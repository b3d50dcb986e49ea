// Merchants ask for money and authorise payments, on the last whole day: requests in every state, a link, holds, and webhook endpoints.

import type { Random } from '@kissi/testkit/random';
import { terminal as sign } from '@kissi/testkit/signing';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { ADMIN, type Demo, type DemoMerchant, type Subscriber } from './country.ts';
import { shopOf } from './examples.ts';
import { SLE } from './money.ts';
import type { Planned } from './payments.ts';
import { type Json, must } from './runtime/client.ts';

const EVENTS = ['payment.completed', 'payment_request.paid', 'payment_request.declined', 'payment_request.expired'];
const DAY_S = 86_400;
const GOODS = ['Rice, 25 kg', 'School shoes', 'Phone charger', 'Cement, two bags', 'Dinner for four', 'Fan'];
let requests = 0;

/** At hours of the day. What expires does so before its end. */
export function askingOf(demo: Demo, random: Random, start: number): Planned[] {
  const at = (hour: number, run: () => Promise<void>): Planned => ({ at: start + hour * HOUR_MS, run });
  return [
    at(8.1, () => openEndpoints(demo)),
    at(11.9, () => ask(demo, random)),
    at(14.2, () => authorize(demo, random)),
  ];
}

/** The merchant whose login is printed comes first. Without that of the example shop, which begins with nothing. */
const merchantsOf = ({ country }: Demo) => {
  const others = country.merchants.filter((each) => each !== shopOf(country));
  return others.sort((a, b) => b.refunds - a.refunds).slice(0, 3);
};
const administrator = (demo: Demo) => demo.session(ADMIN.email);

async function openEndpoints(demo: Demo): Promise<void> {
  for (const merchant of merchantsOf(demo)) {
    const code = merchant.merchantId.toLowerCase();
    const body = { processor_id: merchant.id, url: `${demo.receiver.url}/${code}`, events: EVENTS };
    const made = await must(administrator(demo).call('POST', '/webhook-endpoints', body), 'webhook endpoint');
    const { webhook_endpoint, secret } = made;
    merchant.hook = { endpointId: webhook_endpoint.id, code, webhookSecret: secret };
    demo.receiver.addMerchant(code, secret);
  }
}

function payerOf(demo: Demo, random: Random): Subscriber {
  const suits = ({ status, balance, salary }: Subscriber) => status === 'active' && balance > 800 * SLE && salary === 0;
  return random.pick(demo.country.subscribers.filter(suits));
}

async function ask(demo: Demo, random: Random): Promise<void> {
  for (const merchant of merchantsOf(demo)) {
    const price = () => random.int(4, 60) * 5 * SLE;
    const request = (extra: object) => askFor(demo, random, merchant, extra);
    await payRequest(demo, await request({ amount: price(), reference: 'INV-1042' }), payerOf(demo, random));
    const asked = payerOf(demo, random);
    await decline(demo, await request({ amount: price(), payer_phone: asked.phone }), asked);
    const { id } = await request({ amount: price() });
    await must(administrator(demo).call('POST', `/payment-requests/${id}/cancel`), 'cancelled request');
    await request({ amount: price(), expires_in: 600 });
    await request({ amount: price(), payer_phone: payerOf(demo, random).phone, expires_in: 30 * DAY_S });
    const link = await request({
      amount: null,
      description: 'Contribution',
      single_use: false,
      expires_in: 90 * DAY_S,
    });
    for (const amount of [20, 50, 35]) await payRequest(demo, link, payerOf(demo, random), amount * SLE);
    demo.clock.moveTo(demo.clock.now() + 5 * MINUTE_MS);
  }
}

export async function askFor(demo: Demo, random: Random, merchant: DemoMerchant, extra: object): Promise<Json> {
  const body = { description: random.pick(GOODS), request_id: `demo-ask-${++requests}`, ...extra };
  const asked = demo.client.postSigned(sign(merchant.key), '/api/v1/payment-requests', body);
  return (await must(asked, 'payment request')).payment_request;
}

export async function payRequest(demo: Demo, request: Json, payer: Subscriber, amount?: number): Promise<void> {
  const body = { payer_id: payer.id, pin: payer.pin, request_id: `demo-pay-${++requests}`, amount };
  const reply = await administrator(demo).call('POST', `/admin/lab/payment-requests/${request.id}/confirm`, body);
  demo.tally.count('payment request', reply);
  if (reply.status === 200) payer.balance -= reply.json.amount;
}

async function decline(demo: Demo, { id }: Json, payer: Subscriber): Promise<void> {
  const path = `/admin/lab/payment-requests/${id}/decline`;
  await must(administrator(demo).call('POST', path, { payer_id: payer.id }), 'declined request');
}

/** A guest pays less than was held, one leaves, and two stay. */
async function authorize(demo: Demo, random: Random): Promise<void> {
  for (const merchant of merchantsOf(demo)) {
    for (const end of ['capture', 'void', null, null] as const) {
      const payer = payerOf(demo, random);
      if (payer.card !== null && !payer.cardBlocked)
        await hold(demo, merchant, payer, random.int(10, 40) * 10 * SLE, end);
    }
  }
}

type End = 'capture' | 'void' | null;
/** What leaves the payer's available balance. */
const SPENT = { capture: 0.5, void: 0, active: 1 };

async function hold(demo: Demo, merchant: DemoMerchant, payer: Subscriber, amount: number, end: End): Promise<void> {
  const path = merchant.online ? '/api/v1/payment' : '/api/v1/pos/payment';
  const send = (to: string, body: object) =>
    demo.client.postSigned(sign(merchant.key), `${path}${to}`, { request_id: `demo-hold-${++requests}`, ...body });
  const place = merchant.online ? {} : { terminal_id: merchant.terminals[0] };
  const parties = { merchant_id: merchant.merchantId, processor_id: merchant.id, card_serial: payer.card };
  const reply = await send('', { ...parties, ...place, amount, pin: payer.pin, capture: false });
  demo.tally.count('authorisation', reply);
  if (reply.status !== 200) return;
  const captured = end === 'capture' ? { amount: amount * SPENT.capture } : {};
  if (end) demo.tally.count(end, await send(`/${reply.json.transaction_id}/${end}`, captured));
  payer.balance -= amount * SPENT[end ?? 'active'];
}
