// How many things wait on each screen, shown beside its name in the navigation.
import { useLocation } from '@tanstack/react-router';
import { useCounts } from '../../api/counts.ts';
import { useUser } from '../../api/user.ts';

/** Others have no screen with a count. */
const STAFF = /_user$|^system_admin$/;

/** This screen reads them itself. */
const WITH_COUNTS = '/overview';

/** By the screen's path. */
export function useAttention(): Record<string, number> {
  const { role } = useUser();
  const { pathname } = useLocation();
  const { data } = useCounts(STAFF.test(role) && pathname !== WITH_COUNTS);
  if (!data) return {};
  return {
    '/approvals': data.approvals_to_decide ?? 0,
    '/alerts': data.alerts_overdue ?? 0,
    '/cases': data.cases_overdue ?? 0,
    '/deliveries': data.deliveries_failing ?? 0,
    '/finance/reconciliation': data.unmatched ?? 0,
    '/finance/suspense': data.suspense ?? 0,
  };
}
