// Dependencies and refusals shared by the subscriber operations.
import type { ChangeContext } from '../../audit/log.ts';
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import type { PinHasher } from '../../auth/pins/hasher.ts';
import type { AttemptCounts } from '../../db/attempt-counts.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Queries } from '../../db/database.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Books } from '../../ledger/queries/account-history.ts';
import type { CustomerAccess } from '../../parties/customer-access.ts';
import type { LookupLimit } from '../../parties/lookup-limit.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import { noSuchSubscriber } from '../../parties/subscriber.ts';
import type { Notices } from '../notices/service.ts';

export interface SubscriberContext extends ChangeContext {
  pins: GuardedPins;
  phone: PhoneReader;
  books: Books;
  cards: LinkedCards;
  pep: PepGuard;
  notices: Pick<Notices, 'tell'>;
  /** Hashes codes with a key, like PINs. */
  codeHasher: PinHasher;
  attemptCounts: Pick<AttemptCounts, 'add'>;
  lookupLimit: LookupLimit;
  /** What ends the customer's own sessions. */
  access: Pick<CustomerAccess, 'end'>;
  /** If true, a registration is PENDING, and a changed number belongs to no wallet, until the number is verified. */
  verifyPhones: boolean;
  /** If true, very common PINs cannot be set. */
  refuseCommonPins: boolean;
}

/** The card operations this feature needs. Injected, because cards import subscribers and not the other way round. */
export interface LinkedCards {
  /** The number of cards linked to a subscriber. */
  count: Load<string, number>;
  block(trx: Queries, subscriberId: string): Promise<void>;
  activate(trx: Queries, subscriberId: string): Promise<void>;
}

export const RESOURCE = 'subscriber';

/** The subscriber endpoints reply NOT_FOUND instead of SUBSCRIBER_NOT_FOUND. */
export function subscriberNotFound(): Refusal {
  return noSuchSubscriber('subscriber', 'NOT_FOUND');
}

export function phoneTakenRefusal(): Refusal {
  return refuse('DUPLICATE_PHONE', 'This phone number is already registered.');
}
