// The trial balance: the sums of all balances by kind of account, now or at an earlier instant.
import { integer, text, textOrNull } from '../../db/driver/columns.ts';
import { onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import type { AccountKind } from '../account-kinds.ts';
import { accruedSql } from '../commission-accounts.ts';
import type { Rollups } from './rollups.ts';

export interface TrialBalance {
  now(): Promise<Map<AccountKind, number>>;
  /** After all movements before the instant, in milliseconds. Exact: the last hour is summed from its movements. */
  before(at: number): Promise<Map<AccountKind, number>>;
}

/** Movements summed by one statement: a few ten milliseconds. */
const PAGE = 10_000;
/** Ids are created at most this long before their movement is posted, or after it if clocks differ. */
const ID_LEAD_MS = MINUTE_MS;

const POSTED = (account: string) => `(select p.amount from postings p where p.account_id = ${account}
    and p.seq >= page.micros and p.movement_id = page.id order by p.seq limit 1)`;
const KIND = (account: string) => `(select kind from accounts where id = page.${account})`;
const MOVEMENTS = `page as materialized (
    select id, from_account, to_account, (extract(epoch from at) * 1000000)::bigint as micros,
      ${accruedSql('payer')} + ${accruedSql('payee')} as accrued from movements m
    where id > $1 and id < $2 and at >= $3 and at < $4 order by id limit ${PAGE})`;
const SUMS = (changes: string) => `
  select kind, sum(change), (select max(id) from page), (select count(*) from page) from (${changes}) as changes (kind, change)
  group by kind`;

// Each movement has postings of payer and payee. What it accrues is on commission accounts, and the rest is fee income
// (ledger:verify proves it).
export const CHANGES = onCitus(
  statement(
    'trial-balance-changes',
    `with ${MOVEMENTS},
  posted as materialized (
    select ${POSTED('page.from_account')} as paid, ${POSTED('page.to_account')} as received, ${KIND('from_account')} as payer,
      ${KIND('to_account')} as payee, accrued from page)
  ${SUMS(`select payer, paid from posted union all select payee, received from posted
    union all select 'agent_commission', accrued from posted where accrued <> 0
    union all select 'fee_income', -paid - received - accrued from posted`)}`,
    ([kind, change, last, count]) => ({
      kind: text<AccountKind>(kind),
      change: integer(change),
      last: textOrNull(last),
      count: integer(count),
    }),
  ),
  // The posting of a payer or payee is on the shard of its account.
  `with ${MOVEMENTS},
  sides as materialized (select id, micros, from_account as account_id from page
    union all select id, micros, to_account from page),
  posted as materialized (select a.kind, ${POSTED('a.id')} as amount from sides page join accounts a on a.id = page.account_id)
  ${SUMS(`select kind, amount from posted union all select 'fee_income', -amount from posted
    union all select 'agent_commission', accrued from page where accrued <> 0
    union all select 'fee_income', -accrued from page`)}`,
);

export function createTrialBalance(pool: StatementRunner, rollups: Rollups): TrialBalance {
  async function addChanges(balances: Map<AccountKind, number>, from: number, to: number): Promise<void> {
    const below = firstIdAt('txn', to + ID_LEAD_MS);
    for (let after: string | null = firstIdAt('txn', from - ID_LEAD_MS); after !== null; ) {
      const changes: { kind: AccountKind; change: number; last: string | null; count: number }[] = await pool.run(
        CHANGES,
        [after, below, new Date(from), new Date(to)],
      );
      for (const { kind, change } of changes) balances.set(kind, (balances.get(kind) ?? 0) + change);
      const [page] = changes;
      after = page && page.count === PAGE ? page.last : null;
    }
  }

  return {
    now: rollups.balances,
    async before(at) {
      const hour = Math.floor(at / HOUR_MS);
      const balances = await rollups.balancesBefore(hour);
      if (at > hour * HOUR_MS) await addChanges(balances, hour * HOUR_MS, at);
      return balances;
    },
  };
}
