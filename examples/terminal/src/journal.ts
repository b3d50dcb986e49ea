// The journal of the terminal, in SQLite: each sale and refund is written before it is sent, and closed with its outcome.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export interface Entry {
  request_id: string;
  kind: 'sale' | 'refund';
  /** Minor units. */
  amount: number;
  /** Sales only. PINs are never stored. */
  card: string | null;
  /** Refunds only: the payment. */
  original: string | null;
  /** Sent: the outcome is unknown, and the entry must be sent again. Left: the office finds out the outcome. */
  status: 'sent' | 'approved' | 'declined' | 'left';
  transaction_id: string | null;
  /** The code of the refusal. */
  code: string | null;
}

const SCHEMA = `
  create table if not exists journal (
    number integer primary key,
    request_id text not null unique,
    kind text not null,
    amount integer not null,
    card text,
    original text,
    status text not null default 'sent',
    transaction_id text,
    code text
  ) strict;
`;

export type Journal = ReturnType<typeof openJournal>;

export function openJournal(path: string) {
  const db = new DatabaseSync(path);
  db.exec(SCHEMA);
  const list = (where: string) =>
    db.prepare(`select * from journal ${where} order by number desc limit 20`).all() as unknown as Entry[];

  return {
    open(entry: Pick<Entry, 'kind' | 'amount' | 'card' | 'original'>): Entry {
      const { kind, amount, card, original } = entry;
      const request_id = randomUUID();
      db.prepare('insert into journal (request_id, kind, amount, card, original) values (?, ?, ?, ?, ?)').run(
        request_id,
        kind,
        amount,
        card,
        original,
      );
      return { ...entry, request_id, status: 'sent', transaction_id: null, code: null };
    },

    approve({ request_id }: Entry, transactionId: string): void {
      db.prepare(`update journal set status = 'approved', transaction_id = ? where request_id = ?`).run(
        transactionId,
        request_id,
      );
    },

    decline({ request_id }: Entry, code: string): void {
      db.prepare(`update journal set status = 'declined', code = ? where request_id = ?`).run(code, request_id);
    },

    leave({ request_id }: Entry): void {
      db.prepare(`update journal set status = 'left' where request_id = ?`).run(request_id);
    },

    /** The entry whose outcome is unknown. The terminal makes no other payment before it is closed. */
    unfinished: () => list(`where status = 'sent'`)[0] ?? null,

    last: () => list(''),
  };
}
