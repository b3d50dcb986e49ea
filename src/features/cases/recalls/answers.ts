// The recipient answers a recall: accepts it with the PIN, which returns the money once, or contests it, which ends the hold.
import type { CustomerActor } from '../../../audit/log.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { iso } from '../../../kernel/clock.ts';
import { CURRENCY } from '../../../kernel/money.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { tidy } from '../../../kernel/text.ts';
import type { Hold } from '../../../ledger/holds/lookup.ts';
import { holderPin } from '../../../parties/holder-pin.ts';
import { type HolderStatus, noSuchSubscriber, subscriberBlocked, walletSide } from '../../../parties/subscriber.ts';
import { newDeviceAllowances } from '../../../payments/new-device.ts';
import type { Allowance, Executed, Receipt } from '../../../payments/plan.ts';
import { type PlannedPayment, runPayment } from '../../../payments/run-payment.ts';
import { type CasesContext, noRecall, noSuchCase } from '../context.ts';
import * as cases from '../store.ts';
import { RECALL } from './holds.ts';
import type { Settling } from './settling.ts';
import * as store from './store.ts';
import { stateAt } from './view.ts';

export interface Acceptance {
  pin: string;
  requestId: string;
}

interface Found {
  recall: cases.Recall;
  hold: Hold;
  recipient: HolderStatus;
}

export function createAnswers(context: CasesContext, settling: Settling) {
  const { database, audit, payments, findHold, holders, pins, books, clock } = context;
  const { queries } = database;

  /** A recall that asks this customer. */
  async function recallFor({ caller }: CustomerActor, caseId: string): Promise<cases.Recall | Refusal> {
    const recall = await store.findRecall(queries, caseId);
    if (!recall) return (await isOwnCase(caller.id, caseId)) ? noRecall() : noSuchCase();
    if (recall.recipient_id === caller.id && recall.asked_at !== null) return recall;
    return recall.sender_id === caller.id ? noRecall() : noSuchCase();
  }

  async function isOwnCase(subscriberId: string, caseId: string): Promise<boolean> {
    return (await cases.findCase(queries, caseId))?.subscriber_id === subscriberId;
  }

  async function find(actor: CustomerActor, caseId: string): Promise<Found | Refusal> {
    const recall = await recallFor(actor, caseId);
    if (recall instanceof Refusal) return recall;
    const [hold, recipient] = await Promise.all([
      recall.hold_id === null ? null : findHold(recall.hold_id),
      holders.statusById(actor.caller.id),
    ]);
    if (!hold) return noRecall();
    return recipient ? { recall, hold, recipient } : noSuchSubscriber();
  }

  function endedRefusal({ recall, hold }: Found): Refusal | null {
    const now = clock.now();
    if (hold.outcome === null && hold.expires_at.getTime() > now) return null;
    if (hold.outcome === 'captured' || hold.outcome === 'released') return recallEnded();
    return stateAt(recall, now) === 'expired' || hold.expires_at.getTime() <= now ? expired() : recallEnded();
  }

  function plan(actor: CustomerActor, { recall, hold }: Found, requestId: string): PlannedPayment {
    const { transfer_id, case_id, sender_id, recipient_id, amount } = recall;
    return {
      payer: walletSide(recipient_id, 'sender'),
      // The sender gets it back even if blocked since, or with a wallet that is full.
      payee: { ...walletSide(sender_id, 'recipient'), exempt: { frozen: true, ceiling: true } },
      relatedId: transfer_id,
      details: { hold_id: hold.id, case_id, transaction_id: transfer_id },
      captures: hold,
      validUntil: { at: hold.expires_at.getTime(), refusal: expired },
      allowances: [returnedTotal(transfer_id, amount), ...newDeviceAllowances(actor.caller)],
      reply: (receipt) => acceptedReply(receipt, case_id, requestId),
      rows: (receipt) => [
        audit.outboxRow(actor, {
          ...{ action: 'case.accept', resourceType: 'case', resourceId: case_id },
          details: { transaction_id: receipt.transactionId, transfer_id, amount: receipt.amount },
        }),
      ],
    };
  }

  function accept(actor: CustomerActor, caseId: string, input: Acceptance, most: number): Promise<Executed | Refusal> {
    const { caller } = actor;
    const { pin, requestId } = input;
    return runPayment<Found>(payments, {
      type: RECALL,
      actor,
      options: { requestId },
      request: { party: caller.id, details: [RECALL, caseId] },
      pin: holderPin(pins, caller, caller.id, pin),
      find: () => find(actor, caseId),
      about: () => [caller.id],
      refusal: (found) => (found.recipient.status === 'ACTIVE' ? endedRefusal(found) : subscriberBlocked()),
      amount: ({ hold }) => Math.min(hold.amount, most),
      plan: (found) => plan(actor, found, requestId),
      // Of the same request, sent twice at once, the second finds the movement of the first.
      happensOnce: true,
    });
  }

  /** A reversal can have taken more than was free: what is left of the hold is returned. */
  async function leftOf(caseId: string): Promise<number> {
    const recall = await store.findRecall(queries, caseId);
    const hold = recall?.hold_id ? await findHold(recall.hold_id) : null;
    const account = recall && (await books.balance(recall.recipient_id));
    return hold && account ? Math.max(0, account.balance - (account.held - hold.reserved)) : 0;
  }

  return {
    async accept(actor: CustomerActor, caseId: string, input: Acceptance): Promise<Executed | Refusal> {
      let outcome = await accept(actor, caseId, input, Number.MAX_SAFE_INTEGER);
      if (outcome instanceof Refusal && outcome.code === 'INSUFFICIENT_BALANCE') {
        const left = await leftOf(caseId);
        if (left > 0) outcome = await accept(actor, caseId, input, left);
      }
      if (!(outcome instanceof Refusal)) await settling.settleSoon(caseId);
      return outcome instanceof Refusal && outcome.code === 'ALREADY_CAPTURED' ? recallEnded() : outcome;
    },

    /** Null: the hold ends, or stays because staff extended it. */
    async contest(actor: CustomerActor, caseId: string, reason: string | undefined): Promise<Refusal | null> {
      const found = await find(actor, caseId);
      if (found instanceof Refusal) return found;
      const noted = await database.transact((trx) => noteContest(trx, actor, caseId, reason));
      if (noted instanceof Refusal) return noted;
      await settling.settleSoon(caseId);
      const after = await store.findRecall(queries, caseId);
      // The money was returned, or the hold ended, at the same instant.
      if (after?.state === 'returned') return recallEnded();
      return after?.state === 'expired' ? expired() : null;
    },
  };

  async function noteContest(
    trx: DatabaseTransaction,
    actor: CustomerActor,
    caseId: string,
    reason: string | undefined,
  ): Promise<Refusal | null> {
    await cases.lockCase(trx, caseId);
    const recall = await store.lockRecall(trx, caseId);
    if (!recall) return noRecall();
    const state = stateAt(recall, clock.now());
    if (state !== 'asked') return state === 'expired' ? expired() : recallEnded();
    if (recall.contested_at !== null) return null;
    await store.updateRecall(trx, caseId, { contested_at: new Date(clock.now()) });
    const text = reason === undefined ? null : tidy(reason) || null;
    await cases.addEvent(trx, clock, caseId, actor.caller, { kind: 'contest', text });
    const about = { resourceType: 'case', resourceId: caseId, details: { transaction_id: recall.transfer_id } };
    await audit.record(trx, actor, { action: 'case.contest', ...about });
    return null;
  }
}

/** However it is returned, in parts or not, no more than the amount of the transfer. */
export function returnedTotal(transferId: string, amount: number): Allowance {
  return { id: `${RECALL}:${transferId}`, limit: amount, refusal: () => recallEnded() };
}

export function recallEnded(): Refusal {
  return refuse('RECALL_ENDED', 'The recall has been answered, or has ended.');
}

function expired(): Refusal {
  return refuse('EXPIRED', 'The time to answer is over: the money is available again.');
}

function acceptedReply(receipt: Receipt, caseId: string, requestId: string) {
  return {
    success: true,
    message: 'The transfer was returned.',
    transaction_id: receipt.transactionId,
    request_id: requestId,
    status: 'COMPLETED',
    amount: receipt.amount,
    currency: CURRENCY,
    case_id: caseId,
    balance: receipt.payerBalance,
    created_at: iso(receipt.at),
  };
}
