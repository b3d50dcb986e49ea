// Funds a wallet from a partner's clearing account.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import { formatMoney, parseAmount } from '../../kernel/money.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy, tidyOptional } from '../../kernel/text.ts';
import { amountRefusal, noSuchPartner, partnerSide, partnerStatusRefusal } from '../../parties/partner.ts';
import { holderStatusRefusal, noSuchSubscriber, walletSide } from '../../parties/subscriber.ts';
import {
  comparableAmount,
  completedReply,
  type Executed,
  invalidAmount,
  movementActor,
  narrationOf,
  type PaymentOptions,
  requestKey,
} from '../../payments/payment.ts';
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
    // The partner's money: its outstanding_limit bounds it.
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
  return async function fund(
    actor: Actor,
    body: Funding,
    { amount: rawAmount, requestId, approval }: PaymentOptions,
  ): Promise<Executed | Refusal> {
    const { partner_id, subscriber_id, partner_wallet_id = null } = body;
    if ((subscriber_id === undefined) === (partner_wallet_id === null)) {
      return refuse('INVALID_REQUEST', 'Send exactly one of subscriber_id and partner_wallet_id.');
    }
    const { caller } = actor;
    const isPartnerKey = caller.kind === 'key' && caller.partnerId !== null;
    const foreign = otherPartnerRefusal(caller, partner_id);
    if (foreign) return foreign;
    const narration = narrationOf(body.description);
    const parties = [partner_id, subscriber_id ?? null, tidyOptional(partner_wallet_id)];
    const key = requestKey(TYPE, actor, partner_id, requestId, [...parties, comparableAmount(rawAmount), narration]);
    const [replay, partner, holder, policy] = await Promise.all([
      payments.replay(key, ({ toAccount }) => pep.staffRefusal(actor, toAccount, 'payment')),
      findPartner(partner_id),
      subscriber_id ? holders.byId(subscriber_id) : holders.byPartnerWallet(tidy(partner_wallet_id ?? '')),
      payments.policy(TYPE),
    ]);
    if (replay) return replay;
    if (!partner) return noSuchPartner();
    if (!holder) return noSuchSubscriber();
    const refusal =
      (await pep.staffRefusal(actor, holder.id, 'payment')) ??
      partnerStatusRefusal(partner) ??
      holderStatusRefusal(holder, TYPE, 'subscriber');
    if (refusal) return refusal;
    const amount = parseAmount(rawAmount);
    if (amount === null) return invalidAmount();
    // The limits of a single credit bind the partner on every route. The operator may fund any amount.
    const outOfRange = isPartnerKey ? amountRefusal(amount, partner) : null;
    if (outOfRange) return outOfRange;
    const audited = { actor, action: 'wallet.fund', payer: partner.id, payee: holder.id };
    return payments.execute(
      {
        type: TYPE,
        actor: movementActor(actor),
        payer: partnerSide(partner),
        payee: walletSide(holder.id, 'recipient'),
        amount,
        key,
        narration,
        approval,
        onPosted: (receipt) => ({
          reply: {
            ...completedReply(receipt, requestId, 'The wallet was funded.', receipt.payeeBalance),
            partner_id: partner.id,
            subscriber_id: holder.id,
          },
          rows: [audit.paymentRow(audited, receipt)],
        }),
      },
      policy,
    );
  };
}
