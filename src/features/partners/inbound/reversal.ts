// Takes a completed credit back: once, from the wallet to what the partner owes, and the partner is told why.
import { type Actor, inboxRow } from '../../../audit/log.ts';
import { iso } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { tidy } from '../../../kernel/text.ts';
import { outstandingOf, type PartnerRow } from '../../../parties/partner.ts';
import type { Done, Executed, Payment } from '../../../payments/execute.ts';
import { webhookRows } from '../../../webhooks/event.ts';
import { type InboundContext, partnerOf } from './context.ts';
import type { InboundRecord } from './record.ts';
import type { ReversalBody } from './schemas.ts';
import { recordById } from './store.ts';

export interface ReversalRequest {
  inboundId: string;
  given: ReversalBody;
  /** Of the body or the header; null: nothing is deduplicated. */
  requestId: string | null;
}

/** What there is to reverse; the subscriber and the movement of a completed credit are always known. */
interface Credited extends InboundRecord {
  subscriber_id: string;
  transaction_id: string;
}

const TYPE = 'inbound_reversal';
const NO_FEES: [] = [];

export function reversing({ database, payments, findPartner, webhooks, pep, clock }: InboundContext) {
  return async function reverse(actor: Actor, asked: ReversalRequest): Promise<Executed | Refusal> {
    const request = requestOf(actor, asked);
    const answered = async () => request && (await payments.replay(TYPE, request));
    const before = await answered();
    if (before) return before;
    const record = await recordById(database.queries, asked.inboundId);
    if (!record) return refuse('NOT_FOUND', 'There is no such inbound transaction.');
    const withheld = await pep.refusalOf(actor, record.subscriber_id, 'payment');
    if (withheld) return withheld;
    // By this very request, perhaps, sent twice and carried out between the two look-ups: then its answer is the one to give.
    if (record.reversed_at !== null) return (await answered()) ?? alreadyReversed();
    if (!isCredited(record)) return refuse('NOT_REVERSIBLE', `The credit is ${record.status}: nothing to reverse.`);
    const partner = await partnerOf(findPartner, record.partner_id);
    const outcome = await payments.execute(paymentOf(actor, asked, record, partner), NO_FEES);
    if (!(outcome instanceof Refusal) && partner.webhook_url !== null) webhooks.wake();
    return outcome;
  };

  function paymentOf(actor: Actor, asked: ReversalRequest, record: Credited, partner: PartnerRow): Payment {
    const allowNegative = asked.given.allow_negative ?? false;
    return {
      type: TYPE,
      // A blocked wallet is debited too: what blocked it may be why the credit is taken back.
      payer: {
        accountId: record.subscriber_id,
        party: 'sender',
        mayPass: { frozen: true, ...(allowNegative ? { floor: true } : {}) },
        refusals: { floor: spent },
      },
      // What the partner has settled meanwhile is then owed to it.
      payee: { accountId: partner.id, party: 'recipient', mayPass: { frozen: true, ceiling: true } },
      amount: record.net_credited,
      countsDaily: false,
      request: requestOf(actor, asked),
      reference: record.reference,
      narration: record.narration,
      relatedId: record.transaction_id,
      details: { inbound_id: record.id },
      // All of the credit, once: of reversals that race the first one takes it, under lock.
      allowances: [{ id: `reverse:${record.id}`, limit: record.net_credited, refusal: alreadyReversed }],
      reply: (done) => replyOf(asked, record, done),
      beside: (done) => [
        { table: 'inbound_reversals', row: reversalRow(actor, asked, record, done) },
        { table: 'audit_inbox', row: auditRow(actor, asked, record, done) },
        ...webhookRows(eventOf(asked, record, partner, done), clock),
      ],
    };
  }

  function auditRow(actor: Actor, { given }: ReversalRequest, record: Credited, done: Done): object {
    const details = {
      partner_id: record.partner_id,
      reference: record.reference,
      subscriber_id: record.subscriber_id,
      transaction_id: done.transactionId,
      original_transaction_id: record.transaction_id,
      amount: done.amount,
      balance: done.payerBalance,
      reason: reasonOf(given),
      allow_negative: given.allow_negative ?? false,
    };
    return inboxRow(
      actor,
      { action: 'inbound.reverse', resourceType: 'inbound', resourceId: record.id, details },
      clock,
    );
  }
}

function requestOf({ caller }: Actor, { inboundId, given, requestId }: ReversalRequest) {
  if (requestId === null) return null;
  return { scope: String(caller.id), id: requestId, same: [inboundId, reasonOf(given), given.allow_negative ?? false] };
}

function reasonOf({ reason }: ReversalBody): string {
  return tidy(reason);
}

function isCredited(record: InboundRecord): record is Credited {
  return record.status === 'COMPLETED';
}

function alreadyReversed(): Refusal {
  return refuse('ALREADY_REVERSED', 'The credit has been reversed already.');
}

function spent(): Refusal {
  const sentence = 'The wallet holds less than was credited. With allow_negative it may go below zero.';
  return refuse('INSUFFICIENT_BALANCE', sentence);
}

function replyOf({ given, requestId }: ReversalRequest, record: Credited, done: Done) {
  return {
    success: true,
    message: 'The credit was reversed.',
    inbound_id: record.id,
    partner_id: record.partner_id,
    reference: record.reference,
    status: 'REVERSED',
    transaction_id: done.transactionId,
    original_transaction_id: record.transaction_id,
    request_id: requestId,
    subscriber_id: record.subscriber_id,
    amount: done.amount,
    currency: record.currency,
    reason: reasonOf(given),
    balance: done.payerBalance,
    partner_outstanding: outstandingOf(done.payeeBalance),
    created_at: iso(done.at),
  };
}

function reversalRow({ caller }: Actor, { given }: ReversalRequest, record: Credited, done: Done) {
  return {
    inbound_id: record.id,
    transaction_id: done.transactionId,
    reason: reasonOf(given),
    allow_negative: given.allow_negative ?? false,
    reversed_by: caller.id,
    reversed_at: new Date(done.at),
  };
}

function eventOf({ given }: ReversalRequest, record: Credited, partner: PartnerRow, done: Done) {
  const { reference, amount, fee, currency, subscriber_id: subscriberId, transaction_id: transactionId } = record;
  const facts = { partner, reference, inboundId: record.id, amount, fee, currency, subscriberId, transactionId };
  return { event: 'credit.reversed', ...facts, occurredAt: done.at, reason: reasonOf(given) } as const;
}
