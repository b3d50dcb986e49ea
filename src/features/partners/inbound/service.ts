// The inbound API: name enquiry, credit, status and reversal.
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { referenceScope } from '../../../payments/plan.ts';
import type { InboundContext } from './context.ts';
import { createCredit } from './credit.ts';
import { createEnquiry } from './enquiry.ts';
import type { PartnerCaller } from './input.ts';
import { type InboundRecord, viewOf } from './record.ts';
import { createReversal } from './reversal.ts';
import type { InboundView } from './schemas.ts';
import { recordByReference } from './store.ts';

export { createBeneficiaryRefs } from './beneficiary-ref.ts';
export type { InboundContext } from './context.ts';

export type Inbound = ReturnType<typeof createInbound>;

export function createInbound(context: InboundContext) {
  const find = recordByReference(context.database.reader);

  /** Why there is no record. A credit that was committed after the first look-up has one now. */
  async function otherUse(partnerId: string, reference: string): Promise<InboundRecord | Refusal> {
    const used = await context.answered({ scope: referenceScope(partnerId), id: reference });
    if (!used) return refuse('NOT_FOUND', 'No credit with this reference was received.');
    return (await find({ partnerId, reference })) ?? usedForCashIn();
  }

  return {
    enquire: createEnquiry(context),
    credit: createCredit(context),
    reverseOperation: createReversal(context),
    /** References of other partners are not found. */
    async outcome({ partnerId }: PartnerCaller, reference: string): Promise<InboundView | Refusal> {
      const record = (await find({ partnerId, reference })) ?? (await otherUse(partnerId, reference));
      return record instanceof Refusal ? record : viewOf(record, record.reversed_at !== null);
    },
  };
}

function usedForCashIn(): Refusal {
  return refuse('REFERENCE_CONFLICT', 'This reference was used for a cash-in, not for an inbound credit.');
}
