// Counts for the navigation of a console. Each gateway reads them at most every few seconds and serves them from memory.
import { tiedTo } from '../../audit/independence.ts';
import { type Caller, isStaff, type UserCaller } from '../../auth/caller.ts';
import { isAllowed, type Permission } from '../../auth/permissions.ts';
import { integer, text } from '../../db/driver/columns.ts';
import { type StatementRunner, statement } from '../../db/driver/statement.ts';
import { iso, SECOND_MS } from '../../kernel/clock.ts';
import { decidingPermission } from '../approvals/service.ts';
import type { ReportingContext } from './context.ts';
import { kept } from './kept.ts';
import { openAlerts } from './store.ts';

/** How old the counts may be. Those of finance read more. */
const KEPT_MS = 5 * SECOND_MS;
const FINANCE_KEPT_MS = 30 * SECOND_MS;

const APPROVALS = statement(
  'count-approvals',
  `select action, requested_by, count(*) from approvals where status = 'pending' and expires_at > $1 group by 1, 2`,
  ([action, requestedBy, count]) => ({ action: text(action), requestedBy: text(requestedBy), count: integer(count) }),
);

/** Counted up to this many. */
const MAX_FAILING = 1_000;

const FAILING = statement(
  'count-failing-deliveries',
  `select count(*) from (select from webhook_deliveries where status = 'pending' and step > 0 limit ${MAX_FAILING}) failing`,
  ([count]) => integer(count),
);

type CountsContext = Pick<ReportingContext, 'pool' | 'queries' | 'clock' | 'financeAttention' | 'caseCounts'>;

export function createCounts(context: CountsContext) {
  const { pool, queries, clock, financeAttention, caseCounts } = context;
  const staff = kept(clock, KEPT_MS, async () => {
    const now = clock.now();
    const [approvals, alerts, failing, cases] = await Promise.all([
      pool.run(APPROVALS, [new Date(now)]),
      openAlerts(pool, now),
      failingDeliveries(pool),
      caseCounts(),
    ]);
    return { at: now, approvals, overdue: alerts.overdue, failing, cases: cases.overdue };
  });
  const finance = kept(clock, FINANCE_KEPT_MS, financeAttention);

  /** Parts that the caller may not see are left out. */
  return async (caller: Caller, { isFresh = false } = {}): Promise<object> => {
    const mayRead = (permission: Permission) => isStaff(caller) && isAllowed(caller, permission);
    const { at, approvals, overdue, failing, cases } = await staff(isFresh && isStaff(caller));
    const attention = mayRead('closes:read') ? await finance(isFresh) : null;
    const isOpen = ({ action, requestedBy }: { action: string; requestedBy: string }) => {
      const permission = decidingPermission(action);
      return permission !== undefined && requestedBy !== (caller as UserCaller).id && mayRead(permission);
    };
    const approvalsToDecide = async () => {
      const open = approvals.filter(isOpen);
      const requesters = [...new Set(open.map(({ requestedBy }) => requestedBy))];
      const tied = await tiedTo(queries, (caller as UserCaller).id, requesters, clock.now());
      return sum(open.map(({ requestedBy, count }) => (tied.has(requestedBy) ? 0 : count)));
    };
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    return {
      at: iso(at),
      ...(mayRead('approvals:write') ? { approvals_to_decide: await approvalsToDecide() } : {}),
      ...(mayRead('compliance:read') ? { alerts_overdue: overdue } : {}),
      ...(mayRead('cases:read') ? { cases_overdue: cases } : {}),
      ...(mayRead('reports:read') ? { deliveries_failing: failing } : {}),
      ...(attention
        ? {
            unmatched: sum([...Object.values(attention.unmatched.bank), ...Object.values(attention.unmatched.books)]),
            suspense: sum(Object.values(attention.suspense) as number[]),
          }
        : {}),
    };
  };
}

async function failingDeliveries(pool: StatementRunner): Promise<number> {
  return (await pool.run(FAILING))[0] ?? 0;
}
