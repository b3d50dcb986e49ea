// Raises a level-1 subscriber to level 2 with documents that were uploaded, when a second user has approved an agent's request.
import type { Actor } from '../../audit/log.ts';
import { isAgentUser } from '../../auth/caller.ts';
import type { DatabaseTransaction, Queries } from '../../db/database.ts';
import { kycLimits } from '../../kernel/kyc.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { changeAccount } from '../../ledger/accounts.ts';
import { isUnverified, notVerified } from '../../parties/registration.ts';
import { RESOURCE, type SubscriberContext } from './context.ts';
import { birthRefusal, documentRefusal } from './input.ts';
import type { SubscriberRow } from './record.ts';
import { updateSubscriber } from './store.ts';
import { agentRefusal, identityRefusal } from './update.ts';

export type Identity = Pick<SubscriberRow, 'id_type' | 'id_number'> & { date_of_birth?: string };

const LEVEL = 2;

export function createLevels({ audit, pep, clock }: Pick<SubscriberContext, 'audit' | 'pep' | 'clock'>) {
  /** Why the caller may not file documents or an identity for this subscriber. */
  async function filingRefusal(trx: Queries, actor: Actor, row: SubscriberRow): Promise<Refusal | null> {
    const { caller } = actor;
    // An agent is refused in the same way whoever the subscriber is.
    const refusal = isAgentUser(caller) ? agentRefusal(caller, row) : await pep.refusal(actor, row, 'record', trx);
    if (refusal) return refusal;
    if (isUnverified(row)) return notVerified('Enter the code first.');
    return identityRefusal(caller, row, ['id_document_url']);
  }

  /** Checks the record as it would be. */
  function refusal(before: SubscriberRow, identity: Identity): Refusal | null {
    if (before.status !== 'ACTIVE') return refuse('NOT_ACTIVE', `The subscriber is ${before.status}.`);
    if (before.kyc_level >= LEVEL)
      return refuse('RECORD_CHANGED', `The subscriber is at KYC level ${before.kyc_level}.`);
    const after = { ...before, ...identity, kyc_level: LEVEL };
    return birthRefusal(identity.date_of_birth, clock) ?? documentRefusal(after, ['id_number', 'kyc_level']);
  }

  /**
   * Before the approval nothing is written: the index of identities would tell the agent whether somebody else has this
   * document. The approver gets its refusal.
   */
  async function raise(
    trx: DatabaseTransaction,
    actor: Actor,
    before: SubscriberRow,
    identity: Identity,
  ): Promise<SubscriberRow> {
    const change = { ...identity, kyc_level: LEVEL };
    const { maxBalance: ceiling, dailyLimit } = kycLimits(LEVEL);
    const isApproved = actor.approval !== undefined;
    const row = isApproved
      ? await updateSubscriber(trx, before.id, { ...change, updated_at: new Date(clock.now()) })
      : { ...before, ...change };
    if (isApproved) await changeAccount(trx, before.id, { ceiling, dailyLimit });
    await audit.record(trx, actor, {
      action: 'subscriber.update',
      resourceType: RESOURCE,
      resourceId: before.id,
      details: { fields: Object.keys(change), kyc_level: { from: before.kyc_level, to: LEVEL } },
    });
    return row;
  }

  return { filingRefusal, refusal, raise };
}
