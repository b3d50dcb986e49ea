// Reviews alerts: changes the status, adds notes, resolves or dismisses, each decided on the locked row.
import type { Actor } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { type AlertFields, type AlertStatus, type ResolvedFields, UNFOUNDED } from './alert-schemas.ts';
import * as store from './alert-store.ts';
import { type AlertContext, type AlertParties, auditResource, noSuchAlert, partiesOf } from './context.ts';
import { createPepMasking } from './pep-masking.ts';

type Action = 'compliance_alert.resolve' | 'compliance_alert.update';

export function createAlertReview(context: AlertContext) {
  const { database, audit, clock } = context;
  const { pepRefusal } = createPepMasking(context);

  async function review(
    actor: Actor,
    id: string,
    action: Action,
    input: AlertFields,
  ): Promise<store.AlertRow | Refusal> {
    const alert = await store.findAlert(database.queries, id);
    if (!alert) return noSuchAlert();
    const refusal = (await pepRefusal(actor, alert)) ?? (await conflictRefusal(context, actor.caller, alert));
    return refusal ?? database.transact((trx) => change(trx, actor, { id, action, input }));
  }

  async function change(
    trx: DatabaseTransaction,
    actor: Actor,
    { id, action, input }: { id: string; action: Action; input: AlertFields },
  ): Promise<store.AlertRow | Refusal> {
    const before = await store.lockAlert(trx, id);
    if (!before) return noSuchAlert();
    const decision = decide(before, input);
    if (decision instanceof Refusal) return decision;
    const changes = Object.entries(decision).filter(([field, to]) => before[field as keyof store.AlertRow] !== to);
    if (changes.length === 0) return before;
    const now = new Date(clock.now());
    const end = isClosed(decision.status) ? { resolved_at: now, resolved_by: actor.caller.id } : {};
    if (startsReview(before, decision) && actor.caller.kind === 'user') await takeIfFree(trx, actor, id);
    const after = await store.updateAlert(trx, id, { ...decision, ...end, updated_at: now });
    const details = changes.map(([field, to]) => [field, { from: before[field as keyof store.AlertRow], to }]);
    const { status, ...texts } = Object.fromEntries(details);
    await audit.record(trx, actor, {
      ...{ action, ...auditResource(id), details: status ? { status } : {} },
      personal: { subscriberId: before.subscriber_id, texts },
    });
    return after;
  }

  /** Takes an alert to review it, even from another user, or releases it. */
  async function assign(actor: Actor, id: string, isTaken: boolean): Promise<store.AlertRow | Refusal> {
    const alert = await store.findAlert(database.queries, id);
    if (!alert) return noSuchAlert();
    const refusal = (await pepRefusal(actor, alert)) ?? (await conflictRefusal(context, actor.caller, alert));
    return refusal ?? database.transact((trx) => changeAssignee(trx, actor, id, isTaken));
  }

  /** The user who begins the review of an unassigned alert becomes its reviewer. */
  async function takeIfFree(trx: DatabaseTransaction, actor: Actor, id: string): Promise<void> {
    const isFree = (await store.findAssignees(trx, [id])).length === 0;
    if (isFree) await changeAssignee(trx, actor, id, true);
  }

  async function changeAssignee(
    trx: DatabaseTransaction,
    actor: Actor,
    id: string,
    isTaken: boolean,
  ): Promise<store.AlertRow | Refusal> {
    const alert = await store.lockAlert(trx, id);
    if (!alert) return noSuchAlert();
    if (isClosed(alert.status)) return refuse('ALREADY_RESOLVED', `The alert is already ${alert.status}.`);
    const before = (await store.findAssignees(trx, [id]))[0]?.assigned_to ?? null;
    const after = isTaken ? String(actor.caller.id) : null;
    if (before === after) return alert;
    if (after === null) await store.removeAssignee(trx, id);
    else await store.setAssignee(trx, id, after, new Date(clock.now()));
    const action = isTaken ? 'compliance_alert.assign' : 'compliance_alert.release';
    const details = { assigned_to: { from: before, to: after } };
    await audit.record(trx, actor, { action, ...auditResource(id), details });
    return alert;
  }

  return {
    assign: (actor: Actor, id: string) => assign(actor, id, true),
    release: (actor: Actor, id: string) => assign(actor, id, false),
    resolve: (actor: Actor, id: string, fields: ResolvedFields) =>
      review(actor, id, 'compliance_alert.resolve', { status: 'resolved', ...fields }),
    async update(actor: Actor, id: string, input: AlertFields): Promise<store.AlertRow | Refusal> {
      if (input.status === undefined && input.notes === undefined) {
        return refuse('INVALID_REQUEST', 'The body must contain status or notes.');
      }
      return review(actor, id, 'compliance_alert.update', input);
    },
  };
}

type AlertDecision = Pick<store.AlertChange, 'notes' | 'resolution' | 'outcome'> & { status?: AlertStatus };

const startsReview = (before: store.AlertRow, { status }: AlertDecision) =>
  status === 'in_review' && before.status !== 'in_review';

/** Returns the changes to an open alert. A closed alert cannot be changed. */
function decide(before: store.AlertRow, input: AlertFields): AlertDecision | Refusal {
  const { status, notes, resolution, outcome } = input;
  if (isClosed(before.status)) {
    // A client that sends back the whole record changes nothing.
    const { notes: keptNotes, outcome: kept } = before;
    const repeats =
      status === before.status &&
      resolution === before.resolution &&
      notes === (keptNotes ?? undefined) &&
      outcome === (kept ?? undefined);
    return repeats ? {} : refuse('ALREADY_RESOLVED', `The alert is already ${before.status}.`);
  }
  const changedNotes = notes === undefined ? {} : { notes: notes.trim() };
  if (!isClosed(status)) {
    const tooEarly = resolution === undefined ? outcome && 'outcome' : 'resolution';
    if (tooEarly)
      return refuse('INVALID_REQUEST', `${tooEarly} is only allowed with the status resolved or dismissed.`);
    return { ...changedNotes, ...(status ? { status } : {}) };
  }
  // A closed alert always has a resolution: the one sent, otherwise the notes.
  const reason = (resolution ?? notes ?? before.notes)?.trim();
  if (!reason) return refuse('INVALID_REQUEST', `resolution is required to set an alert without notes to ${status}.`);
  if (status === 'dismissed' && outcome && !UNFOUNDED.some((unfounded) => unfounded === outcome)) {
    return refuse('INVALID_REQUEST', `outcome of a dismissed alert must be ${UNFOUNDED.join(' or ')}.`);
  }
  return { ...changedNotes, status, resolution: reason, ...(outcome ? { outcome } : {}) };
}

function isClosed(status: string | undefined): status is 'resolved' | 'dismissed' {
  return status === 'resolved' || status === 'dismissed';
}

/**
 * Conflict of interest: users of an agent or processor cannot handle alerts about their own network.
 * The parties of an alert never change, so this check runs before its row is locked.
 */
async function conflictRefusal(context: AlertContext, caller: Caller, alert: AlertParties): Promise<Refusal | null> {
  if (caller.kind !== 'user' || (caller.agentId === null && caller.processorId === null)) return null;
  const parties = await partiesOf(context, alert);
  const merchant = caller.processorId !== null && parties.includes(caller.processorId);
  const agent = caller.agentId !== null && (await isInNetworkOf(context, caller.agentId, parties));
  if (!merchant && !agent) return null;
  const subject = agent ? 'an agent of your own network' : 'your own processor';
  return refuse('FORBIDDEN', `The alert is about ${subject}: a user who does not act for it must review it.`);
}

/** A network is a super-agent and all its sub-agents. */
async function isInNetworkOf({ findAgent }: AlertContext, agentId: string, parties: string[]): Promise<boolean> {
  const [own, ...others] = await Promise.all([agentId, ...parties].map((id) => findAgent(id)));
  const root = own?.parent_agent_id ?? agentId;
  return others.some((agent) => agent && (agent.parent_agent_id ?? agent.id) === root);
}
