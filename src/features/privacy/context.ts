// What the export and the erasure of personal data need.
import type { ChangeContext } from '../../audit/log.ts';
import type { OwnKeys } from '../../auth/own-keys.ts';
import type { CustomerAccess } from '../../parties/customer-access.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { RetiredCards } from '../cards/service.ts';
import type { SubscriberService } from '../subscribers/service.ts';
import type { Transactions } from '../transactions/service.ts';

export interface PrivacyContext extends ChangeContext {
  pep: PepGuard;
  access: Pick<CustomerAccess, 'end'>;
  ownKeys: Pick<OwnKeys, 'destroy'>;
  cards: RetiredCards;
  subscribers: Pick<SubscriberService, 'get'>;
  transactions: Pick<Transactions, 'accountHistory'>;
  retentionYears: number;
}
