// Returns a pay-out that the bank sent back: the amount goes from transit to the processor, once.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { formatMoney } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { refusalIfBefore } from '../../ledger/queries/archives.ts';
import { PAYOUTS_IN_TRANSIT } from '../../ledger/system-accounts.ts';
import { noSuchProcessor, processorSide } from '../../parties/processor.ts';
import {
  completedReply,
  type Executed,
  movementActor,
  OPERATOR,
  type PaymentOptions,
  type Receipt,
  requestKey,
} from '../../payments/plan.ts';
import { replied } from '../../webhooks/merchant-event.ts';
import type { PaymentOperation } from '../approvals/service.ts';
import { alreadyReturned, bookItem } from '../finance/reconciliation/service.ts';
import type { ProcessorContext } from './context.ts';
import type { payoutReturnBody, payoutReturnParams } from './payout-schemas.ts';
import { findPayout } from './payout-store.ts';
import { IN_TRANSIT } from './payouts.ts';

type Params = Static<typeof payoutReturnParams>;
type Return = Static<typeof payoutReturnBody>;

export const RETURN_TYPE = 'payout_returned';

/** Under the policy of pay-outs: it gives the processor back what a pay-out took. */
export function createPayoutReturn(context: ProcessorContext): PaymentOperation<Params, Return> {
  const returnPayout = createReturns(context);
  const { database, payoutReturns } = context;
  return {
    kind: 'payment',
    name: 'processors.return_payout',
    action: 'processors.payout',
    movementType: RETURN_TYPE,
    party: () => OPERATOR,
    describe: ({ params, body }, amount) =>
      `Return the pay-out ${params.transaction_id} of ${formatMoney(amount)} to processor ${params.id}${body.bank_entry_id ? ` with the bank entry ${body.bank_entry_id}` : ''}.`,
    async bankEntries({ params, body }) {
      const payout = await findPayout(database.queries, params.id, params.transaction_id);
      const bankEntryId = body.bank_entry_id ?? null;
      return payout ? payoutReturns.evidence({ payoutId: params.transaction_id, ...payout, bankEntryId }) : [];
    },
    approverRefusal: (queries, approver, { params, body }) =>
      payoutReturns.approverRefusal(queries, approver, {
        payoutId: params.transaction_id,
        bankEntryId: body.bank_entry_id ?? null,
      }),
    execute: (actor, { params, body }, options) => returnPayout(actor, params, body, options),
  };
}

/** What the form of a return needs: what the bank says about the pay-out, and the credits that can return it. */
export function createBankView({ database, books, payoutReturns }: ProcessorContext) {
  return async function bankView({ id, transaction_id: payoutId }: Params) {
    const payout = await findPayout(database.queries, id, payoutId);
    if (!payout) return noSuchPayout(payoutId, await books.archivedBefore());
    const [entries, credits] = await Promise.all([
      payoutReturns.evidence({ payoutId, ...payout, bankEntryId: null }),
      payoutReturns.credits(payout),
    ]);
    return { entries, credits };
  };
}

function noSuchPayout(payoutId: string, archivedBefore: number | null): Refusal {
  return refusalIfBefore(payoutId, archivedBefore) ?? refuse('NOT_FOUND', 'The processor has no such pay-out.');
}

function createReturns(context: ProcessorContext) {
  const { database, books, findProcessor, payments, notifying, payoutReturns, audit } = context;
  return async function returnPayout(
    actor: Actor,
    { id, transaction_id: payoutId }: Params,
    { reason, bank_entry_id }: Return,
    { requestId, approval }: PaymentOptions,
  ): Promise<Executed | Refusal> {
    const bankEntryId = bank_entry_id ?? null;
    const key = requestKey(RETURN_TYPE, actor, OPERATOR, requestId, [id, payoutId, reason, bankEntryId]);
    const [replay, processor, payout, policy] = await Promise.all([
      payments.replay(key, () => null),
      findProcessor(id),
      findPayout(database.queries, id, payoutId),
      payments.policy(RETURN_TYPE),
    ]);
    if (replay) return replay;
    if (!processor) return noSuchProcessor();
    if (!payout) return noSuchPayout(payoutId, await books.archivedBefore());
    const { amount, reference } = payout;
    const claimed = { payoutId, ...payout, bankEntryId, isUnderPolicy: approval !== undefined };
    const held = await payoutReturns.claim(actor, claimed);
    if (held instanceof Refusal) return held;
    const audited = { actor, action: 'processor.return_payout', payer: PAYOUTS_IN_TRANSIT, payee: id };
    const reply = (receipt: Receipt) => ({
      ...completedReply(receipt, requestId, 'The pay-out was returned.', receipt.payeeBalance),
      processor_id: id,
      original_transaction_id: payoutId,
      reference,
    });
    const returned = await notifying((eventRows) =>
      payments.execute(
        {
          type: RETURN_TYPE,
          actor: movementActor(actor),
          payer: { ...IN_TRANSIT, party: 'sender' },
          // The money is the processor's, even while it is suspended.
          payee: { ...processorSide(processor), exempt: { frozen: true } },
          amount,
          key,
          reference,
          narration: reason,
          relatedId: payoutId,
          ...(bankEntryId === null ? {} : { details: { bank_entry_id: bankEntryId } }),
          approval,
          // The whole pay-out, once: the allowance is checked under lock.
          allowances: [{ id: `payout_return:${payoutId}`, limit: amount, refusal: alreadyReturned }],
          onPosted: (receipt) => ({
            reply: reply(receipt),
            rows: [
              audit.paymentRow({ ...audited, ...(reference === null ? {} : { reference }) }, receipt),
              bookItem(RETURN_TYPE, receipt),
              ...eventRows(processor, {
                type: 'payout.returned',
                about: payoutId,
                subscriberId: null,
                object: () => ({ ...replied(reply(receipt)), status: 'RETURNED' }),
              }),
            ],
          }),
        },
        policy,
      ),
    );
    if (returned instanceof Refusal) await payoutReturns.release(held);
    if (returned instanceof Refusal || returned.refused) return returned;
    if (returned.preview) {
      // It waits for approval, and claims again then.
      await payoutReturns.release(held);
      return returned;
    }
    const { transaction_id } = JSON.parse(returned.json) as { transaction_id: string };
    await payoutReturns.settle(actor, claimed, transaction_id, reason);
    return returned;
  };
}
