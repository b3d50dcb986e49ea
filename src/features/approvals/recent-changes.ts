// What the approver of a PIN reset sees of the holder's record: its changes of the last 30 days, from the audit log.
import type { AuditLog } from '../../audit/log.ts';
import type { Queries } from '../../db/database.ts';
import { type Clock, DAY_MS, iso } from '../../kernel/clock.ts';
import type { RecentChange } from './schemas.ts';
import { findUserNames } from './store.ts';

interface Dependencies {
  audit: Pick<AuditLog, 'find' | 'actorNames'>;
  queries: Queries;
  clock: Clock;
}

const SHOWN_MS = 30 * DAY_MS;
/** More than anybody makes in 30 days, except to hide one among others. */
const MOST = 500;
/** Read for themselves, so that no number of other changes pushes them out of the list. */
const DECISIVE = ['phone_number', 'partner_wallet_id'];

export async function recentChanges(
  { audit, queries, clock }: Dependencies,
  holderId: string,
): Promise<RecentChange[]> {
  const from = new Date(clock.now() - SHOWN_MS);
  const query = { resourceId: holderId, changes: true, from, limit: MOST, offset: 0, after: null } as const;
  const found = [await audit.find({ ...query, fields: DECISIVE }), await audit.find(query)].flatMap(
    ({ entries }) => entries,
  );
  const changes = [...new Map(found.map((entry) => [entry.seq, entry])).values()].sort((a, b) => b.seq - a.seq);
  const approvers = changes.flatMap(({ details }) => readDetails(details).approved_by ?? []);
  const [names, users] = await Promise.all([
    audit.actorNames(changes),
    findUserNames(queries, [...new Set(approvers)]),
  ]);
  return changes.map(({ at, action, actor_id, details }) => {
    const { fields = [], approved_by: approvedBy = null } = readDetails(details);
    return {
      at: iso(at),
      action,
      fields,
      by: actor_id,
      by_name: names.get(actor_id ?? '') ?? null,
      approved_by: approvedBy,
      approved_by_name: users.get(approvedBy ?? '')?.name ?? null,
    };
  });
}

function readDetails(details: unknown): { fields?: string[]; approved_by?: string } {
  return (details ?? {}) as { fields?: string[]; approved_by?: string };
}
