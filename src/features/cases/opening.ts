// Opens a case: with a number and its deadlines, and one at a time for each payment of a customer.
import type { Actor } from '../../audit/log.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { newId } from '../../kernel/ids.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { StoredMovement } from '../../ledger/queries/movement-lookup.ts';
import { noSuchSubscriber } from '../../parties/subscriber.ts';
import type { Clocks } from './clocks/clocks.ts';
import { deadlines } from './clocks/clocks.ts';
import type { CasesContext } from './context.ts';
import { newCaseNumber } from './numbers.ts';
import * as store from './store.ts';
import type { CaseChannel, CaseKind } from './tables.ts';

export interface NewCase {
  kind: CaseKind;
  subscriberId: string;
  transactionId: string | null;
  description: string;
  channel: CaseChannel;
  /** Of the chat message that opened it. */
  messageId?: string;
}

const MOST_TRIES = 100;

export type OpenCase = ReturnType<typeof createOpening>;

export function createOpening({ audit, clock }: Pick<CasesContext, 'audit' | 'clock'>, clocks: Clocks) {
  async function insert(trx: DatabaseTransaction, actor: Actor, input: NewCase): Promise<store.CaseRow> {
    const now = clock.now();
    const at = new Date(now);
    const byStaff = input.channel === 'staff';
    const row = {
      ...{ id: newId('case', clock), kind: input.kind, state: 'open' as const, channel: input.channel },
      ...{ subscriber_id: input.subscriberId, transaction_id: input.transactionId },
      description: input.description.trim(),
      ...{ opened_by_type: actor.caller.kind, opened_by_id: String(actor.caller.id) },
      ...deadlines(await clocks.at(trx, now), now),
      ...{ assignee_id: null, is_complex: false, closed_at: null, created_at: at, updated_at: at },
      acknowledged_at: byStaff ? at : null,
    } as const;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const numbered = { ...row, number: newCaseNumber(now) };
      if (await store.insertCase(trx, numbered)) return numbered;
    }
    throw new Error('no number is left for a case');
  }

  /** The customer stays locked until the transaction ends. */
  return async function open(trx: DatabaseTransaction, actor: Actor, input: NewCase): Promise<store.CaseRow | Refusal> {
    const { subscriberId, transactionId, kind, channel, messageId } = input;
    if (!(await store.lockCustomer(trx, subscriberId))) return noSuchSubscriber('subscriber', 'NOT_FOUND');
    const before = transactionId === null ? undefined : await store.openCaseAbout(trx, subscriberId, transactionId);
    if (before) return caseExists(before);
    const row = await insert(trx, actor, input);
    const about = messageId === undefined ? { channel } : { channel, message_id: messageId };
    await store.addEvent(trx, clock, row.id, actor.caller, { kind: 'opened', details: about, isShown: true });
    await audit.record(trx, actor, {
      ...{ action: 'case.open', resourceType: 'case', resourceId: row.id },
      details: { number: row.number, kind, subscriber_id: subscriberId, transaction_id: transactionId },
    });
    return row;
  };
}

/** A payment that the customer made or received. */
export async function findOwnPayment(
  { movements }: Pick<CasesContext, 'movements'>,
  subscriberId: string,
  transactionId: string | undefined,
): Promise<StoredMovement | null | Refusal> {
  if (transactionId === undefined) return null;
  const movement = await movements.byId(transactionId);
  const isOwn = movement?.fromAccount === subscriberId || movement?.toAccount === subscriberId;
  return isOwn ? movement : refuse('NOT_FOUND', 'The customer has no such payment.');
}

export function caseExists({ id, number }: { id: string; number: string }): Refusal {
  const sentence = `The case ${number} about this payment is open.`;
  return refuse('CASE_EXISTS', sentence, { details: { case_id: id, case_number: number } });
}
