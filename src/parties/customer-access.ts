// What ends a customer's access on their own channels: sessions and devices, quotes and codes.
import type { DatabaseTransaction } from '../db/database.ts';

export const END_REASONS = [
  ...(['blocked', 'pin_reset', 'pin_changed', 'number_changed', 'wrong_pins'] as const),
  'erased',
] as const;
export type EndReason = (typeof END_REASONS)[number];

export interface AccessEnd {
  subscriberId: string;
  reason: EndReason;
  /** The device on which the customer changed the PIN, which goes on. */
  exceptDeviceId?: string;
}

type EndAccess = (trx: DatabaseTransaction, end: AccessEnd) => Promise<void>;

export interface CustomerAccess {
  /** Called in the transaction of every end, in the order of registration. */
  onEnd(end: EndAccess): void;
  /** The transaction has locked the subscriber, unless wrong PINs are the reason. */
  end: EndAccess;
}

export function createCustomerAccess(): CustomerAccess {
  const ends: EndAccess[] = [];
  return {
    onEnd(end) {
      ends.push(end);
    },
    async end(trx, ended) {
      for (const end of ends) await end(trx, ended);
    },
  };
}
