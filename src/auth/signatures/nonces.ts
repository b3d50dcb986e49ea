// Durable nonce store: of all requests with the same nonce, on all gateways, exactly one is accepted.
import { batchLoader } from '../../db/batch-loader.ts';
import { int8Array, textArray } from '../../db/driver/binary-arrays.ts';
import { type StatementRunner, statement } from '../../db/driver/statement.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';

export interface NonceStore {
  /** True for the first use. Throws if the nonce cannot be recorded, so that the request is not accepted. */
  consume(keyId: string, nonce: string, expiresAt: Date): Promise<boolean>;
  /** Deletes nonces of requests that can no longer be replayed. Returns their number. */
  prune(now: number): Promise<number>;
}

interface Use {
  keyId: string;
  nonce: string;
  expiresAt: Date;
}

// Ordered, so that two gateways that insert the same nonces at once do not deadlock.
const CONSUME = statement(
  'consume-nonces',
  `insert into nonces (key_id, nonce, expires_at)
  select key_id, nonce, to_timestamp(expires_at::double precision / 1000)
  from unnest($1::text[], $2::text[], $3::bigint[]) as used (key_id, nonce, expires_at)
  order by key_id, nonce
  on conflict do nothing returning key_id, nonce`,
  ([keyId, nonce]) => nameOf(keyId as string, nonce as string),
);

// Deletes by ctid, so that the plan does not depend on table statistics. Rows that another gateway is deleting are skipped.
const PRUNE = statement(
  'prune-nonces',
  `delete from nonces where ctid = any (array(
  select ctid from nonces where expires_at < $1 order by expires_at limit $2 for update skip locked))`,
);

const PRUNE_CHUNK = 1_000;

export function createNonceStore(pool: StatementRunner): NonceStore {
  const consumeOne = batchLoader({ fetch: (uses: Use[]) => consumeAll(pool, uses) });
  return {
    consume: (keyId, nonce, expiresAt) => consumeOne({ keyId, nonce, expiresAt }),
    async prune(now) {
      let pruned = 0;
      let chunk: number;
      do {
        chunk = await pool.execute(PRUNE, [new Date(now), PRUNE_CHUNK]);
        pruned += chunk;
      } while (chunk === PRUNE_CHUNK);
      return pruned;
    },
  };
}

// Tolerated clock difference between gateways: beyond it, a pruned nonce could be accepted again.
const MARGIN_MS = 10 * MINUTE_MS;

/** How long the nonce of a request with the timestamp `at` must be kept to prevent replay. */
export function nonceExpiry({ at, now, windowMs }: { at: number; now: number; windowMs: number }): Date {
  return new Date(Math.max(at, now) + windowMs + MARGIN_MS);
}

function nameOf(keyId: string, nonce: string): string {
  return `${keyId}\n${nonce}`;
}

async function consumeAll(pool: StatementRunner, uses: Use[]): Promise<boolean[]> {
  const distinct = new Map<string, Use>();
  for (const use of uses) {
    const name = nameOf(use.keyId, use.nonce);
    if (!distinct.has(name)) distinct.set(name, use);
  }
  const unique = [...distinct.values()];
  const values = [
    textArray(unique.map((use) => use.keyId)),
    textArray(unique.map((use) => use.nonce)),
    int8Array(unique.map((use) => use.expiresAt.getTime())),
  ];
  const fresh = new Set(await pool.run(CONSUME, values));
  // delete() returns true once, so that only the first use within the batch is accepted.
  return uses.map((use) => fresh.delete(nameOf(use.keyId, use.nonce)));
}
