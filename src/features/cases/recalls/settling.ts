// Brings a recall in line with its hold, which is the truth: after a crash at any point the background task goes on from here.
import type { DatabaseTransaction } from '../../../db/database.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { runEach } from '../../../kernel/run-each.ts';
import { shortName } from '../../../kernel/text.ts';
import type { Hold } from '../../../ledger/holds/lookup.ts';
import { movementActor } from '../../../payments/plan.ts';
import type { Changes } from '../changes.ts';
import type { CasesContext } from '../context.ts';
import * as cases from '../store.ts';
import type { CaseState, RecallState } from '../tables.ts';
import type { Held, RecallHolds } from './holds.ts';
import * as store from './store.ts';

const BATCH = 200;

interface End {
  state: Extract<RecallState, 'returned' | 'contested' | 'expired' | 'nothing_left'>;
  by: cases.By;
}

export type Settling = ReturnType<typeof createSettling>;

export function createSettling(context: CasesContext, changes: Changes, holds: RecallHolds) {
  const { database, audit, payments, findHold, holdExpiry, holders, notices, report, clock } = context;
  const { queries } = database;

  /** Changes a recall that is still in the state. */
  function change(
    caseId: string,
    from: RecallState,
    run: (trx: DatabaseTransaction, row: cases.CaseRow, recall: cases.Recall) => Promise<void>,
  ): Promise<void> {
    return database.transact(async (trx) => {
      const row = await cases.lockCase(trx, caseId);
      const recall = await store.lockRecall(trx, caseId);
      if (row && recall?.state === from && recall.settled_at === null) await run(trx, row, recall);
    });
  }

  /** Tells the recipient, once. */
  function asked(caseId: string, { hold_id, held, expires_at }: Held): Promise<void> {
    return change(caseId, 'placing', async (trx, row, recall) => {
      const now = new Date(clock.now());
      const placed = { hold_id, held, asked_at: now, expires_at: new Date(expires_at) };
      await store.updateRecall(trx, caseId, { state: 'asked', hold_number: 1, ...placed });
      const event = { kind: 'recall_asked', details: { hold_id, held, expires_at } };
      await cases.addEvent(trx, clock, caseId, cases.THE_SERVICE, event);
      await changes.setState(trx, row, { state: 'waiting_other_party', by: cases.THE_SERVICE });
      const sender = await holders.byId(recall.sender_id);
      const values = { amount: held, sender: sender ? shortName(sender) : '', case: row.number };
      await notices.tell(trx, { subscriberId: recall.recipient_id, kind: 'recall', values });
      await audit.record(trx, SETTLING, {
        ...{ action: 'case.recall_asked', resourceType: 'case', resourceId: caseId },
        details: { transaction_id: recall.transfer_id, recipient_id: recall.recipient_id, hold_id, held },
      });
    });
  }

  function ended(caseId: string, from: RecallState, { state, by }: End): Promise<void> {
    return change(caseId, from, async (trx, row, recall) => {
      const { returned } = recall;
      await store.updateRecall(trx, caseId, { state, settled_at: new Date(clock.now()) });
      await cases.addEvent(trx, clock, caseId, by, { kind: `recall_${state}`, details: { returned }, isShown: true });
      if (row.closed_at === null) await changes.setState(trx, row, { state: stateAfter(recall), by });
      await audit.record(trx, SETTLING, {
        ...{ action: `case.recall_${state}`, resourceType: 'case', resourceId: caseId },
        details: { transaction_id: recall.transfer_id, returned },
      });
    });
  }

  async function place(recall: cases.Recall): Promise<void> {
    const held = await holds.place(recall);
    if (held) await asked(recall.case_id, held);
    else await ended(recall.case_id, 'placing', { state: 'nothing_left', by: cases.THE_SERVICE });
  }

  /** Two users extended the hold. A hold that has ended is not extended. */
  async function extend(recall: cases.Recall, hold: Hold): Promise<void> {
    const until = Number(recall.extended_until);
    const held = await holds.extend(recall, hold, until);
    if (held === null || held instanceof Refusal) return;
    await change(recall.case_id, 'asked', async (trx) => {
      const extended = { hold_number: 2, hold_id: held.hold_id, expires_at: new Date(held.expires_at) };
      await store.updateRecall(trx, recall.case_id, extended);
    });
  }

  /** The recipient contested it, and nobody extended the hold. */
  async function release(recall: cases.Recall, hold: Hold): Promise<void> {
    const actor = movementActor({ caller: { kind: 'subscriber', id: recall.recipient_id } });
    await payments.endHold(hold, { actor, request: null, outcome: 'released', record: () => ({ reply: {} }) });
  }

  async function currentHold({ hold_id, recipient_id }: cases.Recall): Promise<Hold | null> {
    const hold = hold_id === null ? null : await findHold(hold_id);
    if (!hold || hold.outcome !== null || hold.expires_at.getTime() > clock.now()) return hold;
    await holdExpiry.ofAccount(recipient_id);
    return findHold(hold.id);
  }

  async function step(recall: cases.Recall): Promise<'again' | 'done'> {
    if (recall.state === 'placing') {
      await place(recall);
      return 'done';
    }
    const hold = await currentHold(recall);
    if (!hold) throw new Error(`the hold of ${recall.case_id} does not exist`);
    const toExtend = recall.extended_until !== null && recall.hold_number === 1;
    if (toExtend && hold.outcome !== 'captured' && hold.outcome !== 'expired') {
      await extend(recall, hold);
      return 'again';
    }
    if (hold.outcome === null) {
      if (recall.contested_at === null || recall.extended_until !== null) return 'done';
      await release(recall, hold);
      return 'again';
    }
    await ended(recall.case_id, 'asked', endOf(recall, hold));
    return 'done';
  }

  /** Until nothing is left to do now. */
  async function settle(caseId: string): Promise<void> {
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const recall = await store.findRecall(queries, caseId);
      if (!recall || recall.settled_at !== null || recall.state === 'staff_decides') break;
      if ((await step(recall)) === 'done') break;
    }
    notices.wake();
  }

  return {
    settle,

    /** After a commit that has succeeded, whatever follows: the background task goes on. */
    async settleSoon(caseId: string): Promise<void> {
      await settle(caseId).catch((error: unknown) => report('a recall could not be settled', { caseId, error }));
    },

    /** Those that a crash left, that expired, and that users decided about. */
    async settleDue(stopping?: AbortSignal): Promise<void> {
      let after = '';
      for (;;) {
        const ids = await store.findDue(queries, { most: BATCH, after, now: new Date(clock.now()) });
        await runEach(ids, settle);
        after = ids.at(-1) ?? '';
        if (ids.length < BATCH || stopping?.aborted) return;
      }
    },
  };
}

const MOST_STEPS = 5;
const SETTLING = { caller: { kind: 'system', id: null }, ip: null, requestId: null } as const;

function endOf({ contested_at, recipient_id }: cases.Recall, { outcome }: Hold): End {
  const recipient: cases.By = { kind: 'subscriber', id: recipient_id };
  if (outcome === 'captured') return { state: 'returned', by: recipient };
  if (outcome === 'released' && contested_at) return { state: 'contested', by: recipient };
  return { state: 'expired', by: cases.THE_SERVICE };
}

/** A transfer that was returned in full is what the customer asked for. Staff go on with all others. */
function stateAfter({ amount, returned }: cases.Recall): CaseState {
  return returned >= amount ? 'resolved' : 'investigating';
}
