// Resolves an item of the suspense account once: its partner is identified and owes the amount, or the wallet pays it back.
import type { Actor } from '../../../audit/log.ts';
import type { OutboxRow } from '../../../db/outbox-table.ts';
import { iso } from '../../../kernel/clock.ts';
import { CURRENCY, formatMoney } from '../../../kernel/money.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { tidy } from '../../../kernel/text.ts';
import { SUSPENSE } from '../../../ledger/system-accounts.ts';
import { noSuchPartner, outstandingOf, partnerSide } from '../../../parties/partner.ts';
import { walletSide } from '../../../parties/subscriber.ts';
import { type ApprovalTerms, type Executed, OPERATOR, type Receipt, type Side } from '../../../payments/plan.ts';
import { nobody, runPayment } from '../../../payments/run-payment.ts';
import type { PaymentOperation } from '../../approvals/service.ts';
import type { SuspenseContext } from './context.ts';
import type { ResolveBody } from './schemas.ts';
import { itemById, type SuspenseItem } from './store.ts';

interface ResolveParams {
  transaction_id: string;
}

export type ResolveOperation = PaymentOperation<ResolveParams, ResolveBody>;

interface ResolveRequest {
  transactionId: string;
  body: ResolveBody;
  /** From the body or the header; null: a retry is a new request. */
  requestId: string | null;
  approval?: ApprovalTerms | undefined;
}

export interface ResolveOperations {
  toPartner: ResolveOperation;
  refund: ResolveOperation;
}

export function createResolutions(context: SuspenseContext): ResolveOperations {
  const resolve = createResolve(context);
  const operation = { kind: 'payment', action: 'suspense.resolve', party: () => OPERATOR } as const;
  const execute: ResolveOperation['execute'] = (actor, { params, body }, { requestId, approval }) =>
    resolve(actor, { transactionId: params.transaction_id, body, requestId, approval });
  return {
    toPartner: {
      ...{ ...operation, name: 'suspense.resolve', movementType: 'suspense_resolution', execute },
      describe: ({ params, body }, amount) =>
        `Charge ${formatMoney(amount)} of suspense item ${params.transaction_id} to partner ${body.partner_id}.`,
    },
    refund: {
      ...{ ...operation, name: 'suspense.refund', movementType: 'suspense_refund', execute },
      describe: ({ params }, amount) =>
        `Take ${formatMoney(amount)} of suspense item ${params.transaction_id} back from the wallet.`,
    },
  };
}

function createResolve({ database, audit, payments, findPartner, pep }: SuspenseContext) {
  return async function resolve(actor: Actor, request: ResolveRequest): Promise<Executed | Refusal> {
    const { transactionId, body, requestId, approval } = request;
    const { partner_id: partnerId, refund } = body;
    if ((partnerId === undefined) === (refund === undefined)) return notExactlyOne();
    const reason = tidy(body.reason);
    if (reason === '') return refuse('INVALID_REQUEST', 'reason must not be blank.');
    const isRefund = partnerId === undefined;
    return runPayment(payments, {
      type: isRefund ? 'suspense_refund' : 'suspense_resolution',
      actor,
      options: { requestId, approval },
      request: { party: OPERATOR, details: [transactionId, partnerId ?? null, reason] },
      mayAct: ({ fromAccount }) => (isRefund ? pep.refusalOf(actor, fromAccount, 'payment') : null),
      find: () => findItem(actor, transactionId, partnerId),
      about: nobody,
      amount: (item) => item.amount,
      plan: (item) => ({
        payer: isRefund ? refundingWallet(item) : owingPartner(partnerId),
        payee: { accountId: SUSPENSE, kind: 'suspense', party: 'recipient' },
        reference: item.reference,
        relatedId: transactionId,
        details: { reason },
        // The whole item, once: the allowance is checked under lock, so one of several concurrent requests wins.
        allowances: [{ id: itemTotal(transactionId), limit: item.amount, refusal: alreadyResolved }],
        reply: (receipt) => replyOf(request, reason, receipt),
        rows: (receipt) => [auditRow(actor, item, { partnerId, reason }, receipt)],
      }),
      happensOnce: true,
    });
  };

  async function findItem(actor: Actor, id: string, partnerId: string | undefined): Promise<SuspenseItem | Refusal> {
    const item = await itemById(database.queries, id);
    const notFound = refuse('NOT_FOUND', 'There is no such item in the suspense account.');
    if (!item) return notFound;
    const pepRefusal = await pep.concealing(actor, [item.subscriber_id], 'payment', notFound);
    if (pepRefusal) return pepRefusal;
    if (item.isResolved) return alreadyResolved();
    return partnerId === undefined || (await findPartner(partnerId)) ? item : noSuchPartner();
  }

  function auditRow(
    actor: Actor,
    item: SuspenseItem,
    { partnerId, reason }: { partnerId: string | undefined; reason: string },
    { transactionId, amount }: Receipt,
  ): OutboxRow {
    const { transaction_id: original_transaction_id, subscriber_id, reference } = item;
    const resolved =
      partnerId === undefined ? { resolution: 'refund' } : { resolution: 'partner', partner_id: partnerId };
    const details = { ...resolved, transaction_id: transactionId, subscriber_id, amount, reference, reason };
    const resource = { resourceType: 'suspense', resourceId: original_transaction_id };
    return audit.outboxRow(actor, { action: 'suspense.resolve', ...resource, details });
  }
}

/** The running total resolved of an item. */
export function itemTotal(transactionId: string): string {
  return `resolve:${transactionId}`;
}

/**
 * The wallet has the money already: naming the debtor creates no new debt. So neither the outstanding limit nor a suspension
 * prevents it, and the limit then refuses the partner's new credits until it has settled.
 */
function owingPartner(partnerId: string): Side {
  return { ...partnerSide({ id: partnerId }), exempt: { frozen: true, floor: true } };
}

/** A blocked wallet is debited too: it may have been blocked because of this credit. It never becomes negative. */
function refundingWallet({ subscriber_id }: SuspenseItem): Side {
  return { ...walletSide(subscriber_id, 'sender'), exempt: { frozen: true }, refusals: { floor: balanceTooLow } };
}

function notExactlyOne(): Refusal {
  return refuse('INVALID_REQUEST', 'Exactly one of partner_id and refund must be set.');
}

function alreadyResolved(): Refusal {
  return refuse('ALREADY_RESOLVED', 'The item has already been resolved.');
}

function balanceTooLow(): Refusal {
  const sentence =
    "The wallet's balance is less than the item. Find the partner that owes it, or wait until it is covered.";
  return refuse('INSUFFICIENT_BALANCE', sentence);
}

function replyOf({ transactionId, body, requestId }: ResolveRequest, reason: string, receipt: Receipt) {
  const { partner_id: partnerId } = body;
  return {
    success: true,
    message: partnerId === undefined ? 'The amount was taken back.' : 'The item was charged to the partner.',
    transaction_id: receipt.transactionId,
    original_transaction_id: transactionId,
    request_id: requestId,
    resolution: partnerId === undefined ? 'refund' : 'partner',
    partner_id: partnerId ?? null,
    amount: receipt.amount,
    currency: CURRENCY,
    reason,
    ...(partnerId === undefined
      ? { balance: receipt.payerBalance }
      : { partner_outstanding: outstandingOf(receipt.payerBalance) }),
    created_at: iso(receipt.at),
  };
}
