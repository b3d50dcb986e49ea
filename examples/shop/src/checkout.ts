// Pays and refunds orders. Each attempt is stored first and repeated with the same request_id until its outcome is known.
import { type Kissi, KissiError, KissiRefusalError } from '@kissi/client';
import type { Attempt, Order, Orders } from './orders.ts';

interface Context {
  kissi: Kissi;
  merchant: { processor_id: string; merchant_id: string };
  orders: Orders;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Longer than Kissi accepts a signature (5 minutes) and works on a request: what was sent before has ended. */
const IN_FLIGHT_MS = 10 * 60 * 1000;

/** Refused: nothing was moved, and why. Unknown: money may have been moved. */
export type Outcome = { is: 'done' } | { is: 'refused' | 'unknown'; message: string };

export type Checkout = ReturnType<typeof createCheckout>;

export function createCheckout({ kissi, merchant, orders, now = Date.now }: Context) {
  async function settle(attempt: Attempt, send: () => Promise<void>): Promise<Outcome> {
    try {
      await send();
      return { is: 'done' };
    } catch (error) {
      if (!(error instanceof KissiError)) throw error;
      // Only a refusal says that nothing was moved. After any other error the attempt stays as it is, to be repeated.
      if (!(error instanceof KissiRefusalError)) return unknown(attempt, error);
      if (!mayBeInFlight(attempt, error) && orders.refused(attempt)) {
        return { is: 'refused', message: explain(attempt, error) };
      }
      return { is: 'unknown', message: `${explain(attempt, error)} ${undecided(attempt)}` };
    }
  }

  /**
   * A refusal is about the request that it answers. The same payment, sent before with the right PIN and not answered
   * yet, can still be made. If the shop took the refusal for the outcome, a new payment would be a second one.
   */
  function mayBeInFlight({ previous_at }: Attempt, { attempts }: KissiError): boolean {
    return attempts > 1 || (previous_at !== null && now() - previous_at < IN_FLIGHT_MS);
  }

  function sendRefund(attempt: Attempt, order: Order): Promise<Outcome> {
    return settle(attempt, async () => {
      const { request_id } = attempt;
      await kissi.inApp.refund({ request_id, transaction_id: order.transaction_id ?? '', reason: 'Returned goods' });
      orders.refunded(attempt);
    });
  }

  return {
    async pay(order: Order, { card, pin }: { card: string; pin: string }): Promise<Outcome> {
      if (order.status !== 'open') return { is: 'done' };
      const attempt = orders.attempt(order.id, 'payment', card);
      return settle(attempt, async () => {
        const payment = await kissi.inApp.pay({
          ...merchant,
          request_id: attempt.request_id,
          card_serial: attempt.card ?? card,
          amount: order.amount,
          // The client encrypts it.
          pin,
          metadata: { order_id: order.id },
        });
        orders.paid(attempt, payment);
      });
    },

    async refund(order: Order): Promise<Outcome> {
      if (order.status !== 'paid') return { is: 'done' };
      return sendRefund(orders.attempt(order.id, 'refund', null), order);
    },

    /** At a start: refunds that the shop did not see the end of. Payments need the PIN, so their customers repeat them. */
    async finishRefunds(): Promise<void> {
      for (const order of orders.unknownRefunds()) await sendRefund(orders.attempt(order.id, 'refund', null), order);
    },
  };
}

/** Sentences for customers; the message of an error is for developers. */
function explain({ kind }: Attempt, { code, fields, requestId }: KissiRefusalError): string {
  if (kind === 'refund') return `The refund was refused (${code}, ${requestId}).`;
  switch (code) {
    case 'INVALID_PIN':
      return `The PIN is wrong. ${fields.attempts_remaining} attempts left.`;
    case 'INSUFFICIENT_BALANCE':
      return "There is not enough money in this card's wallet.";
    case 'CARD_NOT_FOUND':
      return 'This card does not exist. Check its number.';
    case 'CARD_BLOCKED':
    case 'SUBSCRIBER_BLOCKED':
      return 'This card is blocked. Please use a different card.';
    case 'DAILY_LIMIT_EXCEEDED':
      return 'This wallet has reached its daily limit. Please try again tomorrow.';
    default:
      return `The payment was refused (${code}, ${requestId}).`;
  }
}

function unknown(attempt: Attempt, { code, requestId }: KissiError): Outcome {
  process.stderr.write(`${attempt.kind} unknown: ${code} ${requestId ?? ''}\n`);
  return {
    is: 'unknown',
    message: `There was no reply, so the ${attempt.kind} may have been made. ${againOf(attempt)}`,
  };
}

const undecided = (attempt: Attempt) =>
  `The ${attempt.kind} that was sent before may still be made. ${againOf(attempt)}`;

const againOf = ({ kind }: Attempt) =>
  kind === 'payment' ? 'Enter the PIN again: you pay only once.' : 'Refund it again: it is made only once.';
