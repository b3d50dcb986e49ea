// Partial updates of an agent's record, decided on the locked row.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { type Caller, isAgentUser } from '../../auth/caller.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { violatedConstraint } from '../../db/driver/errors.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { type AgentRow, noSuchAgent } from '../../parties/agent.ts';
import { recordPhoneChange } from '../../parties/phone-change.ts';
import { phoneRefusalOf } from '../admin/users/service.ts';
import { percentRefusal, readPercent, withPercent } from './commission-terms.ts';
import { type AgentContext, auditResource } from './context.ts';
import { managementRefusal } from './network-access.ts';
import { percentOrNull } from './record.ts';
import { duplicatePhone, TERMS, termsRefusal } from './registration.ts';
import { changes as changesSchema } from './schemas.ts';
import { terminatedRefusal } from './status-changes.ts';
import { type AgentChange, lockAgent, updateAgent } from './store.ts';

export type AgentChanges = Static<typeof changesSchema>;

export interface UpdatedAgent {
  row: AgentRow;
  /** Whether the terms by which the agent earns have changed. */
  changesPrice: boolean;
  /** Codes for the agent and its login now go to another phone. */
  changesPhone: boolean;
}

type Field = keyof AgentChanges;

const FIELDS = Object.keys(changesSchema.properties) as Field[];
/** Fields that change what the agent earns. */
const PRICES: readonly Field[] = ['commission_tier', 'commission_percent'];
const PHONE_KEY = 'agents_phone_number_key';

export function createUpdate(context: AgentContext) {
  const { audit, users, notices, phone, clock } = context;

  /** The sent fields in their stored form. Empty text clears the location. */
  function read(input: AgentChanges): AgentChange | Refusal {
    const { phone_number, location, business_name, first_name, last_name, commission_tier, settlement_mode } = input;
    const number = phone_number === undefined ? undefined : phone(phone_number);
    if (number === null) return refuse('INVALID_REQUEST', 'phone_number is not a telephone number.');
    const percent = readPercent(input.commission_percent);
    if (percent instanceof Refusal) return percent;
    return {
      ...(business_name === undefined ? {} : { business_name: tidy(business_name) }),
      ...(first_name === undefined ? {} : { first_name: tidy(first_name) }),
      ...(last_name === undefined ? {} : { last_name: tidy(last_name) }),
      ...(location === undefined ? {} : { location: tidy(location) || null }),
      ...(number === undefined ? {} : { phone_number: number }),
      ...(commission_tier === undefined ? {} : { commission_tier }),
      ...(percent === null ? {} : { commission_percent: percent }),
      ...(settlement_mode === undefined ? {} : { settlement_mode }),
    };
  }

  async function apply(
    trx: DatabaseTransaction,
    actor: Actor,
    id: string,
    { sent, isPhoneChange }: { sent: AgentChange; isPhoneChange: boolean },
  ): Promise<UpdatedAgent | Refusal> {
    const before = await lockAgent(trx, id);
    if (!before) return noSuchAgent();
    const refusal =
      managementRefusal(actor.caller, before) ??
      terminatedRefusal(before) ??
      fieldRefusal(actor.caller, changedFields(before, sent));
    if (refusal) return refusal;
    const change = withPercent(before, sent);
    if (change instanceof Refusal) return change;
    const fields = changedFields(before, change);
    const changesPrice = PRICES.some((field) => fields.includes(field));
    const changesPhone = fields.includes('phone_number');
    if (fields.length === 0) return { row: before, changesPrice, changesPhone };
    // Somebody else has changed the number since the request was read.
    if (changesPhone && !isPhoneChange) return refuse('RECORD_CHANGED', 'The phone number has changed: try again.');
    const tooMuch = changesPrice ? await percentRefusal(context, trx, { ...before, ...change } as AgentRow) : null;
    if (tooMuch) return tooMuch;
    const now = new Date(clock.now());
    const numberChange = changesPhone ? await recordPhoneChange(trx, actor, id, clock) : {};
    const after = await updateAgent(trx, id, { ...change, ...numberChange, updated_at: now });
    if (changesPhone) {
      // The phone number is also a login name.
      const numbers = { from: before.phone_number, to: after.phone_number };
      await users.changeLoginPhone(trx, actor, { agent_id: id }, numbers);
      await notices.tell(trx, { kind: 'number_changed', ownerId: id, to: before.phone_number, values: {} });
    }
    const details = { fields, ...termChanges(fields, before, after) };
    await audit.record(trx, actor, { action: 'agent.update', ...auditResource(id), details });
    return { row: after, changesPrice, changesPhone };
  }

  return {
    /** `isPhoneChange`: the request was read as one, under the policy for login changes. */
    plan(actor: Actor, id: string, input: AgentChanges, { isPhoneChange }: { isPhoneChange: boolean }) {
      const sent = read(input);
      if (sent instanceof Refusal) return sent;
      return (trx: DatabaseTransaction) => apply(trx, actor, id, { sent, isPhoneChange });
    },
    refusalOf: (error: unknown) => (violatedConstraint(error) === PHONE_KEY ? duplicatePhone() : phoneRefusalOf(error)),
  };
}

function changedFields(before: AgentRow, change: AgentChange): Field[] {
  return FIELDS.filter((field) => change[field] !== undefined && change[field] !== before[field]);
}

/** A super-agent could otherwise raise commissions of its network, or have the PIN of a sub-agent reset on its own phone. */
function fieldRefusal(caller: Caller, fields: readonly Field[]): Refusal | null {
  if (!isAgentUser(caller)) return null;
  const term = TERMS.find((field) => fields.includes(field));
  if (term !== undefined) return termsRefusal(term);
  if (!fields.includes('phone_number')) return null;
  return refuse('FORBIDDEN', "Only the operator can change an agent's phone_number: contact support.");
}

/** The values of the terms only: the audit log is permanent and must not store personal data. */
function termChanges(fields: readonly Field[], before: AgentRow, after: AgentRow): Record<string, unknown> {
  const terms = TERMS.filter((field) => fields.includes(field));
  const valueIn = (row: AgentRow, field: (typeof TERMS)[number]) =>
    field === 'commission_percent' ? percentOrNull(row.commission_percent) : row[field];
  return Object.fromEntries(terms.map((field) => [field, { from: valueIn(before, field), to: valueIn(after, field) }]));
}
