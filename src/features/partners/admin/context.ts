// Words that the verbs of this family share.
import { type Refusal, refuse } from '../../../kernel/refusal.ts';

export function noSuchPartner(): Refusal {
  return refuse('NOT_FOUND', 'There is no such partner.');
}

/** What an audit entry is about. */
export function about(id: string) {
  return { resourceType: 'partner', resourceId: id };
}

/** A clearing account below zero is what its partner owes. */
export function outstandingOf(clearingBalance: number): number {
  return Math.max(0, -clearingBalance);
}
