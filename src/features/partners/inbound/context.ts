// What the verbs of this family are given to work with.
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Books } from '../../../ledger/queries/account-history.ts';
import type { Payments } from '../../../payments/execute.ts';
import type { Webhooks } from '../../../webhooks/webhooks.ts';
import type { PepGuard } from '../../admin/pep/service.ts';
import type { SubscriberService } from '../../subscribers/service.ts';
import type { PartnerRow, Partners } from '../admin/service.ts';
import type { BeneficiaryParts } from './beneficiary.ts';
import type { BeneficiaryRefs } from './beneficiary-ref.ts';

export interface InboundContext extends BeneficiaryParts {
  database: Database;
  payments: Payments;
  books: Books;
  subscribers: Pick<SubscriberService, 'find'>;
  partners: Pick<Partners, 'find'>;
  webhooks: Pick<Webhooks, 'wake'>;
  refs: BeneficiaryRefs;
  pep: PepGuard;
  clock: Clock;
  /** What an operator should know of. */
  report(message: string, details: Record<string, unknown>): void;
}

/** Keys and records name partners that are there. */
export async function partnerOf(partners: Pick<Partners, 'find'>, id: string): Promise<PartnerRow> {
  const partner = await partners.find(id);
  if (!partner) throw new Error(`there is no partner ${id}`);
  return partner;
}
