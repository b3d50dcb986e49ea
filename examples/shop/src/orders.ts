// Orders and their attempts to move money, in SQLite. An attempt is stored before it is sent.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export interface Order {
  id: string;
  item: string;
  /** Minor units. */
  amount: number;
  status: 'open' | 'paid' | 'refunded';
  /** The payment's. */
  transaction_id: string | null;
  receipt: string | null;
}

export interface Attempt {
  request_id: string;
  order_id: string;
  kind: 'payment' | 'refund';
  /** Null for refunds. A PIN is never stored. */
  card: string | null;
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
    status text not null default 'open',
    transaction_id text,
    receipt text
  ) strict;
  create table if not exists attempts (
    request_id text primary key,
    order_id text not null references orders,
    kind text not null,
    card text,
    sends integer not null default 1,
    sent_at integer not null,
    outcome text not null default 'unknown' check (outcome in ('unknown', 'done', 'refused'))
  ) strict;
  -- As long as the outcome of an attempt is unknown, an order has no other one.
  create unique index if not exists one_unknown on attempts (order_id) where outcome = 'unknown';
`;

export type Orders = ReturnType<typeof openOrders>;

export function openOrders(path: string, now = Date.now) {
  const db = new DatabaseSync(path);
  db.exec(SCHEMA);
  const get = <T>(sql: string, ...values: string[]) => db.prepare(sql).get(...values) as T | undefined;

  const unknownAttempt = (orderId: string) =>
    get<Attempt & { sent_at: number }>(`select * from attempts where order_id = ? and outcome = 'unknown'`, orderId);

  /** The outcome of an attempt and the new state of its order are stored together. */
  function complete({ request_id, order_id }: Attempt, changeOrder: (orderId: string) => void): void {
    db.exec('begin immediate');
    try {
      db.prepare(`update attempts set outcome = 'done' where request_id = ?`).run(request_id);
      changeOrder(order_id);
      db.exec('commit');
    } catch (error) {
      db.exec('rollback');
      throw error;
    }
  }

  return {
    unknownAttempt,

    create(item: string, amount: number): string {
      const id = randomUUID();
      db.prepare('insert into orders (id, item, amount) values (?, ?, ?)').run(id, item, amount);
      return id;
    },

    find: (id: string) => get<Order>('select * from orders where id = ?', id),

    /** The attempt whose outcome is unknown, if there is one: it is repeated before a new one is made. */
    attempt(orderId: string, kind: Attempt['kind'], card: string | null): Attempt {
      const unknown = unknownAttempt(orderId);
      if (unknown) {
        const repeat = 'update attempts set sends = sends + 1, sent_at = ? where request_id = ?';
        db.prepare(repeat).run(now(), unknown.request_id);
        return { ...unknown, sends: unknown.sends + 1, previous_at: unknown.sent_at };
      }
      const request_id = randomUUID();
      const insert = db.prepare(
        'insert into attempts (request_id, order_id, kind, card, sent_at) values (?, ?, ?, ?, ?)',
      );
      insert.run(request_id, orderId, kind, card, now());
      return { request_id, order_id: orderId, kind, card, sends: 1, previous_at: null };
    },

    /** The orders whose refund has an unknown outcome. */
    unknownRefunds: () =>
      db
        .prepare(
          `select * from orders where id in (select order_id from attempts where kind = 'refund' and outcome = 'unknown')`,
        )
        .all() as unknown as Order[],

    paid(attempt: Attempt, { transaction_id, receipt }: { transaction_id: string; receipt: string }): void {
      const update = db.prepare(`update orders set status = 'paid', transaction_id = ?, receipt = ? where id = ?`);
      complete(attempt, (orderId) => update.run(transaction_id, receipt, orderId));
    },

    refunded(attempt: Attempt): void {
      const update = db.prepare(`update orders set status = 'refunded' where id = ?`);
      complete(attempt, (orderId) => update.run(orderId));
    },

    /** False if it has been sent again: then that attempt's outcome counts. */
    refused({ request_id, sends }: Attempt): boolean {
      const update = db.prepare(
        `update attempts set outcome = 'refused' where request_id = ? and sends = ? and outcome = 'unknown'`,
      );
      return update.run(request_id, sends).changes === 1;
    },
  };
}
