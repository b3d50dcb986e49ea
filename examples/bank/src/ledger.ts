// The bank's own ledger, in SQLite: transfers to wallets, what was debited and given back for them, and webhook events.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { WebhookEvent } from '@kissi/client';

export interface Order {
  msisdn: string;
  /** Minor units. */
  amount: number;
  narration: string;
}

export interface Transfer extends Order {
  /** Identifies the transfer at the bank and at Kissi. */
  reference: string;
  /** Sending: the outcome is not known yet. */
  status: 'SENDING' | 'COMPLETED' | 'FAILED' | 'REVERSED';
  transaction_id: string | null;
  failure_code: string | null;
  created_at: string;
}

export interface Result {
  status: Transfer['status'];
  transaction_id?: string | null;
  failure_code?: string | null;
}

const SCHEMA = `
  create table if not exists transfers (
    reference text primary key,
    msisdn text not null,
    amount integer not null,
    narration text not null,
    status text not null default 'SENDING',
    transaction_id text,
    failure_code text,
    created_at text not null
  ) strict;
  -- What the customer's account was debited (negative) and given back (positive).
  create table if not exists postings (
    reference text not null references transfers,
    kind text not null check (kind in ('debit', 'return')),
    amount integer not null,
    primary key (reference, kind)
  ) strict;
  -- The event id is not signed, the body is: a second event of the same kind for a credit is a repetition.
  create table if not exists events (
    id text primary key,
    event text not null,
    inbound_id text not null,
    reference text not null,
    unique (event, inbound_id)
  ) strict;
`;

/** A status changes in this direction only: webhooks and replies can arrive in any order. */
const RANK = { SENDING: 0, FAILED: 1, COMPLETED: 1, REVERSED: 2 };

export type Ledger = ReturnType<typeof openLedger>;

export function openLedger(path: string) {
  const db = new DatabaseSync(path);
  db.exec(SCHEMA);

  function inTransaction<T>(work: () => T): T {
    db.exec('begin immediate');
    try {
      const result = work();
      db.exec('commit');
      return result;
    } catch (error) {
      db.exec('rollback');
      throw error;
    }
  }

  const find = (reference: string) =>
    db.prepare('select * from transfers where reference = ?').get(reference) as Transfer | undefined;

  const post = (reference: string, kind: 'debit' | 'return', amount: number) =>
    db.prepare('insert into postings (reference, kind, amount) values (?, ?, ?)').run(reference, kind, amount);

  function apply(reference: string, { status, transaction_id = null, failure_code = null }: Result): void {
    const transfer = find(reference);
    if (!transfer || RANK[status] <= RANK[transfer.status]) return;
    db.prepare(
      'update transfers set status = ?, transaction_id = coalesce(?, transaction_id), failure_code = ? where reference = ?',
    ).run(status, transaction_id, failure_code, reference);
    // The customer gets the money back, once: the primary key of postings refuses a second time.
    if (status !== 'COMPLETED') post(reference, 'return', transfer.amount);
  }

  return {
    find,

    /** Debits the customer and stores the reference, before anything is sent. */
    begin(order: Order): Transfer {
      const reference = randomUUID();
      inTransaction(() => {
        db.prepare(
          'insert into transfers (reference, msisdn, amount, narration, created_at) values (?, ?, ?, ?, ?)',
        ).run(reference, order.msisdn, order.amount, order.narration, new Date().toISOString());
        post(reference, 'debit', -order.amount);
      });
      return find(reference) as Transfer;
    },

    settle: (reference: string, result: Result) => inTransaction(() => apply(reference, result)),

    /** Records the event and its effect together. False: the event was processed before. */
    receive: ({ id, event, inbound_id, reference, ...rest }: WebhookEvent) =>
      inTransaction(() => {
        const inserted = db
          .prepare('insert or ignore into events (id, event, inbound_id, reference) values (?, ?, ?, ?)')
          .run(id, event, inbound_id, reference);
        if (inserted.changes === 0) return false;
        apply(reference, { ...rest, status: STATUS_OF[event] });
        return true;
      }),

    transfers: () => db.prepare('select * from transfers order by created_at').all() as unknown as Transfer[],

    unsettled: () =>
      db.prepare(`select * from transfers where status = 'SENDING' order by created_at`).all() as unknown as Transfer[],

    hasEvent: (reference: string) =>
      db.prepare('select 1 from events where reference = ?').get(reference) !== undefined,

    /** What customers paid in total: debits less returns. */
    paid: () => Number(db.prepare('select -coalesce(sum(amount), 0) as paid from postings').get()?.paid),
  };
}

const STATUS_OF = {
  'credit.completed': 'COMPLETED',
  'credit.failed': 'FAILED',
  'credit.reversed': 'REVERSED',
} as const;
