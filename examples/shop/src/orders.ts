// Orders and their refunds, in SQLite. What is sent to Kissi is stored first.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export interface Order {
  /** Also the request_id of its payment request: asking again gets the same request. */
  id: string;
  item: string;
  /** Minor units. */
  amount: number;
  status: 'pending' | 'refunded' | PaymentStatus;
  /** Null: Kissi's reply is not known yet. */
  payment_request_id: string | null;
  /** Kissi's page for the payer. */
  payment_url: string | null;
  transaction_id: string | null;
}

/** How a payment request ends. */
export type PaymentStatus = 'paid' | 'declined' | 'expired' | 'cancelled';

/** What became of the payment request of an order. */
export interface Settlement {
  orderId: string;
  paymentRequestId: string;
  amount: number | null;
  status: PaymentStatus;
  transactionId: string | null;
}

export interface Refund {
  request_id: string;
  order_id: string;
  /** How often it was sent, with this time. */
  sends: number;
  /** Milliseconds since 1970: when it was last sent without an answer; null the first time. */
  previous_at: number | null;
}

const SCHEMA = `
  create table if not exists orders (
    id text primary key,
    item text not null,
    amount integer not null,
    status text not null default 'pending'
      check (status in ('pending', 'paid', 'declined', 'expired', 'cancelled', 'refunded')),
    payment_request_id text,
    payment_url text,
    transaction_id text
  ) strict;
  create table if not exists refunds (
    request_id text primary key,
    order_id text not null references orders,
    sends integer not null default 1,
    sent_at integer not null,
    outcome text not null default 'unknown' check (outcome in ('unknown', 'done', 'refused'))
  ) strict;
  -- As long as the outcome of a refund is unknown, its order has no other one.
  create unique index if not exists one_unknown on refunds (order_id) where outcome = 'unknown';
`;

export type Orders = ReturnType<typeof openOrders>;

export function openOrders(path: string, now = Date.now) {
  const db = new DatabaseSync(path);
  db.exec(SCHEMA);
  const get = <T>(sql: string, ...values: string[]) => db.prepare(sql).get(...values) as T | undefined;

  return {
    create(item: string, amount: number): string {
      const id = randomUUID();
      db.prepare('insert into orders (id, item, amount) values (?, ?, ?)').run(id, item, amount);
      return id;
    },

    find: (id: string) => get<Order>('select * from orders where id = ?', id),
    findByRequest: (id: string) => get<Order>('select * from orders where payment_request_id = ?', id),

    asked(orderId: string, { id, url }: { id: string; url: string }): void {
      const update = db.prepare('update orders set payment_request_id = ?, payment_url = ? where id = ?');
      update.run(id, url, orderId);
    },

    /**
     * True the first time: then the goods are sent. The webhook, its repeats and the customer who returns all come here,
     * in any order, and the webhook may come before the reply that names the payment request.
     */
    settle({ orderId, paymentRequestId, amount, status, transactionId }: Settlement): boolean {
      const update = db.prepare(`update orders set status = ?, transaction_id = ?, payment_request_id = ?
        where id = ? and amount = ? and status = 'pending' and coalesce(payment_request_id, ?) = ?`);
      const of = [orderId, amount, paymentRequestId, paymentRequestId];
      return update.run(status, transactionId, paymentRequestId, ...of).changes === 1;
    },

    /** The refund whose outcome is unknown, if there is one: it is repeated before a new one is made. */
    refund(orderId: string): Refund {
      const unknown = get<Refund & { sent_at: number }>(
        `select * from refunds where order_id = ? and outcome = 'unknown'`,
        orderId,
      );
      if (unknown) {
        const repeat = 'update refunds set sends = sends + 1, sent_at = ? where request_id = ?';
        db.prepare(repeat).run(now(), unknown.request_id);
        return { ...unknown, sends: unknown.sends + 1, previous_at: unknown.sent_at };
      }
      const request_id = randomUUID();
      const insert = db.prepare('insert into refunds (request_id, order_id, sent_at) values (?, ?, ?)');
      insert.run(request_id, orderId, now());
      return { request_id, order_id: orderId, sends: 1, previous_at: null };
    },

    /** The orders whose refund has an unknown outcome. */
    unknownRefunds: () =>
      db
        .prepare(`select * from orders where id in (select order_id from refunds where outcome = 'unknown')`)
        .all() as unknown as Order[],

    /** The outcome of a refund and the new state of its order are stored together. */
    refunded({ request_id, order_id }: Refund): void {
      db.exec('begin immediate');
      try {
        db.prepare(`update refunds set outcome = 'done' where request_id = ?`).run(request_id);
        db.prepare(`update orders set status = 'refunded' where id = ?`).run(order_id);
        db.exec('commit');
      } catch (error) {
        db.exec('rollback');
        throw error;
      }
    },

    /** False if it has been sent again: then that attempt's outcome counts. */
    refused({ request_id, sends }: Refund): boolean {
      const update = db.prepare(
        `update refunds set outcome = 'refused' where request_id = ? and sends = ? and outcome = 'unknown'`,
      );
      return update.run(request_id, sends).changes === 1;
    },
  };
}
