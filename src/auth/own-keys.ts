// Customers' own keys: what is encrypted with one becomes unreadable when it is destroyed.
import { randomBytes } from 'node:crypto';
import type { Queries } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Vault, vaultWith } from './vault.ts';

/** The first byte of what an own key encrypts; the vault's are 1 and 2. */
const OWN_VERSION = 3;
const KEY_BYTES = 32;

export interface OwnKeys {
  /** Null: the customer's key was destroyed. */
  seal(trx: Queries, subscriberId: string, plain: string, context: string): Promise<Buffer | null>;
  /** Also opens what an earlier version encrypted with the vault. Null: the customer's key was destroyed. */
  open(queries: Queries, subscriberId: string, sealed: Buffer, context: string): Promise<string | null>;
  destroy(trx: Queries, subscriberId: string): Promise<void>;
}

export function createOwnKeys({ vault, clock }: { vault: Vault; clock: Clock }): OwnKeys {
  async function find(queries: Queries, subscriberId: string): Promise<Vault | null> {
    const keys = queries.selectFrom('customer_keys').select('sealed_key').where('subscriber_id', '=', subscriberId);
    const sealed = (await keys.executeTakeFirst())?.sealed_key ?? null;
    return sealed && vaultWith(Buffer.from(vault.open(sealed, ownKeyContext(subscriberId)), 'base64'), OWN_VERSION);
  }

  async function create(trx: Queries, subscriberId: string): Promise<void> {
    const sealed_key = vault.seal(randomBytes(KEY_BYTES).toString('base64'), ownKeyContext(subscriberId));
    const row = { subscriber_id: subscriberId, sealed_key, created_at: new Date(clock.now()) };
    await trx
      .insertInto('customer_keys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  return {
    async seal(trx, subscriberId, plain, context) {
      await create(trx, subscriberId);
      return (await find(trx, subscriberId))?.seal(plain, context) ?? null;
    },

    async open(queries, subscriberId, sealed, context) {
      if (sealed[0] !== OWN_VERSION) return sealed.length === 0 ? null : vault.open(sealed, context);
      return (await find(queries, subscriberId))?.open(sealed, context) ?? null;
    },

    async destroy(trx, subscriberId) {
      const destroyed_at = new Date(clock.now());
      const row = { subscriber_id: subscriberId, sealed_key: null, created_at: destroyed_at, destroyed_at };
      // Without a key there is a row too, so that none is made afterwards.
      await trx
        .insertInto('customer_keys')
        .values(row)
        .onConflict((conflict) => conflict.column('subscriber_id').doUpdateSet({ sealed_key: null, destroyed_at }))
        .execute();
    },
  };
}

export function ownKeyContext(subscriberId: string): string {
  return `customer-key ${subscriberId}`;
}
