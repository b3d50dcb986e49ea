// What PINs are verified and changed with.
import type { Queries } from '../../db/database.ts';
import type { Read } from '../../db/keyed-lookup.ts';
import type { LockReason } from './attempts.ts';
import type { PinRow } from './store.ts';

export type PinOutcome =
  /** `version`: the row version the PIN was verified against, for replace(). */
  | { outcome: 'right'; version: number }
  | { outcome: 'wrong'; attemptsRemaining: number }
  /** `lockedUntil` null: until the PIN is reset. */
  | { outcome: 'locked'; lockedUntil: Date | null }
  /** The owner has no PIN. */
  | { outcome: 'unknown' };

export interface Pins {
  setPin(trx: Queries, ownerId: string, pin: string): Promise<void>;
  /** Resets the failure count and removes the lock. */
  reset(trx: Queries, ownerId: string): Promise<void>;
  /** Removes an active lock and resets the failure count. False if the PIN is not locked. */
  unlock(trx: Queries, ownerId: string): Promise<boolean>;
  verify(ownerId: string, pin: string, options?: PinOptions): Promise<PinOutcome>;
  /**
   * For the fast path of payments: the row is read together with the payment's other rows. The PIN of an agent is never
   * compared: a caller could otherwise guess it before the sender is known to be a subscriber.
   */
  attemptBySubscriber(subscriberId: string, options?: PinOptions): PinAttempt;
  /** The same for the PIN of the subscriber who holds this card. */
  attemptByCard(serial: string): PinAttempt;
  /** Replaces the verified PIN. False if the row has changed since the verification, or is locked. */
  replace(trx: Queries, ownerId: string, change: PinReplacement): Promise<boolean>;
  /**
   * Whether the PIN that was verified is still the PIN, and no lock has come since. Until the transaction ends, both stay so.
   * False also after a wrong PIN, of which a lock may follow: verify again.
   */
  holds(trx: Queries, ownerId: string, version: number): Promise<boolean>;
  /** Null if the PIN is not locked. A lock of the holder's own channels alone counts too. */
  lock(ownerId: string): Promise<CurrentLock | null>;
  /** What the holder's own channels need to know. Null: there is no PIN. */
  ownState(ownerId: string): Promise<OwnPinState | null>;
}

export interface PinOptions {
  /** The holder sends the PIN through their own channel. */
  own?: boolean;
  /** Of the PIN that was set when the caller was authenticated. A later one is not compared, and no attempt counts against it. */
  salt?: Buffer | undefined;
}

export interface PinReplacement extends Pick<PinOptions, 'own'> {
  version: number;
  pin: string;
}

export interface OwnPinState {
  /** Another one with each new PIN. */
  salt: Buffer;
  /** Nine wrong PINs: until a reset. */
  isLocked: boolean;
}

export interface CurrentLock {
  /** Null: until the PIN is reset. */
  until: Date | null;
  reason: LockReason;
}

export interface PinAttempt {
  /** The row that `isRight` needs, read after the attempt began. */
  readonly read: Read<PinRow>;
  /**
   * True if the PIN is right and the row needs no update. False means undecided: call `verify`. Until `end`, all other
   * attempts for this owner are verified in order.
   */
  isRight(pin: string, row: PinRow | null): boolean;
  verify(ownerId: string, pin: string): Promise<PinOutcome>;
  /** Must be called after `isRight`, whatever the outcome. */
  end(): void;
}
