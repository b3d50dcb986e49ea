// Funds a wallet from a partner's clearing account.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import { formatMoney } from '../../kernel/money.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy, tidyOptional } from '../../kernel/text.ts';
import { amountRefusal, noSuchPartner, partnerSide, partnerStatusRefusal } from '../../parties/partner.ts';
import { holderStatusRefusal, noSuchSubscriber, walletSide } from '../../parties/subscriber.ts';
import { completedReply, type Executed, type PaymentOptions } from '../../payments/plan.ts';
import { withoutBalances } from '../../payments/replays.ts';
import { runPayment } from '../../payments/run-payment.ts';
import type { PaymentOperation } from '../approvals/service.ts';
import type { WalletContext } from './context.ts';
import type { fundBody } from './schemas.ts';

export type Funding = Static<typeof fundBody>;

const TYPE = 'vult_fund';

export function createFunding(context: WalletContext) {
  const fund = createFund(context);
  const operation: PaymentOperation<unknown, Funding> = {
    kind: 'payment',
    name: 'wallet.fund_from_partner',
    action: 'wallet.fund_from_partner',
    movementType: TYPE,
    party: ({ body }) => body.partner_id,
    actingRefusal: (caller, { body }) => otherPartnerRefusal(caller, body.partner_id),
    describe: ({ body }, amount) =>
      `Fund ${walletOf(body)} with ${formatMoney(amount)} from partner ${body.partner_id}.`,
    execute: (actor, { body }, options) => fund(actor, body, options),
    // A partner's key needs no approval: the partner's outstanding_limit bounds what it can move.
    exempts: ({ partnerId }) => partnerId !== null,
  };
  return { fundOperation: operation };
}

function walletOf({ subscriber_id, partner_wallet_id }: Funding): string {
  return subscriber_id ? `the wallet of ${subscriber_id}` : `the partner wallet ${partner_wallet_id}`;
}

function otherPartnerRefusal(caller: Caller, partnerId: string): Refusal | null {
  const isForeign = caller.kind === 'key' && caller.partnerId !== null && caller.partnerId !== partnerId;
  return isForeign ? refuse('FORBIDDEN', 'This API key belongs to another partner.') : null;
}

function createFund({ holders, findPartner, payments, pep, audit }: WalletContext) {
  return async function fund(actor: Actor, body: Funding, options: PaymentOptions): Promise<Executed | Refusal> {
    const { partner_id, subscriber_id, partner_wallet_id = null, description } = body;
    if ((subscriber_id === undefined) === (partner_wallet_id === null)) {
      return refuse('INVALID_REQUEST', 'Send exactly one of subscriber_id and partner_wallet_id.');
    }
    const { caller } = actor;
    const isPartnerKey = caller.kind === 'key' && caller.partnerId !== null;
    const foreign = otherPartnerRefusal(caller, partner_id);
    if (foreign) return foreign;
    return runPayment(payments, {
      type: TYPE,
      actor,
      options,
      request: { party: partner_id, details: [partner_id, subscriber_id ?? null, tidyOptional(partner_wallet_id)] },
      description,
      mayAct: ({ toAccount }) => pep.staffRefusal(actor, toAccount, 'payment'),
      async find() {
        const [partner, holder] = await Promise.all([
          findPartner(partner_id),
          subscriber_id ? holders.byId(subscriber_id) : holders.byPartnerWallet(tidy(partner_wallet_id ?? '')),
        ]);
        if (!partner) return noSuchPartner();
        if (!holder) return noSuchSubscriber();
        return (await pep.staffRefusal(actor, holder.id, 'payment')) ?? { partner, holder };
      },
      about: (found) => [found?.holder.id],
      refusal: ({ partner, holder }) =>
        partnerStatusRefusal(partner) ?? holderStatusRefusal(holder, TYPE, 'subscriber'),
      plan({ partner, holder }, amount) {
        // The partner's limits on a single credit apply on every route. The operator may fund any amount.
        const outOfRange = isPartnerKey ? amountRefusal(amount, partner) : null;
        if (outOfRange) return outOfRange;
        return {
          payer: partnerSide(partner),
          payee: walletSide(holder.id, 'recipient'),
          reply(receipt) {
            const { requestId } = options;
            const completed = completedReply(receipt, requestId, 'The wallet was funded.', receipt.payeeBalance);
            // A partner must not see a customer's balance.
            const shown = isPartnerKey ? withoutBalances(completed) : completed;
            return { ...shown, partner_id: partner.id, subscriber_id: holder.id };
          },
          rows: (receipt) => [
            audit.paymentRow({ actor, action: 'wallet.fund', payer: partner.id, payee: holder.id }, receipt),
          ],
        };
      },
    });
  };
}
