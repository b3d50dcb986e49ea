// Masks alerts about politically exposed persons: without PEP access, only the id and the status are visible.
import type { Actor } from '../../audit/log.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { AlertRow } from './alert-store.ts';
import { type AlertContext, type AlertParties, partiesOf } from './context.ts';

export type HiddenAlert = Pick<AlertRow, 'id' | 'status'>;
export type ListedAlert = AlertRow | HiddenAlert;

export function createPepMasking(context: Pick<AlertContext, 'movements' | 'pep'>) {
  const { pep } = context;

  async function isAboutPep(alert: AlertParties): Promise<boolean> {
    const flags = await Promise.all((await partiesOf(context, alert)).map((id) => pep.isPep(id)));
    return flags.includes(true);
  }

  return {
    /** Null if the caller may see and change the alert. */
    async pepRefusal(actor: Actor, alert: AlertParties): Promise<Refusal | null> {
      for (const id of await partiesOf(context, alert)) {
        const refusal = await pep.refusalOf(actor, id, 'alert');
        if (refusal) return refusal;
      }
      return null;
    },

    /** Whether the alert is hidden from the caller; writes no audit entry. */
    async isHidden({ caller }: Actor, alert: AlertParties): Promise<boolean> {
      return (await isAboutPep(alert)) && !(await pep.hasAccess(caller));
    },

    /** The alerts that are hidden from callers without access. */
    async hiddenAmong(alerts: readonly (AlertParties & { id: string })[]): Promise<string[]> {
      const flags = await Promise.all(alerts.map(isAboutPep));
      return alerts.filter((_, index) => flags[index]).map(({ id }) => id);
    },

    /** `filteredBy`: the subscriber that the list is filtered by, whose access was checked before. */
    async masked(actor: Actor, rows: readonly AlertRow[], filteredBy: string | undefined): Promise<ListedAlert[]> {
      const parties = await Promise.all(rows.map((row) => partiesOf(context, row)));
      const others = parties.flat().filter((id) => id !== filteredBy);
      const hidden = await pep.hidden(actor, others);
      return rows.map((row, index) => {
        const isHidden = parties[index]?.some((id) => hidden.has(id));
        return isHidden ? { id: row.id, status: row.status } : row;
      });
    },
  };
}
