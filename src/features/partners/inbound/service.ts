// The inbound API: name enquiry, credit, status and reversal.
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { InboundContext } from './context.ts';
import { createCredit } from './credit.ts';
import { createEnquiry } from './enquiry.ts';
import type { PartnerCaller } from './input.ts';
import { viewOf } from './record.ts';
import { createReversal } from './reversal.ts';
import type { InboundView } from './schemas.ts';
import { recordByReference } from './store.ts';

export { createBeneficiaryRefs } from './beneficiary-ref.ts';

export type Inbound = ReturnType<typeof createInbound>;

export function createInbound(context: InboundContext) {
  const find = recordByReference(context.database.reader);
  return {
    enquire: createEnquiry(context),
    credit: createCredit(context),
    reverseOperation: createReversal(context),
    /** References of other partners are not found. */
    async outcome({ partnerId }: PartnerCaller, reference: string): Promise<InboundView | Refusal> {
      const record = await find({ partnerId, reference });
      if (!record) return refuse('NOT_FOUND', 'No credit with this reference was received.');
      return viewOf(record, record.reversed_at !== null);
    },
  };
}
