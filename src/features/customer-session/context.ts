// What customers' sessions need, and their limits in time and number.
import type { AuditLog } from '../../audit/log.ts';
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import type { PinHasher } from '../../auth/pins/hasher.ts';
import type { AccessTokens } from '../../auth/tokens.ts';
import type { AttemptCounts } from '../../db/attempt-counts.ts';
import type { Database } from '../../db/database.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import type { CustomerAccess } from '../../parties/customer-access.ts';
import type { Holders } from '../../parties/subscriber.ts';
import type { Notices } from '../notices/service.ts';

export interface SessionContext {
  database: Database;
  audit: AuditLog;
  clock: Clock;
  tokens: AccessTokens;
  pins: Pick<GuardedPins, 'verify' | 'holds'>;
  holders: Pick<Holders, 'byPhone'>;
  phone: PhoneReader;
  /** Hashes codes with a key, as PINs. */
  codeHasher: PinHasher;
  attemptCounts: Pick<AttemptCounts, 'add'>;
  access: CustomerAccess;
  notices: Pick<Notices, 'tell' | 'wake'>;
  /** Codes that are sent because of one address; beyond them a challenge takes a code that was asked for by USSD. */
  codesPerMinute: number;
  /** A session ends so long after its login, whatever its activity. */
  sessionMaxMs: number;
}

/** A challenge and its code. */
export const CODE_MS = 10 * MINUTE_MS;
/** Answers to one challenge, whatever was wrong about them. */
export const TRIES = 3;
/** Challenges of one number that have a code, per hour. */
export const CODES_PER_HOUR = 3;
/** Answers to one code that was asked for by USSD: from one network, which the phones of an operator share, and from all. */
export const USSD_CODE_TRIES = { perNetwork: 60, fromAll: 300 };
export const MAX_DEVICES = 3;
/** In this time after its first login a device can do less. */
export const NEW_DEVICE_MS = DAY_MS;
/** A device that is not used for so long has ended. */
export const DEVICE_MS = 180 * DAY_MS;
/** A used token works again for so long, if its successor was not used: the reply with the successor may have been lost. */
export const RETRY_MS = { device: DAY_MS, session: 10 * MINUTE_MS };
