// What cases need, and who may see one.
import type { Actor, ChangeContext } from '../../audit/log.ts';
import type { OwnKeys } from '../../auth/own-keys.ts';
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import type { Load } from '../../db/batch-loader.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Hold } from '../../ledger/holds/lookup.ts';
import type { Books } from '../../ledger/queries/account-history.ts';
import type { MovementLookup } from '../../ledger/queries/movement-lookup.ts';
import type { PaymentsBetween } from '../../ledger/queries/payments-between.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { Holders } from '../../parties/subscriber.ts';
import type { Payments } from '../../payments/execute.ts';
import type { HoldExpiry } from '../../payments/hold-expiry.ts';
import type { Notices } from '../notices/service.ts';

export interface CasesContext extends ChangeContext {
  ownKeys: Pick<OwnKeys, 'seal' | 'open'>;
  payments: Payments;
  findHold: Load<string, Hold | null>;
  holdExpiry: Pick<HoldExpiry, 'ofAccount'>;
  books: Pick<Books, 'balance' | 'archivedBefore' | 'archivedCount'>;
  movements: Pick<MovementLookup, 'byId'>;
  paymentsBetween: PaymentsBetween;
  holders: Holders;
  pins: Pick<GuardedPins, 'verify' | 'attemptBySubscriber'>;
  pep: PepGuard;
  notices: Pick<Notices, 'tell' | 'wake'>;
  /** How long after a transfer it can be recalled. */
  recallWindowMs: number;
  report(message: string, details: Record<string, unknown>): void;
}

export function noSuchCase(): Refusal {
  return refuse('NOT_FOUND', 'There is no such case.');
}

export function caseClosed(): Refusal {
  return refuse('CASE_CLOSED', 'The case is resolved or rejected, which is final.');
}

export function noRecall(): Refusal {
  return refuse('NO_RECALL', 'The case has no transfer that can be recalled.');
}

/** A politically exposed person's case, and one that asks such a person, needs access to their record. */
export function pepRefusal(
  pep: PepGuard,
  actor: Actor,
  parties: { subscriber_id: string; recipient_id?: string | null },
): Promise<Refusal | null> {
  return pep.concealing(actor, [parties.subscriber_id, parties.recipient_id ?? null], 'case', noSuchCase());
}
