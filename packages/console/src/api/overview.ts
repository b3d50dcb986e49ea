// The overview: one read for its screen, and for the figures that other screens take from it.
import type { GetOverviewReply } from '@kissi/client';
import { queryClient, type ReadOptions, takeChange, useRead } from './queries.ts';
import { kissi } from './session.ts';

type Since05 = 'counts' | 'last_30_days' | 'today_by_hour' | 'today_full_hours' | 'week_before_by_hour';

/** As gateways of this version and the one before send it. */
export type OverviewReply = Omit<GetOverviewReply, Since05> & Partial<Pick<GetOverviewReply, Since05>>;

/** It brings the counts of the navigation, so that both show the same numbers. */
export function useOverview(options?: ReadOptions<OverviewReply>) {
  return useRead<OverviewReply>(['overview'], readOverview, options);
}

async function readOverview(options: { signal: AbortSignal }): Promise<OverviewReply> {
  const overview: OverviewReply = await kissi.reports.overview(takeChange('overview'), options);
  if (overview.counts) queryClient.setQueryData(['counts'], overview.counts);
  return overview;
}
