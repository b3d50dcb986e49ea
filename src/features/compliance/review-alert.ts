// Reviews alerts: changes the status, adds notes, resolves or dismisses, each decided on the locked row.
import type { Actor } from '../../audit/log.ts';
import type { Transact } from '../../db/database.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { AlertFields, AlertStatus } from './alert-schemas.ts';
import { type AlertChange, type AlertRow, findAlert, lockAlert, updateAlert } from './alert-store.ts';
import { conflictRefusal } from './conflict-of-interest.ts';
import { type AlertContext, aboutAlert, noSuchAlert } from './context.ts';
import { discretion } from './pep-masking.ts';

type Action = 'compliance_alert.resolve' | 'compliance_alert.update';

export function reviewing(context: AlertContext) {
  const { database, audit, clock } = context;
  const { withheld } = discretion(context);

  async function move(actor: Actor, id: string, action: Action, given: AlertFields): Promise<AlertRow | Refusal> {
    const alert = await findAlert(database.queries, id);
    if (!alert) return noSuchAlert();
    const refusal = (await withheld(actor, alert)) ?? (await conflictRefusal(context, actor.caller, alert));
    return refusal ?? database.transact((trx) => change(trx, actor, { id, action, given }));
  }

  async function change(
    trx: Transact,
    actor: Actor,
    { id, action, given }: { id: string; action: Action; given: AlertFields },
  ): Promise<AlertRow | Refusal> {
    const before = await lockAlert(trx, id);
    if (!before) return noSuchAlert();
    const wanted = decide(before, given);
    if (wanted instanceof Refusal) return wanted;
    const changes = Object.entries(wanted).filter(([field, to]) => before[field as keyof AlertRow] !== to);
    if (changes.length === 0) return before;
    const now = new Date(clock.now());
    const end = isClosed(wanted.status) ? { resolved_at: now, resolved_by: actor.caller.id } : {};
    const after = await updateAlert(trx, id, { ...wanted, ...end, updated_at: now });
    const details = changes.map(([field, to]) => [field, { from: before[field as keyof AlertRow], to }]);
    await audit.record(trx, actor, { action, ...aboutAlert(id), details: Object.fromEntries(details) });
    return after;
  }

  return {
    resolve: (actor: Actor, id: string, { resolution }: { resolution: string }) =>
      move(actor, id, 'compliance_alert.resolve', { status: 'resolved', resolution }),
    async update(actor: Actor, id: string, given: AlertFields): Promise<AlertRow | Refusal> {
      if (given.status === undefined && given.notes === undefined) {
        return refuse('INVALID_REQUEST', 'The body must name status or notes.');
      }
      return move(actor, id, 'compliance_alert.update', given);
    },
  };
}

type Wanted = Pick<AlertChange, 'notes' | 'resolution'> & { status?: AlertStatus };

/** Returns the changes to an open alert. A closed alert cannot be changed. */
function decide(before: AlertRow, { status, notes, resolution }: AlertFields): Wanted | Refusal {
  if (isClosed(before.status)) return refuse('ALREADY_RESOLVED', `The alert is ${before.status} already.`);
  const words = notes === undefined ? {} : { notes: notes.trim() };
  if (!isClosed(status)) {
    if (resolution !== undefined) {
      return refuse('INVALID_REQUEST', 'resolution goes with the status resolved or dismissed.');
    }
    return { ...words, ...(status ? { status } : {}) };
  }
  // A closed alert always has a resolution: the given one, otherwise the notes.
  const why = (resolution ?? notes ?? before.notes)?.trim();
  if (!why) return refuse('INVALID_REQUEST', `resolution is required where an alert without notes is ${status}.`);
  return { ...words, status, resolution: why };
}

function isClosed(status: string | undefined): status is 'resolved' | 'dismissed' {
  return status === 'resolved' || status === 'dismissed';
}
