// Dependencies of the inbound API's operations.
import type { ChangeContext } from '../../../audit/log.ts';
import type { Load } from '../../../db/batch-loader.ts';
import type { AnsweredRequest, RequestKey } from '../../../ledger/posting/idempotency.ts';
import type { Books } from '../../../ledger/queries/account-history.ts';
import type { EnquiryLimit } from '../../../parties/enquiry-limit.ts';
import type { PartnerRow } from '../../../parties/partner.ts';
import type { PepGuard } from '../../../parties/pep-access.ts';
import type { Payments } from '../../../payments/execute.ts';
import type { Webhooks } from '../../../webhooks/webhooks.ts';
import type { SubscriberService } from '../../subscribers/service.ts';
import type { BeneficiaryContext } from './beneficiary.ts';
import type { BeneficiaryRefs } from './beneficiary-ref.ts';

export interface InboundContext extends ChangeContext, BeneficiaryContext {
  payments: Payments;
  /** Stored replies by idempotency key. */
  answered: Load<RequestKey, AnsweredRequest | null>;
  books: Books;
  subscribers: Pick<SubscriberService, 'find'>;
  findPartner: Load<string, PartnerRow | null>;
  webhooks: Pick<Webhooks, 'wake'>;
  refs: BeneficiaryRefs;
  enquiryLimit: EnquiryLimit;
  pep: PepGuard;
  /** Logs an event that operators should see. */
  report(message: string, details: Record<string, unknown>): void;
}

/** A partner that a key or a record references, and so must exist. */
export async function partnerOf(findPartner: Load<string, PartnerRow | null>, id: string): Promise<PartnerRow> {
  const partner = await findPartner(id);
  if (!partner) throw new Error(`there is no partner ${id}`);
  return partner;
}
