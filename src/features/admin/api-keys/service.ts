// API keys: creation with scopes, rotation with an overlap, and revocation, which every gateway applies within a second.
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import { hashBearer } from '../../../auth/key-records.ts';
import { OPERATOR_SCOPES, type Scope } from '../../../auth/roles.ts';
import type { Vault } from '../../../auth/vault.ts';
import type { Listed } from '../../../db/counted-page.ts';
import type { Queries } from '../../../db/database.ts';
import { created, ok } from '../../../http/endpoint.ts';
import type { Page } from '../../../http/paging.ts';
import { iso, SECOND_MS } from '../../../kernel/clock.ts';
import type { AppEnv } from '../../../kernel/config/config.ts';
import { newId } from '../../../kernel/ids.ts';
import { formatMoney, parseAmount } from '../../../kernel/money.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { ChangeOperation } from '../../approvals/service.ts';
import {
  auditResource,
  checkExpiry,
  checkLimit,
  checkScopes,
  isExpiredOrRevoked,
  noSuchKey,
  tooManyKeys,
} from './checks.ts';
import { type IssuedCredentials, newCredentials } from './credentials.ts';
import { issuedKeyView, type KeyChanges, keyView, type NewKey } from './schemas.ts';
import * as store from './store.ts';
import { update } from './update.ts';

export { noSuchKey } from './checks.ts';
export { createKeyReply } from './schemas.ts';

export type { ApiKeyRow } from './store.ts';

export interface ApiKeysDependencies extends ChangeContext {
  vault: Vault;
  appEnv: AppEnv;
  rotationOverlapSeconds: number;
  keysChanged(): void;
}

export interface IssuedKey {
  apiKey: store.ApiKeyRow;
  /** Shown once. Only the hash of the key and the sealed secret are stored. */
  credentials: IssuedCredentials;
}

export interface RotatedKey extends IssuedKey {
  previousValidUntil: Date;
}

/** Path and query parameters. A request that needs approval is stored with both. */
export interface Rotation {
  id: string;
  overlap_seconds?: string;
}

export interface ApiKeys {
  create: ChangeOperation<unknown, NewKey, IssuedKey>;
  /** Skips approval, for owners who create their own keys. The caller must restrict the scopes. */
  issueTo(actor: Actor, newKey: NewKey & { processor_id: string }): Promise<IssuedKey | Refusal>;
  get(id: string): Promise<store.ApiKeyRow | Refusal>;
  list(filter: store.KeyFilter, page: Page): Promise<Listed<store.ApiKeyRow>>;
  /** Renames the key or reduces what it may do. A change never adds to it. */
  update(actor: Actor, id: string, changes: KeyChanges): Promise<store.ApiKeyRow | Refusal>;
  /** Null on success. Idempotent: revoking a revoked key succeeds. */
  revoke(actor: Actor, id: string): Promise<Refusal | null>;
  /** Issues new credentials for the same key. The previous ones remain valid for the overlap. */
  rotate: ChangeOperation<Rotation, unknown, RotatedKey>;
}

const MAX_OWN_KEYS = 100;
const MAX_OVERLAP_SECONDS = 90 * 86_400;

export function createApiKeys(deps: ApiKeysDependencies): ApiKeys {
  const { database, clock } = deps;

  async function changeKeys<T>(work: (trx: Queries) => Promise<T>): Promise<T> {
    const result = await database.transact(work);
    deps.keysChanged();
    return result;
  }

  return {
    create: {
      kind: 'change',
      name: 'api_keys.create',
      action: 'api_keys.create',
      secretResult: ['key', 'secret'],
      describe: ({ body }) => describeKey(body),
      before: async () => null,
      after: ({ apiKey }) => issuedKeyView(apiKey),
      async plan(actor, { body }) {
        const checked = await checkKey(database.queries, body, clock.now());
        return checked instanceof Refusal ? checked : (trx) => create(deps, trx, actor, checked);
      },
      reply: (issued) =>
        created(issuedBody(issued, 'The API key was created. The key and secret are shown only once.')),
    },
    async issueTo(actor, newKey) {
      const checked = await checkKey(database.queries, { ...newKey, bearer: false }, clock.now());
      if (checked instanceof Refusal) return checked;
      return changeKeys(async (trx) => {
        const active = await store.countActiveKeys(trx, newKey.processor_id, new Date(clock.now()));
        return active < MAX_OWN_KEYS ? create(deps, trx, actor, checked) : tooManyKeys();
      });
    },
    async get(id) {
      return (await store.findKey(database.queries, id)) ?? noSuchKey();
    },
    list: (filter, page) => store.listKeys(database.queries, filter, page),
    update: (actor, id, changes) => changeKeys((trx) => update(deps, trx, actor, { id, changes })),
    revoke: (actor, id) => changeKeys((trx) => revoke(deps, trx, actor, id)),
    rotate: {
      kind: 'change',
      name: 'api_keys.rotate',
      action: 'api_keys.create',
      secretResult: ['key', 'secret'],
      describe: ({ params }) => `Issue a new key and secret for the API key ${params.id}.`,
      before: async () => null,
      after: ({ apiKey }) => keyView(apiKey),
      plan(actor, { params: { id, overlap_seconds } }) {
        const overlapSeconds = overlap_seconds === undefined ? deps.rotationOverlapSeconds : Number(overlap_seconds);
        if (overlapSeconds > MAX_OVERLAP_SECONDS) {
          return refuse('INVALID_REQUEST', `overlap_seconds must be at most ${MAX_OVERLAP_SECONDS}.`);
        }
        return (trx) => rotate(deps, trx, actor, { id, overlapSeconds });
      },
      settled: deps.keysChanged,
      reply(rotated) {
        const body = issuedBody(rotated, 'The API key was rotated. The key and secret are shown only once.');
        return ok({ ...body, previous_valid_until: iso(rotated.previousValidUntil) });
      },
    },
  };
}

function describeKey({ scopes, daily_limit }: NewKey): string {
  const limit = parseAmount(daily_limit ?? '');
  const upTo = limit === null ? '' : ` that moves up to ${formatMoney(limit)} a day`;
  return `Create an API key${upTo} with the scopes ${scopes.join(', ')}.`;
}

export function issuedBody({ apiKey, credentials }: IssuedKey, message: string) {
  return { success: true, message, api_key: issuedKeyView(apiKey), ...credentials };
}

interface CheckedKey {
  name: string;
  scopes: Scope[];
  expires_at: Date | null;
  partner_id: string | null;
  processor_id: string | null;
  rate_limit: number | null;
  daily_limit: number | null;
  bearer: boolean;
}

async function checkKey(queries: Queries, newKey: NewKey, now: number): Promise<CheckedKey | Refusal> {
  const scopes = checkScopes(newKey.scopes);
  if (scopes instanceof Refusal) return scopes;
  const expires_at = checkExpiry(newKey.expires_at, now);
  if (expires_at instanceof Refusal) return expires_at;
  const daily_limit = checkLimit(newKey.daily_limit, scopes);
  if (daily_limit instanceof Refusal) return daily_limit;
  const { name, partner_id = null, processor_id = null, rate_limit = null } = newKey;
  if (partner_id !== null && processor_id !== null) {
    return refuse('INVALID_REQUEST', 'Send at most one of partner_id and processor_id: a key has one owner.');
  }
  const isOwned = partner_id !== null || processor_id !== null;
  const reserved = isOwned ? scopes.filter((scope) => OPERATOR_SCOPES.includes(scope)) : [];
  if (reserved.length > 0) {
    const sentence = `scopes contains ${reserved.join(', ')}, which only a key without partner_id and processor_id may have.`;
    return refuse('INVALID_REQUEST', sentence);
  }
  if (partner_id === null && scopes.some((scope) => scope.startsWith('inbound:'))) {
    return refuse('INVALID_REQUEST', 'partner_id is required with the scopes inbound:read and inbound:write.');
  }
  if (partner_id !== null && !(await store.partnerExists(queries, partner_id))) {
    return refuse('INVALID_REQUEST', "partner_id must be a partner's id.");
  }
  if (processor_id !== null && !(await store.processorExists(queries, processor_id))) {
    return refuse('INVALID_REQUEST', "processor_id must be a processor's id.");
  }
  // Partner and processor keys sign their requests. A bearer value would be one more secret that can leak.
  const bearer = newKey.bearer ?? !isOwned;
  return { name, scopes, expires_at, partner_id, processor_id, rate_limit, daily_limit, bearer };
}

async function create(deps: ApiKeysDependencies, trx: Queries, actor: Actor, checked: CheckedKey): Promise<IssuedKey> {
  const { audit, clock, appEnv } = deps;
  const apiKey = await store.insertKey(trx, {
    id: newId('key', clock),
    ...checked,
    environment: appEnv === 'production' ? 'live' : 'test',
    revoked_at: null,
    approval_id: actor.approval?.id ?? null,
    created_by: actor.caller.id ?? '',
    created_at: new Date(clock.now()),
  });
  const credentials = await issue(deps, trx, apiKey);
  const { name, scopes, partner_id, processor_id, expires_at, daily_limit, bearer } = apiKey;
  const owner = { partner_id, processor_id };
  const limit = daily_limit === null ? {} : { daily_limit };
  const details = { name, scopes, ...owner, expires_at: expires_at && iso(expires_at), ...limit, bearer };
  await audit.record(trx, actor, { action: 'api_key.create', ...auditResource(apiKey.id), details });
  return { apiKey, credentials };
}

/** A key without a bearer value stores the hash of a random value that nobody sees. */
async function issue(
  { vault, clock }: ApiKeysDependencies,
  trx: Queries,
  apiKey: store.ApiKeyRow,
): Promise<IssuedCredentials> {
  const credentials = newCredentials(apiKey);
  await store.insertCredential(trx, {
    bearer_hash: hashBearer(credentials.key),
    key_id: apiKey.id,
    sealed_secret: vault.seal(credentials.secret, apiKey.id),
    created_at: new Date(clock.now()),
    valid_until: null,
  });
  return { ...credentials, key: apiKey.bearer ? credentials.key : null };
}

async function rotate(
  deps: ApiKeysDependencies,
  trx: Queries,
  actor: Actor,
  { id, overlapSeconds }: { id: string; overlapSeconds: number },
): Promise<RotatedKey | Refusal> {
  const before = await store.lockKey(trx, id);
  const now = deps.clock.now();
  if (!before || isExpiredOrRevoked(before, now)) return noSuchKey();
  // Whoever rotates a key knows its new secret, so a rotation without approval ends the key's approval.
  const isUnapproved = before.approval_id !== null && actor.approval === undefined;
  const apiKey = isUnapproved ? await store.updateKey(trx, id, { approval_id: null }) : before;
  const previousValidUntil = new Date(now + overlapSeconds * SECOND_MS);
  await store.deleteExpiredCredentials(trx, id, new Date(now));
  await store.expireCredentials(trx, id, previousValidUntil);
  const credentials = await issue(deps, trx, apiKey);
  const details = { previous_valid_until: iso(previousValidUntil) };
  await deps.audit.record(trx, actor, { action: 'api_key.rotate', ...auditResource(id), details });
  return { apiKey, credentials, previousValidUntil };
}

async function revoke(
  { audit, clock }: ApiKeysDependencies,
  trx: Queries,
  actor: Actor,
  id: string,
): Promise<Refusal | null> {
  const apiKey = await store.lockKey(trx, id);
  if (!apiKey) return noSuchKey();
  if (apiKey.revoked_at !== null) return null;
  await store.revokeKey(trx, id, new Date(clock.now()));
  await audit.record(trx, actor, { action: 'api_key.revoke', ...auditResource(id) });
  return null;
}
