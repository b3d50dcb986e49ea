// What became of a payment request, for a caller that got no reply.
import type { Actor } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import { isAllowed } from '../../auth/permissions.ts';
import type { Load } from '../../db/batch-loader.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { AnsweredRequest, FirstRequest, RequestKey } from '../../ledger/posting/idempotency.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { Movement, PepPayments } from '../../parties/pep-payments.ts';
import { withoutBalances } from '../../payments/replays.ts';
import type { Approvals } from '../approvals/service.ts';
import { ownAccountOf } from '../transactions/service.ts';

export interface OutcomeContext {
  /** Stored replies by idempotency key. */
  answered: Load<RequestKey, AnsweredRequest | null>;
  /** Who sent an answered request first, by its movement. */
  firstRequest: Load<string, FirstRequest | null>;
  approvals: Pick<Approvals, 'ofRequest'>;
  pep: Pick<PepGuard, 'concealing'>;
  pepPayments: Pick<PepPayments, 'refusal'>;
}

export const OUTCOMES = ['completed', 'refused', 'pending_approval', 'unknown'] as const;

export interface SentRequest {
  status: (typeof OUTCOMES)[number];
  transactionId: string | null;
  approvalId: string | null;
  /** The stored reply. */
  reply: object | null;
}

const UNKNOWN: SentRequest = { status: 'unknown', transactionId: null, approvalId: null, reply: null };

/** A void names its authorisation, and a payment request is no transaction. */
function transactionIn(reply: { transaction_id?: string }, { type }: { type: string }, movementId: string) {
  return type === 'payment_request' ? null : (reply.transaction_id ?? movementId);
}

export function createOutcomes({ answered, firstRequest, approvals, pep, pepPayments }: OutcomeContext) {
  async function recorded(actor: Actor, key: RequestKey): Promise<SentRequest | Refusal | null> {
    const found = await answered(key);
    // Stored refusals have no movement. They are answers to references, not to request ids.
    const first = found && (await firstRequest(found.movementId));
    if (!first) return null;
    const isOwn = first.sender.type === actor.caller.kind && first.sender.id === actor.caller.id;
    if (!isOwn && !mayAskFor(actor.caller, key.scope)) return null;
    const refusal = isOwn ? null : await pepRefusal(actor, { ...first, id: found.movementId });
    if (refusal) return concealed(refusal);
    const reply = JSON.parse(found.reply) as object;
    const shown = isOwn ? reply : withoutBalances(reply);
    return {
      ...UNKNOWN,
      status: 'completed',
      reply: shown,
      transactionId: transactionIn(reply, first, found.movementId),
    };
  }

  /** For a request that another credential sent. The party sees its own payments, whoever the other side is. */
  async function pepRefusal(actor: Actor, movement: Movement): Promise<Refusal | null> {
    return ownAccountOf(actor.caller) === null ? pepPayments.refusal(actor, movement, NOTHING_RECORDED) : null;
  }

  async function approval(actor: Actor, key: RequestKey): Promise<SentRequest | Refusal | null> {
    const found = await approvals.ofRequest(key);
    if (!found) return null;
    const isOwn = found.requested_by === actor.caller.id;
    if (!isOwn && !mayAskFor(actor.caller, key.scope)) return null;
    const isParty = isOwn || ownAccountOf(actor.caller) !== null;
    const refusal = isParty ? null : await pep.concealing(actor, [found.subscriber_id], 'payment', NOTHING_RECORDED);
    if (refusal) return concealed(refusal);
    return { ...UNKNOWN, status: STATUS_OF_APPROVAL[found.status], approvalId: found.id };
  }

  return {
    /** Request ids belong to parties: by default to the party that the caller acts for. */
    async outcome(actor: Actor, requestId: string, partyId?: string): Promise<SentRequest | Refusal> {
      const scope = partyId ?? ownAccountOf(actor.caller);
      if (scope === null) return noParty();
      const key = { scope, id: requestId };
      return (await recorded(actor, key)) ?? (await approval(actor, key)) ?? UNKNOWN;
    },
  };
}

const NOTHING_RECORDED = refuse('NOT_FOUND', 'Nothing is recorded of this request.');

/** A request that the caller may not see is answered as an unknown one. */
function concealed(refusal: Refusal): Refusal | null {
  return refusal.code === 'NOT_FOUND' ? null : refusal;
}

/** Its own party's requests, or those of all parties. */
function mayAskFor(caller: Caller, party: string): boolean {
  const own = ownAccountOf(caller);
  return own === null ? isAllowed(caller, 'payments:read') : own === party;
}

function noParty(): Refusal {
  const sentence = 'party_id is required: the subscriber, agent, processor or partner of the request, or operator.';
  return refuse('INVALID_REQUEST', sentence);
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
