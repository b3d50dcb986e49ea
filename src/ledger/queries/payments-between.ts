// What one account paid another, among its newest postings.
import { text } from '../../db/driver/columns.ts';
import { type StatementRunner, statement } from '../../db/driver/statement.ts';

export interface PaidBetween {
  /** Movements from the one to the other, newest first. */
  ids: string[];
  /** The payer has no more postings than were read. */
  complete: boolean;
}

export type PaymentsBetween = (payer: string, payee: string) => Promise<PaidBetween>;

/** Read within a few milliseconds. A customer with more of them is not known by all. */
const MOST_POSTINGS = 2_000;

// The postings, which an index has in order, lead to the movements by their primary key.
const BETWEEN = statement(
  'payments-between',
  `with p as materialized (select movement_id, seq from postings where account_id = $1 order by seq desc limit $3)
  select m.id, (select count(*) from p)::text from (select 1) one
  left join (select m.id, p.seq from p join movements m on m.id = p.movement_id
    where m.from_account = $1 and m.to_account = $2) m on true
  order by m.seq desc nulls last`,
  ([id, read]) => ({ id: id === null ? null : text(id), read: Number(text(read)) }),
);

export function createPaymentsBetween(runner: Pick<StatementRunner, 'run'>): PaymentsBetween {
  return async (payer, payee) => {
    const rows = await runner.run(BETWEEN, [payer, payee, MOST_POSTINGS + 1]);
    return {
      ids: rows.flatMap(({ id }) => (id === null ? [] : [id])),
      complete: (rows[0]?.read ?? 0) <= MOST_POSTINGS,
    };
  };
}
