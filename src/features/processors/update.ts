// Partial updates of a processor's record, decided on the locked row. Those of the phone number can need approval.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { ok } from '../../http/endpoint.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { noSuchProcessor } from '../../parties/processor.ts';
import type { ChangeOperation } from '../approvals/service.ts';
import { auditResource, type ProcessorContext } from './context.ts';
import { type Processor, recordFor } from './record.ts';
import { takenRefusal } from './registration.ts';
import { changes as changesSchema } from './schemas.ts';
import { lockProcessor, type ProcessorRow, readProcessor, updateProcessor } from './store.ts';

export type ProcessorChanges = Static<typeof changesSchema>;

interface UpdatedProcessor {
  row: ProcessorRow;
  changesPhone: boolean;
}

const FIELDS = Object.keys(changesSchema.properties) as (keyof ProcessorChanges)[];

/** `complete` adds the balance. The login has the phone number too, so a change of it has the policy of login changes. */
export function createUpdate(
  { database, audit, users, notices, phone, clock }: ProcessorContext,
  complete: (row: ProcessorRow) => Promise<Processor>,
): ChangeOperation<{ id: string }, ProcessorChanges, UpdatedProcessor> {
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
  ): Promise<UpdatedProcessor | Refusal> {
    const before = await lockProcessor(trx, id);
    if (!before) return noSuchProcessor();
    const fields = FIELDS.filter((field) => change[field] !== undefined && change[field] !== before[field]);
    const changesPhone = fields.includes('phone_number');
    if (fields.length === 0) return { row: before, changesPhone };
    const row = await updateProcessor(trx, id, { ...change, updated_at: new Date(clock.now()) });
    if (changesPhone) {
      // The phone number is also a login name.
      const numbers = { from: before.phone_number, to: row.phone_number };
      await users.changeLoginPhone(trx, actor, { processor_id: id }, numbers);
      await notices.tell(trx, { kind: 'number_changed', ownerId: id, to: before.phone_number, values: {} });
    }
    await audit.record(trx, actor, { action: 'processor.update', ...auditResource(id), details: { fields } });
    return { row, changesPhone };
  }

  return {
    kind: 'change',
    name: 'processors.update',
    action: 'users.change',
    permission: 'processors:write',
    describe: ({ params }) => `Change the phone number of processor ${params.id} and its login.`,
    async before(_actor, { params }) {
      const row = await readProcessor(database.queries, params.id);
      return row ? editableOf(row) : null;
    },
    after: ({ row }) => editableOf(row),
    plan(actor, { params, body }) {
      const change = read(body);
      return change instanceof Refusal ? change : (trx) => apply(trx, actor, params.id, change);
    },
    covers: ({ changesPhone }) => changesPhone,
    refusalOf: takenRefusal,
    async reply({ row }, { caller }) {
      const message = 'The processor was changed.';
      return ok({ success: true, message, processor: recordFor(caller, await complete(row)) });
    },
    storedReply: ({ row: { id } }) => ok({ success: true, message: 'The processor was changed.', processor: { id } }),
  };
}

/** All that a request can change, so that the approver sees it. */
function editableOf({ business_name, contact_name, phone_number }: ProcessorRow) {
  return { business_name, contact_name, phone_number };
}
