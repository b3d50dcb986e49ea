// Reports for staff: series, overview, accounts of the ledger, trial balance and floats of agents.
import type { Actor } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Database } from '../../db/database.ts';
import { parseInstant } from '../../http/fields.ts';
import type { Page } from '../../http/paging.ts';
import { DAY_MS, iso, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { CURRENCY, formatMoney } from '../../kernel/money.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { ACCOUNT_KINDS, type AccountKind } from '../../ledger/account-kinds.ts';
import { type ListedAccount, listAccounts } from '../../ledger/queries/account-list.ts';
import { createRollups } from '../../ledger/queries/rollups.ts';
import { createTrialBalance } from '../../ledger/queries/trial-balance.ts';
import { agentFloats, type FloatFilter } from './agent-floats.ts';
import type { ReportingContext } from './context.ts';
import { createCounts } from './counts.ts';
import { kept } from './kept.ts';
import { businessOf, DRY_WITHIN_HOURS, overviewOf } from './overview.ts';
import { createRefusalCounts } from './refusal-counts.ts';
import { type SeriesQuery, seriesOf } from './series.ts';

export { walArchiving } from './store.ts';

export interface AccountsQuery {
  kind?: AccountKind | undefined;
  owner?: string | undefined;
  cursor?: string | undefined;
}

export interface Reporting {
  series(query: SeriesQuery): Promise<object | Refusal>;
  overview(caller: Caller, options?: { isFresh?: boolean }): Promise<object>;
  accounts(actor: Actor, query: AccountsQuery, page: Page): Promise<object>;
  trialBalance(caller: Caller, at: string | undefined): Promise<object | Refusal>;
  floats(filter: FloatFilter, page: Page): Promise<object>;
  /** What waits for the caller, at most a few seconds old. */
  counts(caller: Caller, options?: { isFresh?: boolean }): Promise<object>;
  /** Counts a refused request to a payment route. */
  countRefusal(code: string): void;
  /** Writes the counts of refusals. */
  flush(): Promise<void>;
}

export interface ReportingDependencies
  extends Pick<ReportingContext, 'pep' | 'clock' | 'financeAttention' | 'caseCounts' | 'unsealed'> {
  database: Database;
}

export function createReporting(deps: ReportingDependencies): Reporting {
  const { database, pep, clock, financeAttention, caseCounts, unsealed } = deps;
  const { pool, queries } = database;
  const rollups = createRollups(pool);
  const refusals = createRefusalCounts(pool, clock);
  const trialBalance = createTrialBalance(pool, rollups);
  const context: ReportingContext = {
    pool,
    queries,
    rollups,
    trialBalance,
    refusals,
    pep,
    clock,
    financeAttention,
    caseCounts,
    unsealed,
  };
  const counts = createCounts(context);
  const business = kept(clock, 5 * SECOND_MS, () => businessOf(context));
  const dryFloats = kept(clock, MINUTE_MS, async () => {
    const dry = await agentFloats(pool, clock.now(), { hoursLeftBelow: DRY_WITHIN_HOURS }, { limit: 1, offset: 0 });
    return dry.total;
  });

  return {
    series: (query) => seriesOf(context, query),
    overview: (caller, { isFresh = false } = {}) =>
      overviewOf(context, { counts, dryFloats, business }, caller, isFresh),
    accounts: (actor, query, page) => accountPage(context, actor, query, page),
    trialBalance: (caller, at) => trialBalanceAt(context, caller, at),
    counts,
    async floats(filter, page) {
      const { floats, total } = await agentFloats(pool, clock.now(), filter, page);
      const listed = floats.map(({ agentId, businessName, type, status, balance, ...float }) => ({
        ...{ agent_id: agentId, business_name: businessName, type, status, parent_agent_id: float.parentAgentId },
        ...{ balance, balance_formatted: formatMoney(balance), currency: CURRENCY },
        outflow_24_hours: float.outflowDay,
        outflow_7_days: float.outflowWeek,
        hours_left: float.hoursLeft,
        sub_agent_count: float.subAgents,
        network_balance: float.networkBalance,
        network_hours_left: float.networkHoursLeft,
      }));
      return { floats: listed, total_count: total, limit: page.limit, offset: page.offset };
    },
    countRefusal: refusals.count,
    flush: refusals.flush,
  };
}

async function accountPage(
  { queries, pep }: ReportingContext,
  actor: Actor,
  { kind, owner, cursor }: AccountsQuery,
  page: Page,
): Promise<object> {
  const { limit, offset } = page;
  const counts = page.after === undefined;
  const found = await listAccounts(queries, { kind, owner, after: cursor, limit, offset, counts });
  const wallets = found.accounts.filter((account) => account.kind === 'wallet').map(({ id }) => id);
  const hidden = await pep.hidden(actor, wallets);
  return {
    accounts: found.accounts.map((account) =>
      hidden.has(account.id) ? { account_id: account.id, kind: account.kind } : accountView(account),
    ),
    total_count: found.total,
    ...(found.isMinimum ? { total_is_minimum: true } : {}),
    ...{ limit, offset },
    next_cursor: found.next,
  };
}

function accountView({ id, kind, balance, floor, ceiling, frozen, posting_count, last_seq, opened_at }: ListedAccount) {
  return {
    account_id: id,
    ...{
      kind,
      balance,
      balance_formatted: formatMoney(balance),
      currency: CURRENCY,
      floor,
      ceiling,
      frozen,
      posting_count,
    },
    // The seq of a posting is its time in microseconds.
    last_posting_at: last_seq === 0 ? null : iso(Math.floor(last_seq / 1_000)),
    opened_at: iso(opened_at),
  };
}

async function trialBalanceAt(context: ReportingContext, caller: Caller, text: string | undefined) {
  const { trialBalance, clock } = context;
  const now = clock.now();
  const at = text === undefined ? now : parseInstant(text)?.getTime();
  if (at === undefined) return refuse('INVALID_REQUEST', 'at must be a day (YYYY-MM-DD) or an instant in ISO 8601.');
  if (at > now) return refuse('INVALID_REQUEST', 'at must not be in the future.');
  if (at < 0) return refuse('INVALID_REQUEST', 'at must not be before 1970.');
  if (text !== undefined && at % DAY_MS !== 0 && (await hidesPayments(context, caller))) {
    return refuse('INVALID_REQUEST', 'at must be a whole day (UTC) without access to politically exposed persons.');
  }
  const balances = text === undefined ? await trialBalance.now() : await trialBalance.before(at);
  const kinds = ACCOUNT_KINDS.map((kind) => ({ kind, balance: balances.get(kind) ?? 0 }));
  return { at: iso(at), kinds, total: kinds.reduce((sum, { balance }) => sum + balance, 0) };
}

/** Two instants around a single payment would give its amount. */
async function hidesPayments({ pep }: ReportingContext, caller: Caller): Promise<boolean> {
  return !(await pep.hasAccess(caller)) && (await pep.all()).length > 0;
}
