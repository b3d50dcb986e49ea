// Wires what limits guessing: PINs and their locks, look-ups of cards and accounts, and enquiries of partners.
import { type AuditLog, SYSTEM } from '../audit/log.ts';
import { MAX_GUESSES, MAX_OWN_FAILURES } from '../auth/pins/attempts.ts';
import { guardPins } from '../auth/pins/guarded-pins.ts';
import { createGuessWatch } from '../auth/pins/guess-watch.ts';
import type { PinHasher } from '../auth/pins/hasher.ts';
import type { PinMetrics } from '../auth/pins/metrics.ts';
import { createPins } from '../auth/pins/pins.ts';
import { type PinRow, replaceHash } from '../auth/pins/store.ts';
import { createAttemptCounts } from '../db/attempt-counts.ts';
import type { Database } from '../db/database.ts';
import { lookupsObserved } from '../features/card-payments/service.ts';
import type { Observation } from '../features/compliance/service.ts';
import type { Notices } from '../features/notices/service.ts';
import { guessingObserved } from '../features/pins/service.ts';
import type { Clock } from '../kernel/clock.ts';
import type { CustomerAccess } from '../parties/customer-access.ts';
import { createEnquiryLimit } from '../parties/enquiry-limit.ts';
import { createLookupLimit } from '../parties/lookup-limit.ts';

export interface GuessLimitDependencies {
  database: Database;
  audit: Pick<AuditLog, 'record'>;
  hasher: PinHasher;
  notices: Pick<Notices, 'tell'>;
  metrics: PinMetrics;
  access: Pick<CustomerAccess, 'end'>;
  clock: Clock;
  /** Raises a compliance alert. */
  raise(observed: Observation): Promise<void>;
}

export function createGuessLimits(dependencies: GuessLimitDependencies) {
  const { database, audit, hasher, notices, metrics, access, clock, raise } = dependencies;
  const attemptCounts = createAttemptCounts(database.pool, clock);
  const replacing = new Set<string>();

  /** If it fails, the next right PIN tries again. */
  async function replacePepper(row: PinRow, pin: string): Promise<void> {
    const { ownerId, hash } = row;
    if (replacing.has(ownerId)) return;
    replacing.add(ownerId);
    try {
      await database.transact(async (trx) => {
        if (!(await replaceHash(trx, ownerId, [hash, hasher.remake(ownerId, pin, row)]))) return;
        const resourceType = ownerId.startsWith('agent_') ? 'agent' : 'subscriber';
        await audit.record(trx, SYSTEM, { action: 'keys.rehash', resourceType, resourceId: ownerId });
      });
    } finally {
      replacing.delete(ownerId);
    }
  }

  const plainPins = createPins({
    onLockedForDay: (trx, ownerId) =>
      notices.tell(trx, { kind: 'wrong_pins', ownerId, values: { count: MAX_GUESSES } }),
    async onOwnLocked(trx, ownerId) {
      const kind = ownerId.startsWith('agent_') ? 'agent' : 'subscriber';
      if (kind === 'subscriber') await access.end(trx, { subscriberId: ownerId, reason: 'wrong_pins' });
      await notices.tell(trx, { kind: 'own_wrong_pins', ownerId, values: { count: MAX_OWN_FAILURES } });
      const action = `${kind === 'agent' ? 'agent' : 'customer'}.lock_own_channels`;
      await audit.record(trx, SYSTEM, { action, resourceType: kind, resourceId: ownerId });
    },
    // In the background: the payment goes on.
    onOldPepper: (row, pin) => void replacePepper(row, pin).catch(() => undefined),
    ...{ database, hasher, clock },
  });
  const watch = createGuessWatch({ counts: attemptCounts, clock, report: (sent) => raise(guessingObserved(sent)) });
  return {
    attemptCounts,
    pins: guardPins(plainPins, clock, { metrics, shared: attemptCounts, watch }),
    lookupLimit: createLookupLimit({ database, clock, report: (owner) => raise(lookupsObserved(owner)) }),
    enquiryLimit: createEnquiryLimit(attemptCounts, clock),
  };
}
