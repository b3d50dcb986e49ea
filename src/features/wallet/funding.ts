// From a partner's clearing account into a wallet.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { auditRows } from '../../audit/payments.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy, tidyOptional } from '../../kernel/text.ts';
import { type FundingPartner, noSuchPartner, partnerSide, partnerStatusRefusal } from '../../parties/partner.ts';
import { type Holder, holderStatusRefusal, noSuchSubscriber } from '../../parties/subscriber.ts';
import type { Executed } from '../../payments/execute.ts';
import { carryOut, type IntendedPayment, sameAmount } from '../../payments/pay.ts';
import { completed, narrationOf, requestOf, type Terms } from '../../payments/reply.ts';
import type { WalletContext } from './context.ts';
import type { fundBody } from './schemas.ts';

export type Funding = Static<typeof fundBody>;

const TYPE = 'vult_fund';

interface Found {
  partner: FundingPartner;
  holder: Holder;
}

export function funding({ holders, findPartner, payments, pep, clock }: WalletContext) {
  async function find(actor: Actor, given: Funding): Promise<Found | Refusal> {
    const { partner_id, subscriber_id, partner_wallet_id = '' } = given;
    const holder = subscriber_id ? holders.byId(subscriber_id) : holders.byPartnerWallet(tidy(partner_wallet_id));
    const [partner, found] = await Promise.all([findPartner(partner_id), holder]);
    if (!partner) return noSuchPartner();
    if (!found) return noSuchSubscriber();
    return (await pep.staffRefusal(actor, found.id, 'payment')) ?? { partner, holder: found };
  }

  function payment(
    actor: Actor,
    given: Funding,
    terms: Terms,
    { partner, holder }: Found,
    amount: number,
  ): IntendedPayment {
    const audited = { actor, action: 'wallet.fund', payer: partner.id, payee: holder.id };
    return {
      type: TYPE,
      payer: partnerSide(partner),
      payee: { accountId: holder.id, party: 'recipient' },
      amount,
      countsDaily: false,
      narration: narrationOf(given.description),
      reply: (done) => ({
        ...completed(done, terms, 'The wallet was funded.', done.payeeBalance),
        partner_id: partner.id,
        subscriber_id: holder.id,
      }),
      beside: (done) => auditRows(audited, done, clock),
    };
  }

  function request(actor: Actor, given: Funding, terms: Terms) {
    const { partner_id, subscriber_id = null, partner_wallet_id = null, description } = given;
    const named = [partner_id, subscriber_id, tidyOptional(partner_wallet_id)];
    return requestOf(actor, terms, [...named, sameAmount(terms.amount), narrationOf(description)]);
  }

  return {
    async fund(actor: Actor, given: Funding, terms: Terms): Promise<Executed | Refusal> {
      if ((given.subscriber_id === undefined) === (given.partner_wallet_id === undefined)) {
        return refuse('INVALID_REQUEST', 'Exactly one of subscriber_id and partner_wallet_id names the wallet.');
      }
      const { caller } = actor;
      if (caller.kind === 'key' && caller.partnerId !== null && caller.partnerId !== given.partner_id) {
        return refuse('FORBIDDEN', 'This API key belongs to another partner.');
      }
      return carryOut(payments, {
        type: TYPE,
        request: request(actor, given, terms),
        amount: terms.amount,
        find: () => find(actor, given),
        statusRefusal: ({ partner, holder }) =>
          partnerStatusRefusal(partner) ?? holderStatusRefusal(holder, TYPE, 'subscriber'),
        payment: (found, amount) => payment(actor, given, terms, found, amount),
      });
    },
  };
}
