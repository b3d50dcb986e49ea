// Dependencies shared by the card operations.
import type { AuditLog } from '../../audit/log.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { Messaging } from '../messaging/service.ts';
import type { SubscriberService } from '../subscribers/service.ts';

export interface CardContext {
  database: Database;
  audit: AuditLog;
  subscribers: Pick<SubscriberService, 'lock' | 'find'>;
  messaging: Pick<Messaging, 'send'>;
  pep: PepGuard;
  clock: Clock;
  /** If true, only cards in stock can be linked. */
  requireStock: boolean;
}

export const RESOURCE = 'card';
