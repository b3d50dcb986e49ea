// The people of an alert: the name of its subject, and the user who reviews it.
import { actorNames, type NamedActor } from '../../audit/actor-names.ts';
import type { Actor } from '../../audit/log.ts';
import { isStaff } from '../../auth/caller.ts';
import type { Database } from '../../db/database.ts';
import { createPartyViews, type NameDependencies } from '../../parties/names.ts';
import { type AlertRow, findAssignees } from './alert-store.ts';

export interface AlertPeople {
  subject_name: string | null;
  assigned_to: string | null;
  assignee_name: string | null;
  assigned_at: Date | null;
  resolved_by_name: string | null;
  reported_by_name: string | null;
}

export type ShownAlert = AlertRow & AlertPeople;

export function createAlertPeople(deps: NameDependencies & { database: Database }) {
  const partyView = createPartyViews(deps);

  /** Internal services get no names: they need no PEP access to report. */
  async function subjectName({ caller }: Actor, { subscriber_id, agent_id, processor_id }: AlertRow) {
    const id = subscriber_id ?? agent_id ?? processor_id;
    if (id === null || caller.kind === 'service') return null;
    return (await partyView(id, null, isStaff(caller))).name;
  }

  /** For alerts that the caller may see. */
  return async function withPeople(actor: Actor, rows: readonly AlertRow[]): Promise<ShownAlert[]> {
    const ids = rows.map(({ id }) => id);
    const assignees = new Map(
      (await findAssignees(deps.database.queries, ids)).map(({ alert_id, ...assignee }) => [alert_id, assignee]),
    );
    const names = await actorNames(deps.database.queries, [
      ...rows.map(({ resolved_by }) => ({ actor_type: 'user', actor_id: resolved_by })),
      ...rows.map(reporterOf),
    ]);
    return Promise.all(
      rows.map(async (row) => ({
        ...row,
        subject_name: await subjectName(actor, row),
        resolved_by_name: names.get(row.resolved_by ?? '') ?? null,
        reported_by_name: names.get(reporterOf(row).actor_id ?? '') ?? null,
        ...(assignees.get(row.id) ?? { assigned_to: null, assignee_name: null, assigned_at: null }),
      })),
    );
  };
}

/** Of an alert that no rule raised. */
function reporterOf({ figures }: Pick<AlertRow, 'figures'>): NamedActor {
  const { reported_by } = figures as unknown as { reported_by?: { type: string; id: string | null } };
  return { actor_type: reported_by?.type ?? null, actor_id: reported_by?.id ?? null };
}
