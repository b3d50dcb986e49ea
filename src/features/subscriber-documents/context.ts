// What the operations on subscribers' documents share.
import type { ChangeContext } from '../../audit/log.ts';
import type { OwnKeys } from '../../auth/own-keys.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { Holders } from '../../parties/subscriber.ts';
import type { SubscriberService } from '../subscribers/service.ts';
import type { DOCUMENT_TYPES, KINDS } from './schemas.ts';

export type Kind = (typeof KINDS)[number];
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export interface DocumentsContext extends ChangeContext {
  ownKeys: Pick<OwnKeys, 'seal' | 'open'>;
  pep: PepGuard;
  holders: Holders;
  subscribers: Pick<SubscriberService, 'lock' | 'levels' | 'takenRefusal'>;
}
