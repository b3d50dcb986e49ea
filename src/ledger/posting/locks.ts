// Locks the accounts and running totals of a batch, always in the same order, so that two batches cannot deadlock.
import { createHash } from 'node:crypto';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { bool, integer, integerOrNull, textsOrNone } from '../../db/driver/columns.ts';
import type { Connection } from '../../db/driver/connection.ts';
import { type Columns, onCitus, type Statement, statement } from '../../db/driver/statement.ts';
import type { BatchReads } from '../../db/keyed-lookup.ts';
import type { AccountKind } from '../account-kinds.ts';
import type { Account } from '../types.ts';
import type { LedgerEngine } from './engine.ts';

const ACCOUNT_COLUMNS = `id, balance, held, floor, ceiling, daily_limit, daily_used, daily_on, frozen, nullif(disabled_types, '{}'),
      nullif(barred, '{}'), last_seq, case when recent_seq = last_seq then recent else '' end,
      case when received_seq = last_seq then received else '' end, kind,
      (extract(epoch from reduced_until) * 1000)::bigint, reduced_floor, ctid`;

// LATERAL with LIMIT forces an index scan, even if the planner last saw the tables empty. The ids are sorted and locked
// in that order, so that two batches cannot deadlock. On Citus, which refuses both LATERAL and FOR UPDATE over several shards,
// each statement has the ids of one shard.
const LOCK_ACCOUNTS = onCitus(
  statement(
    'ledger-lock',
    `select a.* from unnest($1::text[]) as requested (id) cross join lateral (
    select ${ACCOUNT_COLUMNS} from accounts where id = requested.id limit 1 for update) a`,
    accountOf,
  ),
  `select ${ACCOUNT_COLUMNS} from accounts where id = any($1::text[]) order by id for update`,
);

/**
 * The same for accounts that other rows name, such as the wallet of a card. They are read in the same round trip: if a row
 * changes in between, its new account is not locked, and the payment takes the careful path.
 */
function lockNamed(named: ReturnType<BatchReads['naming']>): Statement<Account> {
  const key = named.map(([lookup]) => lookup.name).join();
  const known = lockStatements.get(key);
  if (known) return known;
  const ids = named.map(([{ accounts }], index) => `select * from (${accounts?.(`$${index + 2}`)}) accounts_${index}`);
  const made = statement(
    // A digest of its look-ups: PostgreSQL compares only the first 63 bytes of a name.
    `ledger-lock-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`,
    `select a.* from (select distinct id from (
      ${['select unnest($1::text[]) collate "C"', ...ids].join(' union all ')}) all_named (id) order by id) requested
    cross join lateral (select ${ACCOUNT_COLUMNS} from accounts where id = requested.id limit 1 for update) a`,
    accountOf,
  );
  lockStatements.set(key, made);
  return made;
}

const lockStatements = new Map<string, Statement<Account>>();

const OPEN_ALLOWANCES = statement(
  'ledger-open-allowances',
  `insert into allowances (id, used) select id, 0 from unnest($1::text[]) as requested (id) on conflict do nothing`,
);

const LOCK_ALLOWANCES = onCitus(
  statement(
    'ledger-lock-allowances',
    `select a.* from unnest($1::text[]) as requested (id) cross join lateral (
    select id, used from allowances where id = requested.id limit 1 for update) a`,
    ([id, used]) => [id as string, integer(used)] as const,
  ),
  'select id, used from allowances where id = any($1::text[]) order by id for update',
);

/** By id. With `reads`, the accounts that their rows name are locked too. */
export async function lockAccounts(
  engine: LedgerEngine,
  connection: Connection,
  sortedIds: string[],
  reads: BatchReads | null,
): Promise<Map<string, Account>> {
  const named = reads?.naming() ?? [];
  if (named.length > 0) {
    const keys = named.map(([, keys]) => textArray(keys));
    return byId(await connection.run(lockNamed(named), [textArray(sortedIds), ...keys]));
  }
  const groups = engine.group(sortedIds, (id) => id);
  const locked = await Promise.all(groups.map((ids) => connection.run(LOCK_ACCOUNTS, [textArray(ids)])));
  return byId(locked.flat());
}

function byId(accounts: readonly Account[]): Map<string, Account> {
  return new Map(accounts.map((account) => [account.id, account]));
}

function accountOf(row: Columns): Account {
  const [id, balance, held, floor, ceiling, dailyLimit, dailyUsed, dailyOn, frozen, types, cards, lastSeq, ...rest] =
    row;
  const [recent, received, kind, reducedUntil, reducedFloor, ctid] = rest;
  return {
    id: id as string,
    kind: kind as AccountKind,
    balance: integer(balance),
    held: integer(held),
    floor: integerOrNull(floor),
    ceiling: integerOrNull(ceiling),
    dailyLimit: integerOrNull(dailyLimit),
    dailyUsed: integer(dailyUsed),
    dailyOn: integer(dailyOn),
    frozen: bool(frozen),
    disabledTypes: textsOrNone(types),
    blockedCards: textsOrNone(cards),
    lastSeq: integer(lastSeq),
    recent: recent as string,
    received: received as string,
    reducedUntil: integerOrNull(reducedUntil),
    reducedFloor: integerOrNull(reducedFloor),
    ctid: ctid ?? '',
  };
}

/** Locks allowances in sorted order, after the accounts. Those to be opened are created if they are missing. */
export async function lockAllowances(
  engine: LedgerEngine,
  connection: Connection,
  { existing, opened }: { existing: readonly string[]; opened: readonly string[] },
): Promise<Map<string, number>> {
  if (existing.length + opened.length === 0) return new Map();
  const missing = new Set(opened);
  const groups = engine.group([...new Set([...existing, ...opened])].sort(), (id) => id);
  const locked = groups.map(async (group) => {
    const values = [textArray(group.filter((id) => missing.has(id)))];
    const [, used] = await Promise.all([
      missing.size > 0 ? connection.run(OPEN_ALLOWANCES, values) : null,
      connection.run(LOCK_ALLOWANCES, [textArray(group)]),
    ]);
    return used;
  });
  return new Map((await Promise.all(locked)).flat());
}
