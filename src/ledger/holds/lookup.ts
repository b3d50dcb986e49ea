// Reads holds: one by its id with how it ended, and what a batch must know of them under its locks.
import { batchLoader, type Load } from '../../db/batch-loader.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import {
  type Decoded,
  integer,
  integerOrNull,
  json,
  record,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
} from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';
import type { ActiveHolds } from '../batch-state.ts';
import type { MovementType } from '../movement-types.ts';
import type { Account, EndedHold, MovementActor } from '../types.ts';
import { type Run, singleRun } from '../velocity/activity-window.ts';
import { drawsOf, type HoldOutcome, type HoldPurpose, isDrawn } from './tables.ts';

const HOLD = {
  id: text,
  account_id: text,
  payee_id: text,
  purpose: text<HoldPurpose>,
  type: text<MovementType>,
  amount: integer,
  reserved: integer,
  daily_use: integer,
  daily_on: integer,
  expires_at: timestamp,
  details: json<Record<string, unknown>>,
  prices: json<unknown>,
  narration: textOrNull,
  metadata: textOrNull,
  request_id: textOrNull,
  actor_type: text<MovementActor['type']>,
  actor_id: text,
  at: timestamp,
};
const END = {
  outcome: textOrNull<HoldOutcome>,
  captured: integerOrNull,
  end_id: textOrNull,
  ended_at: timestampOrNull,
};

/** A hold, and how it ended: null if it has not. */
export type Hold = Decoded<typeof HOLD & typeof END>;

export const HOLD_COLUMNS = `${Object.keys(HOLD)
  .map((name) => `h.${name}`)
  .join(', ')}, e.outcome, e.captured, e.id as end_id, e.at as ended_at`;
export const holdOf = record({ ...HOLD, ...END });

// Lateral with a limit, as for all look-ups.
const BY_ID = statement(
  'hold-by-id',
  `select ${HOLD_COLUMNS} from unnest($1::text[]) as requested (id)
  cross join lateral (select * from holds where id = requested.id limit 1) h
  left join lateral (select * from hold_ends where hold_id = h.id limit 1) e on true`,
  holdOf,
);

export function holdById(reader: Reader): Load<string, Hold | null> {
  return batchLoader({
    async fetch(ids: string[]) {
      const found = new Map((await reader.run(BY_ID, [textArray(ids)])).map((hold) => [hold.id, hold]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });
}

const DRAWN = onCitus(
  statement(
    'holds-drawn',
    `select a.* from unnest($1::text[]) as requested (id) cross join lateral (
    select id, used from allowances where id = requested.id limit 1) a`,
    ([id, used]) => [text(id), integer(used)] as const,
  ),
  'select id, used from allowances where id = any($1::text[])',
);

/** What payments have drawn from a hold. */
export function drawnFrom(reader: Reader): Load<string, number> {
  return batchLoader({
    async fetch(ids: string[]) {
      const found = new Map(await reader.run(DRAWN, [textArray(ids.map(drawsOf))]));
      return ids.map((id) => found.get(drawsOf(id)) ?? 0);
    },
  });
}

/** The effect of capturing this much of a hold, or nothing. */
export function endedHold(hold: Hold, captured: number): EndedHold {
  const { id, account_id, purpose, reserved, daily_use, daily_on } = hold;
  const givenBack = daily_use > 0 ? daily_use - captured : 0;
  const ended = { id, accountId: account_id, reserved, givenBack, day: daily_on };
  return isDrawn(purpose) ? { ...ended, draws: drawsOf(id) } : ended;
}

// In the order of expiry, so that an account's holds are found by one of two indexes.
const DUE = statement(
  'holds-due',
  `select ${HOLD_COLUMNS} from (select * from holds where not ended and expires_at <= $1 order by expires_at limit $2) h
  left join hold_ends e on e.hold_id = h.id`,
  holdOf,
);

const DUE_OF_ACCOUNT = statement(
  'holds-due-of-account',
  `select ${HOLD_COLUMNS} from (select * from holds where account_id = $3 and not ended and expires_at <= $1 limit $2) h
  left join hold_ends e on e.hold_id = h.id`,
  holdOf,
);

/** Holds that have expired and still reserve money, of one account or of all. */
export function dueHolds(reader: Reader, now: number, most: number, accountId?: string): Promise<Hold[]> {
  if (accountId === undefined) return reader.run(DUE, [new Date(now), most]);
  return reader.run(DUE_OF_ACCOUNT, [new Date(now), most, accountId]);
}

const ENDED = statement(
  'ledger-ended-holds',
  `select h.id from unnest($1::text[]) as requested (id)
  cross join lateral (select id from holds where id = requested.id and ended limit 1) h`,
  ([id]) => text(id),
);

/** Those of the holds that have ended. Their accounts are locked, so the answer stays true. */
export async function endedHolds(runner: StatementRunner, ids: readonly string[]): Promise<Set<string>> {
  return new Set(ids.length === 0 ? [] : await runner.run(ENDED, [textArray([...ids])]));
}

const ACTIVE = statement(
  'ledger-active-holds',
  `select h.* from unnest($1::text[]) as requested (id) cross join lateral (
    select account_id, id, type, amount, (extract(epoch from at) * 1000)::bigint as at from holds
    where account_id = requested.id and not ended and purpose <> 'bulk' offset 0) h`,
  ([account, id, type, amount, at]) => ({
    account: text(account),
    id: text(id),
    run: singleRun(text(type), integer(at), integer(amount)),
  }),
);

/** The active holds that count as payments, of the locked accounts that have any; undefined: none has. */
export async function activeHolds(
  runner: StatementRunner,
  accounts: ReadonlyMap<string, Account>,
): Promise<ActiveHolds | undefined> {
  const holders: string[] = [];
  for (const { id, held } of accounts.values()) if (held > 0) holders.push(id);
  if (holders.length === 0) return undefined;
  const found = new Map<string, Map<string, Run>>(holders.map((id) => [id, new Map()]));
  for (const { account, id, run } of await runner.run(ACTIVE, [textArray(holders)])) found.get(account)?.set(id, run);
  return found;
}
