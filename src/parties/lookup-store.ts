// Storage of look-ups: the places that a key or an agent has taken, and those that a payment freed.
import { textArray } from '../db/driver/binary-arrays.ts';
import { integer, integerOrNull, text } from '../db/driver/columns.ts';
import { type StatementRunner, statement } from '../db/driver/statement.ts';

export interface Lookup {
  /** The API key, or the agent. */
  subject: string;
  /** The processor of the key, otherwise the subject. */
  owner: string;
  targets: readonly string[];
  found: boolean;
}

/** Instants in milliseconds. */
export interface Periods {
  now: number;
  /** Places taken before it are free. */
  windowStart: number;
  dayStart: number;
}

/** Distinct targets. */
export interface Places {
  /** In the window, by the subject. */
  found: number;
  missed: number;
  /** When the oldest of them was taken; null without one. */
  oldestAt: number | null;
  /** In the window, by the owner. */
  ownerMissed: number;
  /** On the day, by the owner; at most COUNTED_PER_DAY. */
  unpaid: number;
}

const COUNTED_PER_DAY = 1_000;
/** The cards that are compared with payments at once. */
const COMPARED = 600;

const TAKE = statement(
  'take-lookup',
  `insert into lookups (subject, owner_id, target, found, at)
  select $1, $2, sought.target, $4::boolean, $5::timestamptz from unnest($3::text[]) as sought (target)
  where not exists (select 1 from lookups known where known.subject = $1 and known.target = sought.target
    and known.found = $4::boolean and known.at > $6::timestamptz and not known.paid)
  returning id`,
  ([id]) => text(id),
);

const COUNT = statement(
  'count-lookups',
  `select own.found, own.missed, own.oldest,
    (select count(distinct target) from lookups where owner_id = $2 and at > $3::timestamptz and not paid and not found),
    (select count(distinct target) from (select target from lookups where owner_id = $2 and at >= $4::timestamptz
      and not paid limit ${COUNTED_PER_DAY}) today)
  from (select count(distinct target) filter (where found) as found,
      count(distinct target) filter (where not found) as missed,
      (extract(epoch from min(at)) * 1000)::bigint as oldest
    from lookups where subject = $1 and at > $3::timestamptz and not paid) own`,
  ([found, missed, oldest, ownerMissed, unpaid]): Places => ({
    found: integer(found),
    missed: integer(missed),
    oldestAt: integerOrNull(oldest),
    ownerMissed: integer(ownerMissed),
    unpaid: integer(unpaid),
  }),
);

const GIVE_BACK = statement('give-back-lookups', 'delete from lookups where id = any ($1::text[]::bigint[])');

const UNPAID = statement(
  'unpaid-lookups',
  `select target, (extract(epoch from at) * 1000)::bigint from lookups
  where owner_id = $1 and at >= $2::timestamptz and not paid and starts_with(target, 'card:')
  order by at desc limit ${COMPARED}`,
  ([target, at]) => ({ target: text(target), at: integer(at) }),
);

const MARK_PAID = statement(
  'mark-lookups-paid',
  `update lookups set paid = true where owner_id = $1 and at >= $3::timestamptz and not paid and target = any ($2::text[])`,
);

const PRUNE = statement(
  'prune-lookups',
  `delete from lookups where id = any (array(
    select id from lookups where at < $1::timestamptz order by at limit $2 for update skip locked))`,
);
const PRUNE_CHUNK = 5_000;

export type LookupStore = ReturnType<typeof createLookupStore>;

/**
 * A place is taken, in a transaction of its own, before the places are counted. Of concurrent look-ups at the limit the
 * last to be counted sees all others, so that no more are answered than allowed; both may be refused.
 */
export function createLookupStore(pool: StatementRunner) {
  return {
    /** The ids of the new places; empty for what was looked up before in the window. */
    take: ({ subject, owner, targets, found }: Lookup, { now, windowStart }: Periods): Promise<string[]> =>
      pool.run(TAKE, [subject, owner, textArray(targets), found, new Date(now), new Date(windowStart)]),
    async count({ subject, owner }: Lookup, { windowStart, dayStart }: Periods): Promise<Places> {
      const [places] = await pool.run(COUNT, [subject, owner, new Date(windowStart), new Date(dayStart)]);
      if (!places) throw new Error('the look-ups were not counted');
      return places;
    },
    giveBack: (ids: readonly string[]) => pool.execute(GIVE_BACK, [textArray(ids)]),
    unpaidCards: (owner: string, since: number) => pool.run(UNPAID, [owner, new Date(since)]),
    markPaid: (owner: string, targets: readonly string[], since: number) =>
      pool.execute(MARK_PAID, [owner, textArray(targets), new Date(since)]),
    prune: (before: number) => pool.execute(PRUNE, [new Date(before), PRUNE_CHUNK]),
  };
}
