// Which cards were used with the right PIN, from the card payments: payments themselves write nothing for it.
import { textArray } from '../../db/driver/binary-arrays.ts';
import { integer, text } from '../../db/driver/columns.ts';
import { onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { sqlType } from '../movement-types.ts';

export interface PaidCards {
  /** The cards that have paid since then: to this processor, or through this key. */
  among(cards: readonly { serial: string; since: number }[], owner: string): Promise<string[]>;
  /** How many distinct cards paid through the key since then, or to the processor; among the newest payments. */
  count(through: PaidThrough, since: number): Promise<number>;
}

export interface PaidThrough {
  /** Null: any key of the processor. */
  keyId: string | null;
  processorId: string | null;
}

const CARD_PAYMENT = `type = ${sqlType('pos_payment')}`;
const SERIAL = `(details ->> 'card_serial') collate "C"`;

// LATERAL with LIMIT forces an index scan, even if the planner last saw the table empty.
const AMONG = onCitus(
  statement(
    'paid-cards-among',
    `select requested.serial from unnest($1::text[], $2::text[]) as requested (serial, since)
  cross join lateral (
    select id from movements where ${CARD_PAYMENT} and ${SERIAL} = requested.serial and id >= requested.since
      and (to_account = $3 or actor_id = $3) limit 1) paid`,
    ([serial]) => text(serial),
  ),
  `select distinct requested.serial from unnest($1::text[], $2::text[]) as requested (serial, since)
  join movements on ${CARD_PAYMENT} and ${SERIAL} = requested.serial and id >= requested.since
    and (to_account = $3 or actor_id = $3)
  where ${SERIAL} = any ($1::text[])`,
);

/** A busy key has more payments in an hour; for what the count decides, these are enough. */
const NEWEST = 2_000;

const BY_KEY = '($1::text is null or actor_id = $1)';

/** For a processor: its postings, by their index. */
const COUNT_OF_PROCESSOR = onCitus(
  statement(
    'paid-cards-of-processor',
    `select count(distinct m.serial) from (
    select movement_id from postings where account_id = $2 and seq >= $3::bigint order by seq desc limit ${NEWEST}) p
  cross join lateral (select ${SERIAL} as serial from movements
    where id = p.movement_id and ${CARD_PAYMENT} and ${BY_KEY} limit 1) m`,
    ([count]) => integer(count),
  ),
  `with p as materialized (select movement_id from postings where account_id = $2 and seq >= $3::bigint
    order by seq desc limit ${NEWEST})
  select count(distinct m.serial) from (select ${SERIAL} as serial from p join movements on id = p.movement_id
    where ${CARD_PAYMENT} and ${BY_KEY}) m`,
);

/** For a key without a processor: the newest movements of all. */
const COUNT_OF_KEY = statement(
  'paid-cards-of-key',
  `select count(distinct serial) from (
    select ${SERIAL} as serial, type, actor_id from movements where id >= $2 order by id desc limit ${NEWEST}) m
  where ${CARD_PAYMENT} and actor_id = $1`,
  ([count]) => integer(count),
);

const MICROSECONDS = 1_000;

export function createPaidCards(pool: StatementRunner): PaidCards {
  return {
    async among(cards, owner) {
      if (cards.length === 0) return [];
      const since = cards.map((card) => firstIdAt('txn', card.since));
      return pool.run(AMONG, [textArray(cards.map(({ serial }) => serial)), textArray(since), owner]);
    },
    async count({ keyId, processorId }, since) {
      const [count = 0] = await (processorId === null
        ? pool.run(COUNT_OF_KEY, [keyId, firstIdAt('txn', since)])
        : pool.run(COUNT_OF_PROCESSOR, [keyId, processorId, since * MICROSECONDS]));
      return count;
    },
  };
}
