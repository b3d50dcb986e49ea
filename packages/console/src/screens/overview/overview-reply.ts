// The overview as gateways of this version and the one before send it.
import type { Comparison, GetOverviewReply } from '@kissi/client';

export type OverviewReply = GetOverviewReply & {
  today_full_hours?: Comparison;
  health?: {
    audit_chain: { unsealed: number; oldest_at: string | null };
    wal_archiving: { enabled: boolean; last_archived_at: string | null; last_failed_at: string | null };
    administrators_from_server?: { id: string; email: string; created_at: string }[];
  };
};

/** Today until the running hour, against the same hours a week before; null in the first hour of a day. */
export function fullHours({ today_full_hours: full }: OverviewReply): Comparison | null {
  return full && full.current.from !== full.current.to ? full : null;
}
