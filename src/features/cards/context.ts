// What the verbs of this family are given to work with, and the refusals they share.
import type { AuditLog } from '../../audit/log.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { PepGuard } from '../admin/pep/service.ts';
import type { SubscriberService } from '../subscribers/service.ts';

export interface CardContext {
  database: Database;
  audit: AuditLog;
  subscribers: Pick<SubscriberService, 'lock'>;
  pep: PepGuard;
  clock: Clock;
  /** Whether only cards that are in stock can be linked. */
  requireStock: boolean;
}

export const RESOURCE = 'card';

export function noSuchCard(): Refusal {
  return refuse('CARD_NOT_FOUND', 'There is no such card.');
}

export function holderBlocked(): Refusal {
  return refuse('SUBSCRIBER_BLOCKED', 'The subscriber is blocked.');
}
