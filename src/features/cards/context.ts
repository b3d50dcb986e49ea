// Dependencies shared by the card operations.
import type { ChangeContext } from '../../audit/log.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { Messaging } from '../messaging/service.ts';
import type { SubscriberService } from '../subscribers/service.ts';

export interface CardContext extends ChangeContext {
  subscribers: Pick<SubscriberService, 'lock' | 'find'>;
  messaging: Pick<Messaging, 'send'>;
  pep: PepGuard;
  /** If true, only cards in stock can be linked. */
  requireStock: boolean;
}

export const RESOURCE = 'card';
