// The lease of a stripe of the system accounts. Two gateways with the same stripe are correct but wait for each other.
import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import { STRIPES } from './system-accounts.ts';

export interface StripeLease {
  stripe: number;
  /** To be called more often than every LEASE_SECONDS. */
  renew(): Promise<void>;
  release(): Promise<void>;
}

const LEASE_SECONDS = 30;
export const RENEW_EVERY_MS = 10_000;

/** If more gateways run than there are stripes, further ones share one. `holder`: the random name of the process. */
export async function leaseStripe(queries: Queries, holder: string = randomUUID()): Promise<StripeLease> {
  const until = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`;
  const free = queries
    .selectFrom('gateway_stripes')
    .select('stripe')
    .where('leased_until', '<', sql<Date>`now()`)
    .orderBy('stripe')
    .limit(1)
    .forUpdate()
    .skipLocked();
  const leased = await queries
    .updateTable('gateway_stripes')
    .set({ holder, leased_until: until })
    .where('stripe', '=', free)
    .returning('stripe')
    .executeTakeFirst();
  const stripe = leased?.stripe ?? randomInt(STRIPES);
  const mine = queries.updateTable('gateway_stripes').where('stripe', '=', stripe).where('holder', '=', holder);
  return {
    stripe,
    async renew() {
      await mine.set({ leased_until: until }).execute();
    },
    async release() {
      await mine.set({ leased_until: sql<Date>`'-infinity'` }).execute();
    },
  };
}
