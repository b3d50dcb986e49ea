// Reads everything the ledger holds about one movement: its postings, the movements related to it, and its seal.
import { textArray } from '../../db/driver/binary-arrays.ts';
import { integer, integerOrNull, json, text, textOrNull } from '../../db/driver/columns.ts';
import { type Columns, onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { accruedIn, commissionAccountOf } from '../commission-accounts.ts';
import { chainOf } from '../seals/format.ts';
import { FEE_ACCOUNTS } from '../system-accounts.ts';
import { type Archives, createArchives } from './archives.ts';
import { type MovementEntry, movementEntryOf } from './movement-list.ts';

export interface MovementDetails extends MovementEntry {
  relatedId: string | null;
  details: Record<string, unknown>;
  /** Null: written by a version without seals, and not sealed since. */
  batch: number | null;
}

export interface MovementPosting {
  accountId: string;
  /** Signed. */
  amount: number;
  fee: number;
  balanceAfter: number;
}

export interface RelatedMovement {
  id: string;
  type: string;
  amount: number;
  at: Date;
}

export interface FollowUpSum {
  type: string;
  amount: number;
}

export interface MovementSeal {
  batch: number;
  chain: number;
  /** The number of the batch in its chain, from 1. */
  number: number;
  format: number;
  /** Hex. */
  mac: string;
  at: Date;
}

export interface MovementRecords {
  find(id: string): Promise<MovementDetails | null>;
  /** Why a movement is not found, if its time is archived. */
  archivedRefusal: Archives['refusalOf'];
  /** The payer's, the payee's, their commission accounts' and the fee income's, if there are any. */
  postings(movement: MovementDetails): Promise<MovementPosting[]>;
  /** The movement that this one refunds or reverses. */
  original(movement: MovementDetails): Promise<RelatedMovement | null>;
  /** Refunds and reversals of this movement, oldest first, at most 100. */
  followUps(movementId: string): Promise<RelatedMovement[]>;
  /** The sums of all refunds and reversals of this movement by type. */
  followUpSums(movementId: string): Promise<FollowUpSum[]>;
  seal(movement: MovementDetails): Promise<MovementSeal | null>;
}

const MAX_FOLLOW_UPS = 100;
/** Postings of a fee account that are searched for one movement: first a batch or two, then many seconds of payments. */
const NEAR = [2_000, 200_000];

export const MOVEMENT = statement(
  'movement-details',
  `select id, type, amount, fee, from_account, to_account, narration, request_id, reference, metadata::text, at,
    actor_type, actor_id, related_id, details, batch
  from movements where id = $1`,
  (columns) => ({
    ...movementEntryOf(columns),
    relatedId: textOrNull(columns[13]),
    details: json(columns[14]) as Record<string, unknown>,
    batch: integerOrNull(columns[15]),
  }),
);

// seq is the movement's time in microseconds, or a little more if the account was ahead of it.
export const POSTINGS_NEAR = onCitus(
  statement(
    'movement-postings',
    `select p.* from unnest($1::text[]) as wanted (account_id) cross join lateral (
    select account_id, amount, fee, balance_after from (
      select account_id, movement_id, amount, fee, balance_after from postings
      where account_id = wanted.account_id and seq >= $2 order by seq limit $4) near
    where near.movement_id = $3 limit 1) p`,
    ([accountId, amount, fee, balanceAfter]) => ({
      accountId: text(accountId),
      amount: integer(amount),
      fee: integer(fee),
      balanceAfter: integer(balanceAfter),
    }),
  ),
  // Within so many milliseconds instead of postings.
  `select account_id, amount, fee, balance_after from postings
  where account_id = any($1::text[]) and seq >= $2 and seq < $2::bigint + $4::bigint * 1000 and movement_id = $3
  order by array_position($1::text[], account_id)`,
);

const RELATED_COLUMNS = 'id, type, amount, (extract(epoch from at) * 1000)::bigint';
export const ORIGINAL = statement(
  'movement-original',
  `select ${RELATED_COLUMNS} from movements where id = $1`,
  relatedOf,
);
export const FOLLOW_UPS = statement(
  'movement-follow-ups',
  `select ${RELATED_COLUMNS} from movements where related_id is not null and related_id = $1 order by id limit $2`,
  relatedOf,
);

export const FOLLOW_UP_SUMS = statement(
  'movement-follow-up-sums',
  'select type, sum(amount)::bigint from movements where related_id is not null and related_id = $1 group by type order by type',
  ([type, amount]): FollowUpSum => ({ type: text(type), amount: integer(amount) }),
);

export const SEAL = statement(
  'movement-seal',
  `select batch, format, encode(mac, 'hex'), (extract(epoch from at) * 1000)::bigint from seals where batch = $1`,
  ([batch, format, mac, at]) => ({
    batch: integer(batch),
    chain: chainOf(integer(batch)),
    number: integer(batch) % 2 ** 32,
    format: integer(format),
    mac: text(mac),
    at: new Date(integer(at)),
  }),
);

export function createMovementRecords(pool: StatementRunner): MovementRecords {
  function near({ id, at }: MovementDetails, accounts: readonly string[], limit: number): Promise<MovementPosting[]> {
    return pool.run(POSTINGS_NEAR, [textArray([...accounts]), at.getTime() * 1_000, id, limit]);
  }

  /** Each gateway uses one of the fee accounts, and the movement does not say which. */
  async function feePosting(movement: MovementDetails): Promise<MovementPosting[]> {
    for (const limit of NEAR) {
      const found = await near(movement, FEE_ACCOUNTS, limit);
      if (found.length > 0) return found;
    }
    throw new Error(`the fee posting of ${movement.id} was not found`);
  }

  return {
    archivedRefusal: createArchives(pool).refusalOf,
    async find(id) {
      return (await pool.run(MOVEMENT, [id]))[0] ?? null;
    },
    async postings(movement) {
      const accounts = accountsOf(movement);
      const parties = await near(movement, accounts, Number.MAX_SAFE_INTEGER);
      if (parties.length !== accounts.length) {
        throw new Error(`movement ${movement.id} has ${parties.length} postings of its parties`);
      }
      const income = parties.reduce((sum, { amount }) => sum - amount, 0);
      return income === 0 ? parties : [...parties, ...(await feePosting(movement))];
    },
    async original({ relatedId }) {
      return relatedId === null ? null : ((await pool.run(ORIGINAL, [relatedId]))[0] ?? null);
    },
    followUps: (movementId) => pool.run(FOLLOW_UPS, [movementId, MAX_FOLLOW_UPS]),
    followUpSums: (movementId) => pool.run(FOLLOW_UP_SUMS, [movementId]),
    async seal({ batch }) {
      return batch === null ? null : ((await pool.run(SEAL, [batch]))[0] ?? null);
    },
  };
}

/** The parties' accounts. */
function accountsOf({ fromAccount, toAccount, details }: MovementDetails): string[] {
  const { payer, payee } = accruedIn(details);
  return [
    ...[fromAccount, toAccount],
    ...(payer === 0 ? [] : [commissionAccountOf(fromAccount)]),
    ...(payee === 0 ? [] : [commissionAccountOf(toAccount)]),
  ];
}

function relatedOf([id, type, amount, at]: Columns): RelatedMovement {
  return { id: text(id), type: text(type), amount: integer(amount), at: new Date(integer(at)) };
}
