// Alerts raised by staff, API keys and internal services, in addition to those of the rules.
import { hash } from 'node:crypto';
import { type Actor, type Author, SYSTEM } from '../../audit/log.ts';
import type { ServiceSignature } from '../../auth/caller.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import { firstIdAt, newId } from '../../kernel/ids.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Severity } from '../../ledger/velocity/rules.ts';
import { keepFromErasure } from '../../parties/subscriber.ts';
import { dueAt } from '../../payments/compliance-rules.ts';
import type { NewAlertFields } from './alert-schemas.ts';
import { type AlertRow, findAlert, insertAlert, type NewAlert } from './alert-store.ts';
import { type AlertContext, auditResource } from './context.ts';
import { createPepMasking } from './pep-masking.ts';

export function createAlertReporting(context: AlertContext) {
  const { database, audit, clock, metrics } = context;
  const { pepRefusal } = createPepMasking(context);

  async function insert(trx: DatabaseTransaction, author: Author | Actor, alert: NewAlert): Promise<AlertRow> {
    const isNew = await insertAlert(trx, alert);
    const row = await findAlert(trx, alert.id);
    if (!row) throw new Error(`alert ${alert.id} was inserted but cannot be read`);
    if (!isNew) return row;
    const { severity, type, subscriber_id, agent_id, processor_id, transaction_id } = row;
    metrics.alerts[severity as Severity].value += 1;
    const subjects = { subscriber_id, agent_id, processor_id, transaction_id };
    const details = { severity, type, ...subjects, ...signatureNote(author) };
    await audit.record(trx, author, { action: 'compliance_alert.create', ...auditResource(row.id), details });
    return row;
  }

  /** Internal services need no PEP access: the reply contains only what they sent. */
  async function pepAccessRefusal(actor: Actor, input: NewAlertFields): Promise<Refusal | null> {
    return actor.caller.kind === 'service' ? null : pepRefusal(actor, { ...NO_PARTIES, ...input });
  }

  return {
    async report(actor: Actor, input: NewAlertFields): Promise<AlertRow | Refusal> {
      const refusal = (await unknownSubject(context, actor, input)) ?? (await pepAccessRefusal(actor, input));
      if (refusal) return refusal;
      const alert = alertOf(actor, input, clock);
      return database.transact(async (trx) => {
        const subject = alert.subscriber_id ?? null;
        if (subject !== null && !(await keepFromErasure(trx, subject))) return noSuchSubject();
        return insert(trx, actor, alert);
      });
    },
    /** An alert of the service itself. Once for each `id`. */
    async raise(observed: Observation): Promise<void> {
      await database.transact((trx) => insert(trx, SYSTEM, observedAlert(observed, clock)));
    },
  };
}

/** What the service observed about a merchant, an agent or a key. */
export interface Observation {
  /** The day and what identifies the observation on it: the same again is one alert. */
  on: number;
  of: string;
  type: string;
  processor_id?: string;
  agent_id?: string;
  description: string;
  figures: Record<string, unknown>;
}

function observedAlert({ on, of, figures, ...observed }: Observation, clock: Clock): NewAlert {
  const id = firstIdAt('alert', on) + digest([observed.type, of]);
  return { ...newAlert({ ...observed, severity: 'HIGH' }, id, clock), figures: JSON.stringify(figures) };
}

const NO_PARTIES = { subscriber_id: null, agent_id: null, processor_id: null, transaction_id: null, figures: {} };

/** Refuses ids that do not exist. */
async function unknownSubject(context: AlertContext, actor: Actor, input: NewAlertFields): Promise<Refusal | null> {
  const { subscriber_id, agent_id, processor_id, transaction_id } = input;
  const [subscriber, agent, processor, movement] = await Promise.all([
    subscriber_id === undefined || context.holders.statusById(subscriber_id),
    agent_id === undefined || context.findAgent(agent_id),
    processor_id === undefined || context.findProcessor(processor_id),
    transaction_id === undefined || context.movements.byId(transaction_id),
  ]);
  if (!subscriber) return noSuchSubject();
  if (!agent) return refuse('NOT_FOUND', 'agent_id does not identify an agent.');
  if (!processor) return refuse('NOT_FOUND', 'processor_id does not identify a processor.');
  const unknown = refuse('NOT_FOUND', 'transaction_id does not identify a transaction.');
  if (!movement) return unknown;
  // A refusal of another kind would confirm that the payment exists. Internal services need no access.
  const isConcealed = typeof movement === 'object' && actor.caller.kind !== 'service';
  return isConcealed ? context.pepPayments.refusal(actor, movement, unknown) : null;
}

function noSuchSubject(): Refusal {
  return refuse('SUBSCRIBER_NOT_FOUND', 'subscriber_id does not identify a subscriber.');
}

function alertOf({ caller }: Actor, input: NewAlertFields, clock: Clock): NewAlert {
  const signed = caller.kind === 'service' ? caller.signed : undefined;
  const reported_by = { type: caller.kind, id: caller.id };
  const id = signed ? idOf(signed, input) : newId('alert', clock);
  return { ...newAlert(input, id, clock), figures: JSON.stringify({ reported_by }) };
}

function newAlert(input: NewAlertFields, id: string, clock: Clock): Omit<NewAlert, 'figures'> {
  const at = new Date(clock.now());
  return {
    id,
    severity: input.severity,
    status: 'open',
    type: input.type ?? 'manual',
    subscriber_id: input.subscriber_id ?? null,
    agent_id: input.agent_id ?? null,
    processor_id: input.processor_id ?? null,
    transaction_id: input.transaction_id ?? null,
    rule_id: null,
    rule_version: null,
    description: input.description.trim(),
    notes: null,
    created_at: at,
    due_at: dueAt(input.severity, at.getTime()),
    updated_at: at,
    resolved_at: null,
    resolved_by: null,
    resolution: null,
  };
}

/** Derived from the signature and the fields: a repeated request yields the same alert, however its JSON is formatted. */
function idOf(signed: ServiceSignature, input: NewAlertFields): string {
  const fields = REPORTED_FIELDS.map((field) => input[field] ?? null);
  return firstIdAt('alert', signed.at) + digest([signed.hash, ...fields]);
}

/** As long as the random part of an id. */
function digest(parts: (string | null)[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, 16).toUpperCase();
}

const REPORTED_FIELDS = [
  'severity',
  'type',
  'subscriber_id',
  'agent_id',
  'processor_id',
  'transaction_id',
  'description',
] as const;

/** Records for later investigation what the service signed. */
function signatureNote({ caller }: Author | Actor): Record<string, unknown> {
  if (caller.kind !== 'service' || !('signed' in caller) || !caller.signed) return {};
  return { signed_at: iso(caller.signed.at), signature_covers_body: caller.signed.coversBody };
}
