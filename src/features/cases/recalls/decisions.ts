// What staff decide about a recall: to ask the recipient although it is outside the rules, and, two of them, to extend a hold.
import type { Actor } from '../../../audit/log.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { ok } from '../../../http/endpoint.ts';
import { DAY_MS, iso } from '../../../kernel/clock.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { tidy } from '../../../kernel/text.ts';
import type { ChangeOperation } from '../../approvals/service.ts';
import type { Changes } from '../changes.ts';
import { type CasesContext, caseClosed, noRecall, noSuchCase, pepRefusal } from '../context.ts';
import * as cases from '../store.ts';
import { recallEnded } from './answers.ts';
import * as store from './store.ts';
import { stateAt } from './view.ts';

/** From the approval on. */
export const EXTENSION_MS = 10 * DAY_MS;

interface Params {
  id: string;
}

interface Reason {
  reason: string;
}

export type Extension = ChangeOperation<Params, Reason, cases.Recall>;

export function createDecisions(context: CasesContext, changes: Changes) {
  const { database, audit, pep, clock } = context;
  const { queries } = database;

  /** One user decides: what is held is the sender's own transfer, who confirmed it, and the recipient can contest. */
  async function decide(trx: DatabaseTransaction, actor: Actor, row: cases.CaseRow, reason: string) {
    if (row.closed_at) return caseClosed();
    const recall = await store.lockRecall(trx, row.id);
    if (!recall) return noRecall();
    if (recall.state !== 'staff_decides') return refuse('ALREADY_DECIDED', 'The recipient has been asked.');
    await store.updateRecall(trx, row.id, { state: 'placing', decided_by: String(actor.caller.id) });
    await cases.addEvent(trx, clock, row.id, actor.caller, { kind: 'recall_decided', text: reason });
    await changes.acknowledge(trx, row);
    await audit.record(trx, actor, {
      ...{ action: 'case.recall', resourceType: 'case', resourceId: row.id },
      details: { transaction_id: recall.transfer_id, outside_rule: recall.outside_rule },
      personal: { subscriberId: row.subscriber_id, texts: { reason } },
    });
    return null;
  }

  async function extend(trx: DatabaseTransaction, actor: Actor, caseId: string, reason: string) {
    const row = await cases.lockCase(trx, caseId);
    const recall = await store.lockRecall(trx, caseId);
    if (!row || !recall) return noRecall();
    const state = stateAt(recall, clock.now());
    if (state === 'expired') return refuse('EXPIRED', 'The hold has expired.');
    if (state !== 'asked' || recall.contested_at !== null) return recallEnded();
    if (recall.extended_until !== null) return refuse('ALREADY_DECIDED', 'The hold has been extended.');
    const extended_until = new Date(clock.now() + EXTENSION_MS);
    const extended_by = [actor.caller.id, actor.approval?.approvedBy.id].map(String);
    await store.updateRecall(trx, caseId, { extended_until, extended_by });
    const details = { until: iso(extended_until), by: extended_by };
    await cases.addEvent(trx, clock, caseId, actor.caller, { kind: 'hold_extended', text: reason, details });
    await audit.record(trx, actor, {
      ...{ action: 'case.extend_hold', resourceType: 'case', resourceId: caseId },
      details: { transaction_id: recall.transfer_id, ...details },
      personal: { subscriberId: row.subscriber_id, texts: { reason } },
    });
    return { ...recall, extended_until, extended_by };
  }

  async function visible(actor: Actor, id: string): Promise<Refusal | null> {
    const found = await cases.findCase(queries, id);
    return found ? pepRefusal(pep, actor, found) : noSuchCase();
  }

  const extension: Extension = {
    kind: 'change',
    name: 'cases.extend_hold',
    action: 'cases.recall',
    describe: ({ params }) => `Extend the hold of the recall in case ${params.id} for suspected fraud.`,
    async before(_actor, { params }) {
      const recall = await store.findRecall(queries, params.id);
      return recall && shown(recall);
    },
    after: shown,
    parties: ({ sender_id, recipient_id }) => [sender_id, recipient_id],
    async plan(actor, { params, body }) {
      const refusal = await visible(actor, params.id);
      const reason = tidy(body.reason);
      if (refusal) return refusal;
      if (reason === '') return refuse('INVALID_REQUEST', 'reason must not be blank.');
      return (trx) => extend(trx, actor, params.id, reason);
    },
    reply: (recall) => ok({ success: true, message: 'The hold is extended.', ...shown(recall) }),
  };

  function shown(recall: cases.Recall) {
    const { case_id, expires_at, extended_until } = recall;
    const state = stateAt(recall, clock.now());
    return { case_id, state, ...{ expires_at: time(expires_at), extended_until: time(extended_until) } };
  }

  return { decide, extension };
}

const time = (at: Date | null) => at && iso(at);
