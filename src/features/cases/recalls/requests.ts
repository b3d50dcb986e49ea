// The sender asks for a transfer back: within the rules the recipient is asked at once, otherwise staff decide.
import type { CustomerActor } from '../../../audit/log.ts';
import { pinFormRefusal, pinRefusal } from '../../../auth/pins/refusals.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { StoredMovement } from '../../../ledger/queries/movement-lookup.ts';
import { subscriberBlocked } from '../../../parties/subscriber.ts';
import type { CasesContext } from '../context.ts';
import * as cases from '../store.ts';
import type { RecallRule } from '../tables.ts';
import { ruleOfSender, ruleOfTransfer } from './rules.ts';
import * as store from './store.ts';

export function createRequests(context: CasesContext) {
  const { audit, holders, pins, clock } = context;

  return {
    /** The PIN confirms that it is the sender who asks. */
    async confirmationRefusal({ caller }: CustomerActor, pin: string): Promise<Refusal | null> {
      const malformed = pinFormRefusal(pin);
      if (malformed) return malformed;
      const holder = await holders.statusById(caller.id);
      if (holder?.status !== 'ACTIVE') return subscriberBlocked();
      const verdict = await pins.verify(caller, caller.id, pin);
      return verdict.outcome === 'right' ? null : pinRefusal(verdict, 'customer');
    },

    /** Before the transaction: it reads the sender's history. */
    ruleOf: (transfer: StoredMovement) => ruleOfTransfer(context, transfer),

    /** The transaction has locked the sender. False: the transfer has been recalled before. */
    async add(
      trx: DatabaseTransaction,
      actor: CustomerActor,
      row: cases.CaseRow,
      transfer: StoredMovement,
      ofTransfer: RecallRule | null,
    ): Promise<boolean> {
      const now = clock.now();
      const rule = ofTransfer ?? (await ruleOfSender(trx, transfer.fromAccount, now));
      const recall = {
        ...{ case_id: row.id, transfer_id: transfer.id, amount: transfer.amount },
        ...{ sender_id: transfer.fromAccount, recipient_id: transfer.toAccount },
        state: rule === null ? ('placing' as const) : ('staff_decides' as const),
        ...{ outside_rule: rule, confirmed_at: new Date(now) },
      };
      if (!(await store.insertRecall(trx, recall))) return false;
      const event = { kind: 'recall_confirmed', details: { outside_rule: rule }, isShown: true };
      await cases.addEvent(trx, clock, row.id, actor.caller, event);
      await audit.record(trx, actor, {
        ...{ action: 'case.confirm', resourceType: 'case', resourceId: row.id },
        details: { transaction_id: transfer.id, outside_rule: rule },
      });
      return true;
    },
  };
}

export type Requests = ReturnType<typeof createRequests>;

export function needsTransaction(): Refusal {
  return refuse('INVALID_REQUEST', 'transaction_id is required: the transfer that you want back.');
}
