// Ends holds that have expired, so that their money is available again. An expired hold cannot be captured even before that.

import type { Reader } from '../db/driver/reader.ts';
import type { OutboxRow } from '../db/outbox-table.ts';
import type { Clock } from '../kernel/clock.ts';
import { dueHolds, type Hold } from '../ledger/holds/lookup.ts';
import type { Ledger } from '../ledger/posting/ledger.ts';
import { untilNoneDue } from './expiry.ts';
import { endingOrder } from './holds.ts';

const MOST_OF_ACCOUNT = 200;
const ACTOR = { type: 'system', id: 'hold-expiry' } as const;

export interface HoldExpiry {
  /** Of one account; whether there were any. */
  ofAccount(accountId: string): Promise<boolean>;
  /** Of all accounts, until none is due. */
  run(stopping?: AbortSignal): Promise<void>;
}

export interface HoldExpiryOptions {
  ledger: Ledger;
  reader: Reader;
  clock: Clock;
  /** Rows of other tables that tell the payee, written in the same commit. */
  expiredRows(hold: Hold, at: number): Promise<readonly OutboxRow[]>;
}

export function createHoldExpiry({ ledger, reader, clock, expiredRows }: HoldExpiryOptions): HoldExpiry {
  /** Another gateway may have ended it, which the ledger then says. */
  async function expire(hold: Hold): Promise<void> {
    const rows = await expiredRows(hold, clock.now());
    const record = () => ({ reply: {}, rows });
    await ledger.post(endingOrder(hold, { actor: ACTOR, request: null, outcome: 'expired', record }, clock));
  }

  return {
    async ofAccount(accountId) {
      const due = await dueHolds(reader, clock.now(), MOST_OF_ACCOUNT, accountId);
      await Promise.all(due.map(expire));
      return due.length > 0;
    },

    run: untilNoneDue((most) => dueHolds(reader, clock.now(), most), expire),
  };
}
