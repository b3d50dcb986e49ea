// Returns a transfer without the recipient's consent: only by two users, on a recorded order of a court or an authority.
import type { Actor } from '../../../audit/log.ts';
import { iso } from '../../../kernel/clock.ts';
import { CURRENCY, formatMoney } from '../../../kernel/money.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { tidy } from '../../../kernel/text.ts';
import type { Hold } from '../../../ledger/holds/lookup.ts';
import type { StoredMovement } from '../../../ledger/queries/movement-lookup.ts';
import { walletSide } from '../../../parties/subscriber.ts';
import { type Allowance, type Executed, OPERATOR, type PaymentOptions, type Receipt } from '../../../payments/plan.ts';
import { nobody, runPayment } from '../../../payments/run-payment.ts';
import type { PaymentOperation } from '../../approvals/service.ts';
import { type CasesContext, noRecall, noSuchCase, pepRefusal } from '../context.ts';
import * as cases from '../store.ts';
import { returnedTotal } from './answers.ts';
import { RECALL } from './holds.ts';
import { isTransferOf } from './rules.ts';
import type { Settling } from './settling.ts';
import { findRecall } from './store.ts';

interface Params {
  id: string;
}

export interface OrderBody {
  order_reference: string;
  reason: string;
  amount: string;
  request_id?: string;
}

export type LegalOrder = PaymentOperation<Params, OrderBody>;

interface Found {
  row: cases.FoundCase;
  transfer: StoredMovement;
  /** What the recall holds of it now. */
  hold: Hold | null;
}

export function createLegalOrder(context: CasesContext, settling: Settling): LegalOrder {
  const { database, audit, payments, movements, findHold, pep, clock } = context;
  const { queries } = database;

  async function find(actor: Actor, caseId: string): Promise<Found | Refusal> {
    const row = await cases.findCase(queries, caseId);
    if (!row) return noSuchCase();
    const transfer = row.transaction_id === null ? null : await movements.byId(row.transaction_id);
    if (!isTransferOf(transfer, row.subscriber_id)) return (await pepRefusal(pep, actor, row)) ?? noRecall();
    const refusal = await pepRefusal(pep, actor, { ...row, recipient_id: transfer.toAccount });
    return refusal ?? { row, transfer, hold: await activeHold(caseId) };
  }

  async function activeHold(caseId: string): Promise<Hold | null> {
    const recall = await findRecall(queries, caseId);
    const hold = recall?.hold_id ? await findHold(recall.hold_id) : null;
    return hold?.outcome === null && hold.expires_at.getTime() > clock.now() ? hold : null;
  }

  async function execute(actor: Actor, caseId: string, body: OrderBody, options: PaymentOptions) {
    const [order_reference, reason] = [tidy(body.order_reference), tidy(body.reason)];
    if (order_reference === '' || reason === '')
      return refuse('INVALID_REQUEST', 'The order needs a reference and a reason.');
    const outcome = await runPayment<Found>(payments, {
      type: RECALL,
      actor,
      options,
      request: { party: OPERATOR, details: [RECALL, caseId, order_reference, reason] },
      find: () => find(actor, caseId),
      about: nobody,
      plan({ row, transfer, hold }, amount) {
        if (hold && amount > hold.amount) return moreThanHeld(hold.amount);
        const order = { order_reference, approval_id: actor.approval?.id ?? null };
        return {
          payer: { ...walletSide(transfer.toAccount, 'sender'), exempt: { frozen: true } },
          payee: { ...walletSide(transfer.fromAccount, 'recipient'), exempt: { frozen: true, ceiling: true } },
          relatedId: transfer.id,
          reference: order_reference,
          details: {
            ...{ case_id: caseId, transaction_id: transfer.id, legal_order: order },
            ...(hold ? { hold_id: hold.id } : {}),
          },
          ...(hold
            ? { captures: hold, validUntil: { at: hold.expires_at.getTime(), refusal: () => moreThanHeld(0) } }
            : {}),
          allowances: [leftOf(transfer)],
          reply: (receipt) => replyOf(receipt, caseId, options.requestId),
          rows: (receipt) => [
            audit.outboxRow(actor, {
              ...{ action: 'case.legal_order', resourceType: 'case', resourceId: caseId },
              details: {
                ...{ number: row.number, transaction_id: receipt.transactionId, transfer_id: transfer.id },
                ...{ amount: receipt.amount, order_reference, reason },
              },
            }),
          ],
        };
      },
    });
    if (!(outcome instanceof Refusal) && !outcome.preview)
      await note(actor, caseId, outcome, { order_reference, reason });
    return outcome;
  }

  /** The timeline; the movement itself is the record. */
  async function note(
    actor: Actor,
    caseId: string,
    { json, replayed }: Executed,
    { order_reference, reason }: { order_reference: string; reason: string },
  ): Promise<void> {
    const { success, amount, transaction_id } = JSON.parse(json) as ReturnType<typeof replyOf>;
    if (!success || replayed) return;
    const by = [actor.caller.id, actor.approval?.approvedBy.id];
    await database.transact(async (trx) => {
      const details = { amount, transaction_id, order_reference, by };
      await cases.addEvent(trx, clock, caseId, actor.caller, { kind: 'legal_order', text: reason, details });
    });
    await settling.settleSoon(caseId);
  }

  return {
    kind: 'payment',
    name: 'cases.legal_order',
    action: 'cases.recall',
    movementType: RECALL,
    party: () => OPERATOR,
    describe: ({ params, body }, amount) =>
      `Return ${formatMoney(amount)} of the transfer in case ${params.id} on the order ${body.order_reference}.`,
    execute: (actor, { params, body }, options) => execute(actor, params.id, body, options),
  };
}

function leftOf({ id, amount }: StoredMovement): Allowance {
  const refusal = ({ available }: { available: number }) =>
    refuse('AMOUNT_OUT_OF_RANGE', `Of the transfer, ${formatMoney(available)} are left to be returned.`);
  return { ...returnedTotal(id, amount), refusal };
}

function moreThanHeld(held: number): Refusal {
  const sentence = `The recall holds ${formatMoney(held)}: return that first, then the rest.`;
  return refuse('AMOUNT_OUT_OF_RANGE', sentence);
}

function replyOf(receipt: Receipt, caseId: string, requestId: string | null) {
  return {
    success: true,
    message: 'The amount was returned.',
    transaction_id: receipt.transactionId,
    request_id: requestId,
    status: 'COMPLETED' as const,
    amount: receipt.amount,
    currency: CURRENCY,
    case_id: caseId,
    created_at: iso(receipt.at),
  };
}
