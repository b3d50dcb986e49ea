// How many things wait on each screen, shown beside its name in the navigation.
import { takeChange, useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';

/** While the page is visible. The service counts from indexes, and only what the role may read. */
const EVERY_MS = 30_000;

/** Others have no screen with a count. */
const STAFF = /_user$|^system_admin$/;

/** By the screen's path. */
export function useAttention(): Record<string, number> {
  const { role } = useUser();
  const { data } = useRead(
    ['counts'],
    (options) => kissi.reports.counts(takeChange() ? { fresh: 'true' } : {}, options),
    {
      enabled: STAFF.test(role),
      everyMs: EVERY_MS,
    },
  );
  if (!data) return {};
  return {
    '/approvals': data.approvals_to_decide ?? 0,
    '/alerts': data.alerts_overdue ?? 0,
    '/deliveries': data.deliveries_failing ?? 0,
    '/finance/reconciliation': data.unmatched ?? 0,
    '/finance/suspense': data.suspense ?? 0,
  };
}
