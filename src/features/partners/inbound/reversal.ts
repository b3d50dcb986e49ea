// Reverses a completed credit once: debits the wallet, credits the partner's clearing account, and sends a webhook.
import type { Actor } from '../../../audit/log.ts';
import type { OutboxRow } from '../../../db/outbox-table.ts';
import { iso } from '../../../kernel/clock.ts';
import { formatMoney } from '../../../kernel/money.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { tidy } from '../../../kernel/text.ts';
import { createArchives } from '../../../ledger/queries/archives.ts';
import { outstandingOf, type PartnerRow } from '../../../parties/partner.ts';
import { ENDED } from '../../../parties/registration.ts';
import { walletSide } from '../../../parties/subscriber.ts';
import { type ApprovalTerms, type Executed, OPERATOR, type Receipt, type Side } from '../../../payments/plan.ts';
import { nobody, type PlannedPayment, runPayment } from '../../../payments/run-payment.ts';
import { webhookRows } from '../../../webhooks/event.ts';
import type { PaymentOperation } from '../../approvals/service.ts';
import { type InboundContext, partnerOf } from './context.ts';
import type { InboundRecord } from './record.ts';
import type { ReversalBody } from './schemas.ts';
import { creditMovement, INBOUND_REVERSALS, recordById } from './store.ts';

export interface ReversalRequest {
  inboundId: string;
  body: ReversalBody;
  /** From the body or the header; null: a retry is a new request. */
  requestId: string | null;
  approval?: ApprovalTerms | undefined;
}

/** A completed credit: its subscriber and movement are known. */
interface Credited extends InboundRecord {
  subscriber_id: string;
  transaction_id: string;
}

/** A credit that can be reversed, with what the ledger credited. */
interface Reversible {
  record: Credited;
  partner: PartnerRow;
  credited: number;
  holderStatus: string;
}

const TYPE = 'inbound_reversal';

export function createReversal(context: InboundContext): PaymentOperation<{ inbound_id: string }, ReversalBody> {
  const reverse = createReverse(context);
  return {
    kind: 'payment',
    name: 'inbound.reverse',
    action: 'inbound.reverse',
    movementType: TYPE,
    party: () => OPERATOR,
    describe: ({ params }, amount) => `Reverse the inbound credit ${params.inbound_id} of ${formatMoney(amount)}.`,
    execute: (actor, { params, body }, { requestId, approval }) =>
      reverse(actor, { inboundId: params.inbound_id, body, requestId, approval }),
  };
}

function createReverse(context: InboundContext) {
  const { database, audit, payments, holders, findPartner, webhooks, pep, clock } = context;
  const archives = createArchives(database.reader);
  return async function reverse(actor: Actor, request: ReversalRequest): Promise<Executed | Refusal> {
    const { inboundId, body, requestId, approval } = request;
    const outcome = await runPayment(payments, {
      type: TYPE,
      actor,
      options: { requestId, approval },
      request: { party: OPERATOR, details: [inboundId, reasonOf(body), body.allow_negative ?? false] },
      mayAct: ({ fromAccount }) => pep.refusalOf(actor, fromAccount, 'payment'),
      find: () => findCredit(actor, inboundId),
      about: nobody,
      amount: ({ credited }) => credited,
      plan: (found) => planOf(actor, request, found),
      happensOnce: true,
    });
    if (!(outcome instanceof Refusal)) webhooks.wake();
    return outcome;
  };

  async function findCredit(actor: Actor, inboundId: string): Promise<Reversible | Refusal> {
    const record = await recordById(database.queries, inboundId);
    const notFound = refuse('NOT_FOUND', 'There is no such inbound transaction.');
    if (!record) return notFound;
    const pepRefusal = await pep.concealing(actor, [record.subscriber_id], 'payment', notFound);
    if (pepRefusal) return pepRefusal;
    if (record.reversed_at !== null) return alreadyReversed();
    if (!isCredited(record)) return refuse('NOT_REVERSIBLE', `The credit is ${record.status} and cannot be reversed.`);
    const [partner, holder] = await Promise.all([
      partnerOf(findPartner, record.partner_id),
      holders.statusById(record.subscriber_id),
    ]);
    if (!holder) throw new Error(`there is no subscriber ${record.subscriber_id}`);
    if (holder.status === ENDED) return erased();
    const credited = await creditedBy(record);
    return credited instanceof Refusal ? credited : { record, partner, credited, holderStatus: holder.status };
  }

  /** What the ledger credited. The record must say the same; if it does not, it was tampered with. */
  async function creditedBy({
    id,
    transaction_id,
    subscriber_id,
    partner_id,
    net_credited,
  }: Credited): Promise<number | Refusal> {
    const movement = await creditMovement(database.queries, transaction_id);
    const archived = movement ? null : await archives.refusalOf(transaction_id);
    if (archived) return archived;
    const isSame = movement?.to_account === subscriber_id && movement.from_account === partner_id;
    if (!isSame || movement.credited !== net_credited) throw new Error(`the record of ${id} differs from its movement`);
    return movement.credited;
  }

  function planOf(actor: Actor, request: ReversalRequest, found: Reversible): PlannedPayment {
    const { record, partner, credited } = found;
    return {
      payer: payerOf(request, found),
      // If the partner has settled since, the operator owes it the difference.
      payee: {
        accountId: partner.id,
        kind: 'partner_clearing',
        party: 'recipient',
        exempt: { frozen: true, ceiling: true },
      },
      reference: record.reference,
      narration: record.narration,
      relatedId: record.transaction_id,
      details: { inbound_id: record.id },
      // The whole credit, once: the allowance is checked under lock, so one of several concurrent reversals wins.
      allowances: [{ id: `reverse:${record.id}`, limit: credited, refusal: alreadyReversed }],
      reply: (receipt) => replyOf(request, record, receipt),
      rows: (receipt) => [
        { table: INBOUND_REVERSALS, row: reversalRow(actor, request, record, receipt) },
        auditRow(actor, request, record, receipt),
        ...webhookRows(eventOf(request, record, partner, receipt), clock),
      ],
    };
  }

  function auditRow(actor: Actor, { body }: ReversalRequest, record: Credited, receipt: Receipt): OutboxRow {
    const details = {
      partner_id: record.partner_id,
      reference: record.reference,
      subscriber_id: record.subscriber_id,
      transaction_id: receipt.transactionId,
      original_transaction_id: record.transaction_id,
      amount: receipt.amount,
      balance: receipt.payerBalance,
      reason: reasonOf(body),
      allow_negative: body.allow_negative ?? false,
    };
    return audit.outboxRow(actor, {
      action: 'inbound.reverse',
      resourceType: 'inbound',
      resourceId: record.id,
      details,
    });
  }
}

/**
 * A blocked wallet is debited too: it may have been blocked because of this credit. An active one is not exempt, so that it is
 * not debited if it is erased before the ledger has its lock.
 */
function payerOf({ body }: ReversalRequest, { record, holderStatus }: Reversible): Side {
  const floor = body.allow_negative ? { floor: true as const } : {};
  const side = { ...walletSide(record.subscriber_id, 'sender'), refusals: { floor: balanceTooLow } };
  if (holderStatus === 'ACTIVE') return { ...side, exempt: floor, retryWhenFrozen: true };
  return { ...side, exempt: { ...floor, frozen: true } };
}

function reasonOf({ reason }: ReversalBody): string {
  return tidy(reason);
}

function isCredited(record: InboundRecord): record is Credited {
  return record.status === 'COMPLETED';
}

function alreadyReversed(): Refusal {
  return refuse('ALREADY_REVERSED', 'The credit has already been reversed.');
}

function erased(): Refusal {
  return refuse('SUBSCRIBER_BLOCKED', "The customer's personal data was erased: the wallet can no longer be debited.");
}

function balanceTooLow(): Refusal {
  const sentence = "The wallet's balance is less than the credit. Set allow_negative to let it become negative.";
  return refuse('INSUFFICIENT_BALANCE', sentence);
}

function replyOf({ body, requestId }: ReversalRequest, record: Credited, receipt: Receipt) {
  return {
    success: true,
    message: 'The credit was reversed.',
    inbound_id: record.id,
    partner_id: record.partner_id,
    reference: record.reference,
    status: 'REVERSED',
    transaction_id: receipt.transactionId,
    original_transaction_id: record.transaction_id,
    request_id: requestId,
    subscriber_id: record.subscriber_id,
    amount: receipt.amount,
    currency: record.currency,
    reason: reasonOf(body),
    balance: receipt.payerBalance,
    partner_outstanding: outstandingOf(receipt.payeeBalance),
    created_at: iso(receipt.at),
  };
}

function reversalRow({ caller }: Actor, { body }: ReversalRequest, record: Credited, receipt: Receipt) {
  return {
    inbound_id: record.id,
    transaction_id: receipt.transactionId,
    reason: reasonOf(body),
    allow_negative: body.allow_negative ?? false,
    reversed_by: caller.id,
    reversed_at: new Date(receipt.at),
  };
}

function eventOf({ body }: ReversalRequest, record: Credited, partner: PartnerRow, receipt: Receipt) {
  const { reference, amount, fee, currency, subscriber_id: subscriberId, transaction_id: transactionId } = record;
  const facts = { partner, reference, inboundId: record.id, amount, fee, currency, subscriberId, transactionId };
  return { event: 'credit.reversed', ...facts, occurredAt: receipt.at, reason: reasonOf(body) } as const;
}
