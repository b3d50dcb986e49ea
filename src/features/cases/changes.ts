// Changes of a case, each with its row in the timeline: its state, of which the customer is told, and when it was taken up.
import type { DatabaseTransaction } from '../../db/database.ts';
import type { CasesContext } from './context.ts';
import * as store from './store.ts';
import { type CaseState, isClosed } from './tables.ts';

export interface StateChange {
  state: CaseState;
  by: store.By;
  reason?: string;
}

export type Changes = ReturnType<typeof createChanges>;

export function createChanges({ notices, clock }: Pick<CasesContext, 'notices' | 'clock'>) {
  return {
    /** Nothing if it has the state already. */
    async setState(trx: DatabaseTransaction, row: store.CaseRow, { state, by, reason }: StateChange): Promise<void> {
      if (row.state === state) return;
      const at = new Date(clock.now());
      await store.updateCase(trx, row.id, { state, closed_at: isClosed(state) ? at : null, updated_at: at });
      const details = { from: row.state, to: state };
      // A reason is for staff until the case ends, when the customer has a right to it.
      const event = { kind: 'state', details, text: reason ?? null, isShown: reason === undefined || isClosed(state) };
      await store.addEvent(trx, clock, row.id, by, event);
      const { subscriber_id: subscriberId, number } = row;
      await notices.tell(trx, { subscriberId, kind: 'case_changed', values: { case: number, state } });
    },

    /** When staff begin with a case. */
    async acknowledge(trx: DatabaseTransaction, { id, acknowledged_at }: store.CaseRow): Promise<void> {
      const at = new Date(clock.now());
      await store.updateCase(trx, id, { updated_at: at, ...(acknowledged_at ? {} : { acknowledged_at: at }) });
    },
  };
}
