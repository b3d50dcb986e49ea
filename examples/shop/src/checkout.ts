// Asks for payments, believes only what Kissi itself says of them, and refunds orders: the file to copy from.
import { type Kissi, KissiError, KissiRefusalError, type PaymentRequest } from '@kissi/client';
import type { Order, Orders, Refund } from './orders.ts';

interface Context {
  kissi: Kissi;
  processorId: string;
  /** Where customers find the shop, such as https://shop.example.com: one of the merchant's return hosts. */
  shopUrl: string;
  orders: Orders;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Longer than Kissi accepts a signature (5 minutes) and works on a request: what was sent before has ended. */
const IN_FLIGHT_MS = 10 * 60 * 1000;
const EXPIRES_IN_SECONDS = 30 * 60;

/** Refused: nothing was done, and why. Unknown: there was no reply. */
export type Outcome = { is: 'done' } | { is: 'refused' | 'unknown'; message: string };

/** Of a payment request, from a reply or from a webhook whose signature was verified. */
export type Told = Pick<PaymentRequest, 'id' | 'status' | 'amount' | 'metadata' | 'transaction_ids'>;

export type Checkout = ReturnType<typeof createCheckout>;

export function createCheckout({ kissi, processorId, shopUrl, orders, now = Date.now }: Context) {
  /** True if the order changed: a real shop sends the goods of a paid one now. */
  function learn({ id, status, amount, metadata, transaction_ids }: Told): boolean {
    const { order_id } = (metadata ?? {}) as { order_id?: unknown };
    if (status === 'open' || typeof order_id !== 'string') return false;
    const of = { orderId: order_id, paymentRequestId: id, amount };
    return orders.settle({ ...of, status, transactionId: transaction_ids[0] ?? null });
  }

  async function outcomeOf(work: () => Promise<void>, noReply: string): Promise<Outcome> {
    try {
      await work();
      return { is: 'done' };
    } catch (error) {
      if (!(error instanceof KissiError)) throw error;
      const { code, requestId } = error;
      process.stderr.write(`${code} ${requestId ?? ''}\n`);
      if (!(error instanceof KissiRefusalError)) return { is: 'unknown', message: noReply };
      return { is: 'refused', message: `Kissi refused (${code}, ${requestId}).` };
    }
  }

  async function sendRefund(refund: Refund, { transaction_id }: Order): Promise<Outcome> {
    const { request_id } = refund;
    try {
      await kissi.inApp.refund({ request_id, transaction_id: transaction_id ?? '', reason: 'Returned goods' });
      orders.refunded(refund);
      return { is: 'done' };
    } catch (error) {
      if (!(error instanceof KissiError)) throw error;
      const { code, requestId } = error;
      process.stderr.write(`refund ${code} ${requestId ?? ''}\n`);
      const closed = error instanceof KissiRefusalError && !mayBeInFlight(refund, error) && orders.refused(refund);
      if (closed) return { is: 'refused', message: `The refund was refused (${code}, ${requestId}).` };
      return { is: 'unknown', message: 'The refund may have been made. Refund it again: it is made only once.' };
    }
  }

  /** A refusal is about the request that it answers. The same refund, sent before and not answered yet, can still be made. */
  function mayBeInFlight({ previous_at }: Refund, { attempts }: KissiError): boolean {
    return attempts > 1 || (previous_at !== null && now() - previous_at < IN_FLIGHT_MS);
  }

  return {
    learn,

    /** Once for each order, however often it is called: the order's id is the request_id. */
    ask: (order: Order): Promise<Outcome> =>
      outcomeOf(async () => {
        const { payment_request } = await kissi.paymentRequests.create({
          request_id: order.id,
          processor_id: processorId,
          amount: order.amount,
          description: order.item,
          reference: order.id.slice(0, 8),
          metadata: { order_id: order.id },
          expires_in: EXPIRES_IN_SECONDS,
          return_url: `${shopUrl}/return`,
        });
        orders.asked(order.id, payment_request);
      }, 'Kissi does not answer. Try again: you pay only once.'),

    /** A webhook may be late, and a customer who returns proves nothing: the shop's server asks. */
    check: ({ status, payment_request_id }: Order): Promise<Outcome> =>
      outcomeOf(async () => {
        if (status !== 'pending' || payment_request_id === null) return;
        learn((await kissi.paymentRequests.get(payment_request_id)).payment_request);
      }, 'Kissi does not answer, so this page may be out of date.'),

    async refund(order: Order): Promise<Outcome> {
      if (order.status !== 'paid') return { is: 'done' };
      return sendRefund(orders.refund(order.id), order);
    },

    /** At a start: refunds that the shop did not see the end of. */
    async finishRefunds(): Promise<void> {
      for (const order of orders.unknownRefunds()) await sendRefund(orders.refund(order.id), order);
    },
  };
}
