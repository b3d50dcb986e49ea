// Storage of look-ups: the places that a key or an agent has taken, and those that a payment freed.
import { textArray } from '../db/driver/binary-arrays.ts';
import { integer, text } from '../db/driver/columns.ts';
import type { ConnectionPool } from '../db/driver/pool.ts';
import { statement } from '../db/driver/statement.ts';

export type LookupPool = Pick<ConnectionPool, 'run' | 'execute' | 'using'>;

export interface Lookup {
  /** Who shares the places: the API key, all own keys of a processor, or the agent. */
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

export interface PlaceLimits {
  places: number;
  misses: number;
  /** Whether what was not found takes a place too, and not only counts as a miss. */
  missesTakePlaces: boolean;
}

/** Distinct targets, this look-up included. */
export interface Places {
  /** In the window, by the subject. */
  taken: number;
  /** When the oldest of them was taken. */
  oldestAt: number;
  /** In the window, by the owner. */
  missed: number;
  /** On the day, by the owner. */
  unpaid: number;
}

/** The cards that are compared with payments at once. */
const COMPARED = 600;

/** One look-up of an owner at a time, on all gateways. */
const LOOKUP_LOCKS = 7_003;
const LOCK_OWNER = statement('lock-lookups', `select pg_advisory_xact_lock(${LOOKUP_LOCKS}, hashtext($1))`);

// Only what is answered takes a place, except for the first miss too many: from then on hits are refused as well. A guesser
// would otherwise tell them apart.
const TAKE = statement(
  'take-lookup',
  `with sought as materialized (select distinct target from unnest($3::text[]) as named (target)),
  known as materialized (select target, found, at from lookups
    where subject = $1 and at > $6::timestamptz and not paid),
  counted as materialized (select
    (select count(*) from (select target, found from known union select target, $4::boolean from sought) place
      where found or $10::boolean) as taken,
    (select count(*) from (select target from lookups
        where owner_id = $2 and at > $6::timestamptz and not paid and not found
      union select target from sought where not $4::boolean) miss) as missed,
    (select count(*) from (select target from lookups where owner_id = $2 and at >= $7::timestamptz and not paid
      union select target from sought) today) as unpaid,
    (select coalesce(min(at), $5::timestamptz) from known) as oldest),
  added as (insert into lookups (subject, owner_id, target, found, at)
    select $1, $2, target, $4::boolean, $5::timestamptz from sought, counted
    where taken <= $8::bigint and (missed <= $9::bigint or (missed = $9::bigint + 1 and not $4::boolean))
      and not exists (select 1 from known where known.target = sought.target and known.found = $4::boolean))
  select taken, missed, unpaid, (extract(epoch from oldest) * 1000)::bigint from counted`,
  ([taken, missed, unpaid, oldest]): Places => ({
    taken: integer(taken),
    missed: integer(missed),
    unpaid: integer(unpaid),
    oldestAt: integer(oldest),
  }),
);

/** A sub-agent that was registered after the instant has no places of its own. */
const PLACES_OF_AGENT = statement(
  'lookup-places-of-agent',
  `select coalesce(parent_agent_id, id) from agents where id = $1 and created_at > $2::timestamptz`,
  ([id]) => text(id),
);

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

export function createLookupStore(pool: LookupPool) {
  return {
    /** Counts and takes the places in one transaction, so that no look-up relies on a place that is not kept. */
    async take({ subject, owner, targets, found }: Lookup, when: Periods, limits: PlaceLimits): Promise<Places> {
      const instants = [when.now, when.windowStart, when.dayStart].map((instant) => new Date(instant));
      const { places: most, misses, missesTakePlaces } = limits;
      const values = [subject, owner, textArray(targets), found, ...instants, most, misses, missesTakePlaces];
      const [, , [places]] = await pool.using((connection) =>
        connection.pipeline(() =>
          Promise.all([
            connection.begin(),
            connection.run(LOCK_OWNER, [owner]),
            connection.run(TAKE, values),
            connection.commit(),
          ]),
        ),
      );
      if (!places) throw new Error('the look-ups were not counted');
      return places;
    },
    /** The agent, or the super-agent whose places it shares. */
    async sharing(agent: string, newSince: number): Promise<string> {
      const [shared = agent] = await pool.run(PLACES_OF_AGENT, [agent, new Date(newSince)]);
      return shared;
    },
    unpaidCards: (owner: string, since: number) => pool.run(UNPAID, [owner, new Date(since)]),
    markPaid: (owner: string, targets: readonly string[], since: number) =>
      pool.execute(MARK_PAID, [owner, textArray(targets), new Date(since)]),
    prune: (before: number) => pool.execute(PRUNE, [new Date(before), PRUNE_CHUNK]),
  };
}
