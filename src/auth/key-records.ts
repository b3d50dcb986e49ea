// Look-up of API keys for authentication: by bearer hash or by key id, cached for one second.
import { hash } from 'node:crypto';
import { batchLoader, type Load } from '../db/batch-loader.ts';
import { byteaArray, textArray } from '../db/driver/binary-arrays.ts';
import { bytes, integerOrNull, record, text, textOrNull, texts, timestampOrNull } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { statement } from '../db/driver/statement.ts';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { expiringCache } from '../kernel/expiring-cache.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { KeyCaller } from './caller.ts';
import type { Scope } from './roles.ts';

export interface KeyCredential {
  bearerHash: Buffer;
  sealedSecret: Buffer;
  /** Null for the current credential. For a rotated one, the end of its overlap period. */
  validUntil: Date | null;
}

export interface KeyRecord {
  id: string;
  scopes: Scope[];
  environment: 'live' | 'test';
  partnerId: string | null;
  processorId: string | null;
  rateLimit: number | null;
  dailyLimit: number | null;
  approved: boolean;
  expiresAt: Date | null;
  revokedAt: Date | null;
  partnerStatus: string | null;
  partnerIpAllowlist: string[];
  processorStatus: string | null;
  /** Newest first. */
  credentials: KeyCredential[];
}

export interface KeyRecords {
  /** At once if the key is in the cache. */
  byBearer(bearer: string): MaybePromise<KeyRecord | null>;
  /** Always read from the database. */
  byId: Load<string, KeyRecord | null>;
  /** At most a second old; null if the key is not in the cache. */
  cached(id: string): KeyRecord | null;
  /** Clears the cache. Called after a change to a key or its owner. */
  invalidate(): void;
}

/** Other processes may accept a revoked key for this long. */
const CACHED_MS = SECOND_MS;
const MAX_CACHED_KEYS = 10_000;

export function hashBearer(bearer: string): Buffer {
  return hash('sha256', bearer, 'buffer');
}

const COLUMNS = `k.id, k.scopes, k.environment, k.partner_id, k.processor_id, k.rate_limit, k.daily_limit, k.approval_id,
  k.expires_at, k.revoked_at,
  case when p.id = k.partner_id then p.status end as partner_status,
  case when p.id = k.partner_id then p.ip_allowlist else '{}' end as ip_allowlist,
  case when r.id = k.processor_id then r.status end as processor_status, c.bearer_hash, c.sealed_secret, c.valid_until`;

const rowOf = record({
  id: text,
  scopes: texts<Scope>,
  environment: text<'live' | 'test'>,
  partner_id: textOrNull,
  processor_id: textOrNull,
  rate_limit: integerOrNull,
  daily_limit: integerOrNull,
  approval_id: textOrNull,
  expires_at: timestampOrNull,
  revoked_at: timestampOrNull,
  partner_status: textOrNull,
  ip_allowlist: texts,
  processor_status: textOrNull,
  bearer_hash: bytes,
  sealed_secret: bytes,
  valid_until: timestampOrNull,
});

type Row = ReturnType<typeof rowOf>;

// LATERAL with LIMIT forces an index scan, even if the plan was made while the tables were empty.
// A key for which no bearer value was issued is found by its id only.
const BY_BEARER = statement(
  'key-by-bearer',
  `select ${COLUMNS} from unnest($1::bytea[]) as requested (hash)
  cross join lateral (select * from api_key_credentials where bearer_hash = requested.hash limit 1) c
  cross join lateral (select * from api_keys where id = c.key_id and bearer limit 1) k
  left join lateral (select * from partners where id = k.partner_id limit 1) p on true
  left join lateral (select * from processors where id = k.processor_id limit 1) r on true`,
  rowOf,
);

// Constant-time look-up: for an unknown id some other key is read and discarded, and for a key without a partner or
// processor some other partner or processor. Otherwise the response time would reveal which ids exist.
// A rotated key has several credentials, but few: each rotation deletes the expired ones.
const BY_ID = statement(
  'key-by-id',
  `select ${COLUMNS}, requested.id from unnest($1::text[]) as requested (id)
  cross join lateral (select * from (
    (select 0 as turn, * from api_keys where id = requested.id limit 1) union all
    (select 1 as turn, * from api_keys limit 1)) found order by turn limit 1) k
  cross join lateral (select * from api_key_credentials where key_id = k.id order by created_at desc limit 20) c
  left join lateral (select * from (
    (select 0 as turn, * from partners where id = k.partner_id limit 1) union all
    (select 1 as turn, * from partners limit 1)) found order by turn limit 1) p on true
  left join lateral (select * from (
    (select 0 as turn, * from processors where id = k.processor_id limit 1) union all
    (select 1 as turn, * from processors limit 1)) found order by turn limit 1) r on true order by c.created_at desc`,
  (columns) => ({ requested: text(columns.at(-1)), row: rowOf(columns) }),
);

export interface KeyRecordOptions {
  /** False in production: a test key of a restored database is treated as unknown. */
  testKeys: boolean;
}

export function createKeyRecords(reader: Reader, clock: Clock, { testKeys }: KeyRecordOptions): KeyRecords {
  const accepted = (load: Load<string, KeyRecord | null>) => async (name: string) => {
    const key = await load(name);
    return key?.environment === 'test' && !testKeys ? null : key;
  };
  const byHash = cached(accepted(byBearerHash(reader)), clock);
  const byId = cached(accepted(byKeyId(reader)), clock);
  return {
    byBearer(bearer) {
      const hex = hash('sha256', bearer);
      return byHash.cached(hex) ?? byHash.read(hex);
    },
    byId: byId.read,
    cached: byId.cached,
    invalidate() {
      byHash.invalidate();
      byId.invalidate();
    },
  };
}

/** Keyed by the hexadecimal hash, so that bearer values are not kept in memory. */
function byBearerHash(reader: Reader): Load<string, KeyRecord | null> {
  return batchLoader({
    async fetch(hashes: string[]) {
      const values = [byteaArray([...new Set(hashes)].map((hex) => Buffer.from(hex, 'hex')))];
      const rows = await reader.run(BY_BEARER, values);
      const found = new Map(rows.map((row) => [row.bearer_hash.toString('hex'), keyOf([row])]));
      return hashes.map((hex) => found.get(hex) ?? null);
    },
  });
}

function byKeyId(reader: Reader): Load<string, KeyRecord | null> {
  return batchLoader({
    async fetch(ids: string[]) {
      const rows = await reader.run(BY_ID, [textArray([...new Set(ids)])]);
      const found = Map.groupBy(rows, ({ requested }) => requested);
      return ids.map((id) => {
        const key = keyOf(found.get(id)?.map(({ row }) => row) ?? []);
        return key?.id === id ? key : null;
      });
    },
  });
}

/** Only existing keys are cached: guessed ids use no memory, and a new key works at once. */
function cached(load: Load<string, KeyRecord | null>, clock: Clock) {
  const cache = expiringCache<KeyRecord>({ max: MAX_CACHED_KEYS, ttlMs: CACHED_MS, clock });
  let invalidations = 0;
  return {
    cached: (name: string): KeyRecord | null => cache.get(name) ?? null,
    async read(name: string): Promise<KeyRecord | null> {
      const [before, start] = [invalidations, clock.now()];
      const key = await load(name);
      // A record that was read before an invalidation may be out of date.
      if (key && before === invalidations) cache.set(name, key, { start });
      return key;
    },
    invalidate() {
      invalidations += 1;
      cache.clear();
    },
  };
}

function keyOf(rows: Row[]): KeyRecord | null {
  const [first] = rows;
  if (!first) return null;
  return {
    id: first.id,
    scopes: first.scopes,
    environment: first.environment,
    partnerId: first.partner_id,
    processorId: first.processor_id,
    rateLimit: first.rate_limit,
    dailyLimit: first.daily_limit,
    approved: first.approval_id !== null,
    expiresAt: first.expires_at,
    revokedAt: first.revoked_at,
    partnerStatus: first.partner_status,
    partnerIpAllowlist: first.ip_allowlist,
    processorStatus: first.processor_status,
    credentials: rows.map((row) => ({
      bearerHash: row.bearer_hash,
      sealedSecret: row.sealed_secret,
      validUntil: row.valid_until,
    })),
  };
}

/** Null if the key may be used. The credential that was used is checked separately, before this. */
export function keyRefusal(key: KeyRecord, now: number): Refusal | null {
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt.getTime() <= now)) {
    return refuse('UNAUTHORIZED', 'The API key is revoked or expired.');
  }
  if (key.partnerId !== null && key.partnerStatus !== 'active') {
    return refuse('PARTNER_SUSPENDED', 'The partner the API key belongs to is suspended.');
  }
  if (key.processorId !== null && key.processorStatus !== 'active') {
    return refuse('PROCESSOR_SUSPENDED', 'The processor the API key belongs to is suspended.');
  }
  return null;
}

export function isCredentialValid(credential: KeyCredential, now: number): boolean {
  return credential.validUntil === null || credential.validUntil.getTime() > now;
}

export function keyCaller(key: KeyRecord): KeyCaller {
  const { id, scopes, environment, partnerId, processorId, rateLimit, dailyLimit, approved } = key;
  return { kind: 'key', id, scopes, environment, partnerId, processorId, rateLimit, dailyLimit, approved };
}
