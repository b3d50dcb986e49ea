// What became of a payment request, for a caller that got no reply.
import type { Caller } from '../../auth/caller.ts';
import type { RequestKey, RequestOutcome } from '../../ledger/posting/idempotency.ts';
import type { Approvals } from '../approvals/service.ts';

export interface OutcomeContext {
  outcomeOf(key: RequestKey): Promise<RequestOutcome | null>;
  approvals: Pick<Approvals, 'ofRequest'>;
}

export const OUTCOMES = ['completed', 'refused', 'pending_approval', 'unknown'] as const;

export interface SentRequest {
  status: (typeof OUTCOMES)[number];
  transactionId: string | null;
  approvalId: string | null;
  /** JSON text: the stored reply. */
  reply: string | null;
}

const UNKNOWN: SentRequest = { status: 'unknown', transactionId: null, approvalId: null, reply: null };

export function createOutcomes({ outcomeOf, approvals }: OutcomeContext) {
  async function recorded(scope: string, id: string): Promise<SentRequest | null> {
    const found = await outcomeOf({ scope, id });
    if (!found) return null;
    const { reply, refused, movementId } = found;
    return refused
      ? { ...UNKNOWN, status: 'refused', reply }
      : { ...UNKNOWN, status: 'completed', reply, transactionId: movementId };
  }

  async function approval(userId: string, requestId: string): Promise<SentRequest | null> {
    const found = await approvals.ofRequest(userId, requestId);
    return found && { ...UNKNOWN, status: STATUS_OF_APPROVAL[found.status], approvalId: found.id };
  }

  return {
    /** Request ids belong to the credential that sent them: a caller finds only its own requests. */
    async outcome(caller: Caller, requestId: string): Promise<SentRequest> {
      const id = String(caller.id);
      const stored = await recorded(id, requestId);
      if (stored) return stored;
      return (caller.kind === 'user' ? await approval(id, requestId) : null) ?? UNKNOWN;
    },
  };
}

const STATUS_OF_APPROVAL = {
  pending: 'pending_approval',
  approved: 'pending_approval',
  executed: 'completed',
  failed: 'refused',
  rejected: 'refused',
  withdrawn: 'refused',
  expired: 'refused',
} as const;
