// API keys as authentication sees them: found by the hash of the bearer value or by the key's id, never cached,
// so that a revocation holds from the next request on every gateway.
import { hash } from 'node:crypto';
import { byteaArray, textArray } from '../db/arrays.ts';
import { batchLoader, type Load } from '../db/batch.ts';
import type { Reader } from '../db/reader.ts';
import type { KeyCaller } from './caller.ts';
import type { Scope } from './roles.ts';

export interface KeyCredential {
  bearerHash: Buffer;
  sealedSecret: Buffer;
  /** Null: the current one. Otherwise the end of its overlap after a rotation. */
  validUntil: Date | null;
}

export interface KeyRecord {
  id: string;
  scopes: Scope[];
  environment: 'live' | 'test';
  partnerId: string | null;
  processorId: string | null;
  rateLimit: number | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  partnerStatus: string | null;
  partnerIpAllowlist: string[];
  /** Newest first. */
  credentials: KeyCredential[];
}

export interface KeyRecords {
  byBearer: Load<string, KeyRecord | null>;
  byId: Load<string, KeyRecord | null>;
}

export function hashBearer(bearer: string): Buffer {
  return hash('sha256', bearer, 'buffer');
}

const COLUMNS = `k.id, k.scopes, k.environment, k.partner_id, k.processor_id, k.rate_limit, k.expires_at, k.revoked_at,
  p.status as partner_status, coalesce(p.ip_allowlist, '{}') as ip_allowlist, c.bearer_hash, c.sealed_secret, c.valid_until`;

// Lateral with a limit: only an index can serve it, whatever the planner believed when the tables were empty.
const BY_BEARER = `select ${COLUMNS} from unnest($1::bytea[]) as asked (hash)
  cross join lateral (select * from api_key_credentials where bearer_hash = asked.hash limit 1) c
  cross join lateral (select * from api_keys where id = c.key_id limit 1) k
  left join lateral (select * from partners where id = k.partner_id limit 1) p on true`;

// After a rotation a key has several credentials; a handful, because those that have ended go with the next rotation.
const BY_ID = `select ${COLUMNS} from unnest($1::text[]) as asked (id)
  cross join lateral (select * from api_keys where id = asked.id limit 1) k
  cross join lateral (select * from api_key_credentials where key_id = k.id order by created_at desc limit 20) c
  left join lateral (select * from partners where id = k.partner_id limit 1) p on true order by c.created_at desc`;

interface Row {
  id: string;
  scopes: Scope[];
  environment: 'live' | 'test';
  partner_id: string | null;
  processor_id: string | null;
  rate_limit: number | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  partner_status: string | null;
  ip_allowlist: string[];
  bearer_hash: Buffer;
  sealed_secret: Buffer;
  valid_until: Date | null;
}

export function keyRecords(reader: Reader): KeyRecords {
  return {
    byBearer: batchLoader({
      async fetch(bearers: string[]) {
        // Most requests of a moment come with the same few keys.
        const hashes = new Map([...new Set(bearers)].map((bearer) => [bearer, hashBearer(bearer)]));
        const values = [byteaArray([...hashes.values()])];
        const { rows } = await reader.query<Row>({ name: 'key-by-bearer', text: BY_BEARER, values });
        const found = new Map(rows.map((row) => [row.bearer_hash.toString('hex'), record([row])]));
        const records = new Map([...hashes].map(([bearer, hash]) => [bearer, found.get(hash.toString('hex')) ?? null]));
        return bearers.map((bearer) => records.get(bearer) ?? null);
      },
    }),
    byId: batchLoader({
      async fetch(ids: string[]) {
        const { rows } = await reader.query<Row>({
          name: 'key-by-id',
          text: BY_ID,
          values: [textArray([...new Set(ids)])],
        });
        const found = Map.groupBy(rows, (row) => row.id);
        return ids.map((id) => record(found.get(id) ?? []));
      },
    }),
  };
}

function record(rows: Row[]): KeyRecord | null {
  const [first] = rows;
  if (!first) return null;
  return {
    id: first.id,
    scopes: first.scopes,
    environment: first.environment,
    partnerId: first.partner_id,
    processorId: first.processor_id,
    rateLimit: first.rate_limit,
    expiresAt: first.expires_at,
    revokedAt: first.revoked_at,
    partnerStatus: first.partner_status,
    partnerIpAllowlist: first.ip_allowlist,
    credentials: rows.map((row) => ({
      bearerHash: row.bearer_hash,
      sealedSecret: row.sealed_secret,
      validUntil: row.valid_until,
    })),
  };
}

/** Whether the key as a whole is in force; which of its credentials was used is judged apart. */
export function keyInForce(key: KeyRecord, now: number): boolean {
  if (key.revokedAt !== null) return false;
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now) return false;
  return key.partnerStatus === null || key.partnerStatus === 'active';
}

export function credentialInForce(credential: KeyCredential, now: number): boolean {
  return credential.validUntil === null || credential.validUntil.getTime() > now;
}

export function keyCaller(key: KeyRecord): KeyCaller {
  const { id, scopes, environment, partnerId, processorId, rateLimit } = key;
  return { kind: 'key', id, scopes, environment, partnerId, processorId, rateLimit };
}
