// Dependencies shared by the card operations.
import type { ChangeContext } from '../../audit/log.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { Notices } from '../notices/service.ts';
import type { SubscriberService } from '../subscribers/service.ts';

export interface CardContext extends ChangeContext {
  subscribers: Pick<SubscriberService, 'lock' | 'find'>;
  notices: Pick<Notices, 'tell'>;
  pep: PepGuard;
  /** If true, only cards in stock can be linked. */
  requireStock: boolean;
}

export const RESOURCE = 'card';
