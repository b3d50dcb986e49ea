// Erases a customer's personal data in one transaction, approved by a second user. Records of money stay.
import type { Actor } from '../../audit/log.ts';
import { NO_PIN } from '../../auth/pins/hasher.ts';
import type { DatabaseTransaction, Queries } from '../../db/database.ts';
import { ok } from '../../http/endpoint.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { changeAccount } from '../../ledger/accounts.ts';
import { ENDED } from '../../parties/registration.ts';
import { noSuchSubscriber } from '../../parties/subscriber.ts';
import type { ChangeOperation } from '../approvals/service.ts';
import { checkErasure, type Retention } from './checks.ts';
import type { PrivacyContext } from './context.ts';
import { erasePlaces } from './places.ts';

export interface Erased {
  subscriberId: string;
  at: Date;
  retention: Retention;
}

export type EraseOperation = ChangeOperation<{ id: string }, { reason: string }, Erased>;

export function createErasure(context: PrivacyContext): EraseOperation {
  const { audit, pep, access, ownKeys, cards, retentionYears, clock } = context;

  /** In the order of locks of every change: customer, cards, wallet. */
  async function erase(trx: DatabaseTransaction, actor: Actor, id: string): Promise<Erased | Refusal> {
    const customer = await lockCustomer(trx, id);
    if (!customer) return noSuchSubscriber('subscriber', 'NOT_FOUND');
    const pepRefusal = await pep.refusal(actor, customer, 'record', trx);
    if (pepRefusal) return pepRefusal;
    const at = new Date(clock.now());
    const approvalId = actor.approval?.id ?? null;
    const serials = await cards.retireAll(trx, id, at);
    const retention = await checkErasure(trx, customer, { now: at.getTime(), retentionYears, approvalId });
    if (retention instanceof Refusal) return retention;
    await access.end(trx, { subscriberId: id, reason: 'erased' });
    await eraseRecord(trx, id, at);
    const also = await erasePlaces(trx, customer, approvalId);
    await ownKeys.destroy(trx, id);
    await changeAccount(trx, id, { frozen: true, disabledTypes: [] });
    await audit.record(trx, actor, {
      ...{ action: 'subscriber.erase', resourceType: 'subscriber', resourceId: id, details: { cards: serials.length } },
      also: [...serials.map((serial) => ({ kind: 'card' as const, id: serial })), ...also],
    });
    return { subscriberId: id, at, retention };
  }

  return {
    kind: 'change',
    name: 'privacy.erase',
    action: 'privacy.erase',
    describe: ({ params }) => `Erase the personal data of subscriber ${params.id} for good.`,
    before: async () => ({ personal_data: 'kept' }),
    after: ({ retention: { began, ended } }) => ({
      personal_data: 'erased',
      retention_began: iso(began),
      retention_ended: iso(ended),
    }),
    plan(actor, { params, body }) {
      if (tidy(body.reason) === '') return refuse('INVALID_REQUEST', 'reason is required.');
      return (trx) => erase(trx, actor, params.id);
    },
    reply: ({ subscriberId, at }) =>
      ok({ success: true, message: 'The personal data was erased.', subscriber_id: subscriberId, erased_at: iso(at) }),
    subscriberId: ({ params }) => params.id,
  };
}

function lockCustomer(trx: Queries, id: string) {
  return trx
    .selectFrom('subscribers')
    .select(['id', 'is_pep', 'phone_number', 'phone_verified', 'account_number', 'created_at'])
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** The number is free again. The mark of a politically exposed person stays, because it hides the payments. */
async function eraseRecord(trx: Queries, id: string, at: Date): Promise<void> {
  await trx
    .updateTable('subscribers')
    .set({
      ...{ status: ENDED, erased_at: at, updated_at: at, phone_number: '', phone_verified: false },
      ...{ first_name: '', last_name: '', email: null, date_of_birth: null, address: null },
      ...{ id_number: null, id_type: null, id_document_url: null, selfie_url: null, partner_wallet_id: null },
      ...{ block_reason: null, blocked_at: null, blocked_by: null, disabled_transaction_types: [] },
    })
    .where('id', '=', id)
    .execute();
  await trx.updateTable('pins').set(NO_PIN).where('owner_id', '=', id).execute();
}
