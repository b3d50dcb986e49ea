// Name enquiry: resolves a beneficiary before the partner debits its customer, and returns how much it can be credited.
import { CURRENCY } from '../../../kernel/money.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { shortName } from '../../../kernel/text.ts';
import type { AccountBalance } from '../../../ledger/queries/account-history.ts';
import { cardHolderStatus } from '../../../parties/card.ts';
import type { PartnerRow } from '../../../parties/partner.ts';
import { blockedRefusal, createBeneficiaryLookup, noSuchBeneficiary } from './beneficiary.ts';
import { type InboundContext, partnerOf } from './context.ts';
import { currencyRefusal, type PartnerCaller, readIdentifier } from './input.ts';
import type { EnquiryBody } from './schemas.ts';

export function createEnquiry(context: InboundContext) {
  const { books, subscribers, findPartner, refs, enquiryLimit } = context;
  const find = createBeneficiaryLookup(context);

  /** The largest credit that would succeed now, from the same balances and bounds that decide a credit. */
  async function maxCredit(partner: PartnerRow, subscriberId: string): Promise<number> {
    const [wallet, clearing] = await Promise.all([books.balance(subscriberId), books.balance(partner.id)]);
    const most = Math.min(ceilingHeadroom(wallet), floorHeadroom(clearing), partner.max_amount);
    return most >= partner.min_amount ? most : 0;
  }

  return async function enquire({ partnerId }: PartnerCaller, body: EnquiryBody) {
    const identifier = readIdentifier(body);
    if (identifier instanceof Refusal) return identifier;
    const limited = enquiryLimit.refusal(partnerId);
    if (limited) return limited;
    const [found, partner] = await Promise.all([find(identifier), partnerOf(findPartner, partnerId)]);
    const tooMany = await enquiryLimit.count(partnerId, found instanceof Refusal ? null : found.holder.id);
    if (tooMany) return tooMany;
    // The same for a card that is not linked to a subscriber.
    if (found instanceof Refusal) return noSuchBeneficiary();
    const mismatch = currencyRefusal(body.currency);
    if (mismatch) return mismatch;
    const { holder } = found;
    const [record, limit] = await Promise.all([subscribers.find(holder.id), maxCredit(partner, holder.id)]);
    if (!record) return noSuchBeneficiary();
    const maxCreditable = blockedRefusal(found) === null ? limit : 0;
    return {
      account_number: holder.account_number,
      account_name: shortName(holder),
      beneficiary_ref: refs.issue({ partnerId, subscriberId: holder.id }),
      status: cardHolderStatus(found),
      kyc_level: record.kyc_level,
      currency: CURRENCY,
      can_credit: maxCreditable > 0,
      max_creditable: maxCreditable,
    };
  };
}

function ceilingHeadroom(account: AccountBalance | null): number {
  return account ? (account.ceiling ?? Number.MAX_SAFE_INTEGER) - account.balance : 0;
}

/** Zero for a suspended partner, whose account is frozen. */
function floorHeadroom(account: AccountBalance | null): number {
  return account && !account.frozen ? account.balance - (account.floor ?? Number.MIN_SAFE_INTEGER) : 0;
}
