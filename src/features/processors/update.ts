// Partial updates of a processor's record, decided on the locked row.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { violatedConstraint } from '../../db/driver/errors.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { noSuchProcessor } from '../../parties/processor.ts';
import { auditResource, type ProcessorContext } from './context.ts';
import { TAKEN } from './registration.ts';
import { changes as changesSchema } from './schemas.ts';
import { lockProcessor, type ProcessorRow, updateProcessor } from './store.ts';

export type ProcessorChanges = Static<typeof changesSchema>;

const FIELDS = Object.keys(changesSchema.properties) as (keyof ProcessorChanges)[];

export function createUpdate({ database, audit, users, phone, clock }: ProcessorContext) {
  /** The sent fields in their stored form. */
  function read({ business_name, contact_name, phone_number }: ProcessorChanges): ProcessorChanges | Refusal {
    const number = phone_number === undefined ? undefined : phone(phone_number);
    if (number === null) return refuse('INVALID_REQUEST', 'phone_number is not a valid phone number.');
    return {
      ...(business_name === undefined ? {} : { business_name: tidy(business_name) }),
      ...(contact_name === undefined ? {} : { contact_name: tidy(contact_name) }),
      ...(number === undefined ? {} : { phone_number: number }),
    };
  }

  async function apply(
    trx: DatabaseTransaction,
    actor: Actor,
    id: string,
    change: ProcessorChanges,
  ): Promise<ProcessorRow | Refusal> {
    const before = await lockProcessor(trx, id);
    if (!before) return noSuchProcessor();
    const fields = FIELDS.filter((field) => change[field] !== undefined && change[field] !== before[field]);
    if (fields.length === 0) return before;
    const after = await updateProcessor(trx, id, { ...change, updated_at: new Date(clock.now()) });
    // The phone number is also a login name.
    const numbers = { from: before.phone_number, to: after.phone_number };
    if (fields.includes('phone_number')) await users.changeLoginPhone(trx, { processor_id: id }, numbers);
    await audit.record(trx, actor, { action: 'processor.update', ...auditResource(id), details: { fields } });
    return after;
  }

  return async function update(actor: Actor, id: string, input: ProcessorChanges): Promise<ProcessorRow | Refusal> {
    const change = read(input);
    if (change instanceof Refusal) return change;
    try {
      return await database.transact((trx) => apply(trx, actor, id, change));
    } catch (error) {
      const taken = TAKEN[violatedConstraint(error) ?? ''];
      if (!taken) throw error;
      return taken();
    }
  };
}
