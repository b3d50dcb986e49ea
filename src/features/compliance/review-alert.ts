// Reviews alerts: changes the status, adds notes, resolves or dismisses, each decided on the locked row.
import type { Actor } from '../../audit/log.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { AlertFields, AlertStatus } from './alert-schemas.ts';
import { type AlertChange, type AlertRow, findAlert, lockAlert, updateAlert } from './alert-store.ts';
import { conflictRefusal } from './conflict-of-interest.ts';
import { type AlertContext, auditResource, noSuchAlert } from './context.ts';
import { createPepMasking } from './pep-masking.ts';

type Action = 'compliance_alert.resolve' | 'compliance_alert.update';

export function createAlertReview(context: AlertContext) {
  const { database, audit, clock } = context;
  const { pepRefusal } = createPepMasking(context);

  async function review(actor: Actor, id: string, action: Action, input: AlertFields): Promise<AlertRow | Refusal> {
    const alert = await findAlert(database.queries, id);
    if (!alert) return noSuchAlert();
    const refusal = (await pepRefusal(actor, alert)) ?? (await conflictRefusal(context, actor.caller, alert));
    return refusal ?? database.transact((trx) => change(trx, actor, { id, action, input }));
  }

  async function change(
    trx: DatabaseTransaction,
    actor: Actor,
    { id, action, input }: { id: string; action: Action; input: AlertFields },
  ): Promise<AlertRow | Refusal> {
    const before = await lockAlert(trx, id);
    if (!before) return noSuchAlert();
    const decision = decide(before, input);
    if (decision instanceof Refusal) return decision;
    const changes = Object.entries(decision).filter(([field, to]) => before[field as keyof AlertRow] !== to);
    if (changes.length === 0) return before;
    const now = new Date(clock.now());
    const end = isClosed(decision.status) ? { resolved_at: now, resolved_by: actor.caller.id } : {};
    const after = await updateAlert(trx, id, { ...decision, ...end, updated_at: now });
    const details = changes.map(([field, to]) => [field, { from: before[field as keyof AlertRow], to }]);
    await audit.record(trx, actor, { action, ...auditResource(id), details: Object.fromEntries(details) });
    return after;
  }

  return {
    resolve: (actor: Actor, id: string, { resolution }: { resolution: string }) =>
      review(actor, id, 'compliance_alert.resolve', { status: 'resolved', resolution }),
    async update(actor: Actor, id: string, input: AlertFields): Promise<AlertRow | Refusal> {
      if (input.status === undefined && input.notes === undefined) {
        return refuse('INVALID_REQUEST', 'The body must contain status or notes.');
      }
      return review(actor, id, 'compliance_alert.update', input);
    },
  };
}

type AlertDecision = Pick<AlertChange, 'notes' | 'resolution'> & { status?: AlertStatus };

/** Returns the changes to an open alert. A closed alert cannot be changed. */
function decide(before: AlertRow, { status, notes, resolution }: AlertFields): AlertDecision | Refusal {
  if (isClosed(before.status)) return refuse('ALREADY_RESOLVED', `The alert is already ${before.status}.`);
  const changedNotes = notes === undefined ? {} : { notes: notes.trim() };
  if (!isClosed(status)) {
    if (resolution !== undefined) {
      return refuse('INVALID_REQUEST', 'resolution is only allowed with the status resolved or dismissed.');
    }
    return { ...changedNotes, ...(status ? { status } : {}) };
  }
  // A closed alert always has a resolution: the one sent, otherwise the notes.
  const reason = (resolution ?? notes ?? before.notes)?.trim();
  if (!reason) return refuse('INVALID_REQUEST', `resolution is required to set an alert without notes to ${status}.`);
  return { ...changedNotes, status, resolution: reason };
}

function isClosed(status: string | undefined): status is 'resolved' | 'dismissed' {
  return status === 'resolved' || status === 'dismissed';
}
