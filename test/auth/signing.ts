// Keys with known secrets in a real database, and requests signed as an integrator signs them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { inboundHeaders, partnerHeaders, terminalHeaders } from '@kissi/testkit/signing';
import type { Caller } from '../../src/auth/caller.ts';
import { createKeyRecords, hashBearer } from '../../src/auth/key-records.ts';
import { partnerAuthentication, posAuthentication } from '../../src/auth/schemes/hmac.ts';
import { inboundAuthentication } from '../../src/auth/schemes/inbound.ts';
import type { Authentication, WireRequest } from '../../src/auth/schemes/scheme.ts';
import { createNonceStore } from '../../src/auth/signatures/nonces.ts';
import { createVault } from '../../src/auth/vault.ts';
import type { Database } from '../../src/db/database.ts';
import { newId } from '../../src/kernel/ids.ts';
import { type Code, Refusal } from '../../src/kernel/refusal.ts';
import { type TestClock, testClock } from '../support/clock.ts';
import { testDatabase } from '../support/database.ts';

const vault = createVault('test-master-key-0123456789abcdefghijklmnop');

export interface KeyOptions {
  partnerId?: string;
  expiresAt?: Date;
  revokedAt?: Date;
}

export interface SignedKey {
  id: string;
  secret: string;
  partnerId: string | undefined;
}

/** The authentication schemes of one gateway, with a separate clock. */
export function signedRoutes(database: Database, clock: TestClock = testClock()) {
  const dependencies = {
    keys: createKeyRecords(database.reader, clock, { testKeys: true }),
    vault,
    clock,
    nonces: createNonceStore(database.pool),
  };
  return {
    clock,
    nonces: dependencies.nonces,
    pos: posAuthentication(dependencies),
    partner: partnerAuthentication(dependencies),
    inbound: inboundAuthentication(dependencies),
  };
}

/** The database of a test file with a partner, its key and the schemes of one gateway; awaited at the top of the file. */
export async function signersForFile() {
  const db = await testDatabase();
  after(() => db.close());
  const { database } = db;
  const partnerId = await addPartner(database);
  return { database, routes: signedRoutes(database), partnerId, key: await addKey(database, { partnerId }) };
}

export async function addPartner(
  database: Database,
  status: 'active' | 'suspended' = 'active',
  allowlist: string[] = [],
): Promise<string> {
  const [id, at] = [newId('ptn'), new Date()];
  const row = { id, name: 'Bank', status, ip_allowlist: allowlist, created_at: at, updated_at: at };
  await database.queries.insertInto('partners').values(row).execute();
  return id;
}

export async function addKey(
  database: Database,
  { partnerId, expiresAt, revokedAt }: KeyOptions = {},
): Promise<SignedKey> {
  const id = newId('key');
  await database.queries
    .insertInto('api_keys')
    .values({
      id,
      name: 'test',
      scopes: ['payments:write'],
      environment: 'test',
      partner_id: partnerId ?? null,
      processor_id: null,
      rate_limit: null,
      expires_at: expiresAt ?? null,
      revoked_at: revokedAt ?? null,
      created_by: 'usr_test',
      created_at: new Date(),
    })
    .execute();
  return { id, secret: await addSecret(database, id), partnerId };
}

/** Adds a credential to the key; `validUntil` is set as a rotation sets it on the old credential. */
export async function addSecret(database: Database, keyId: string, validUntil: Date | null = null): Promise<string> {
  const secret = `secret-${randomUUID()}`;
  await database.queries
    .insertInto('api_key_credentials')
    .values({
      bearer_hash: hashBearer(randomUUID()),
      key_id: keyId,
      sealed_secret: vault.seal(secret, keyId),
      created_at: new Date(),
      valid_until: validUntil,
    })
    .execute();
  return secret;
}

export interface RequestOptions {
  method?: string;
  target?: string;
  body?: string;
  timestamp?: string;
  nonce?: string;
  idempotencyKey?: string;
}

function wireRequest(method: string, target: string, body: string, headers: Record<string, string>): WireRequest {
  return { method, target, headers, rawBody: Buffer.from(body), ip: '203.0.113.7' };
}

/** Signed for POS routes, and for partner routes by X-Partner-ID, which POS routes ignore. */
export function bodySigned(key: SignedKey, clock: TestClock, options: RequestOptions = {}): WireRequest {
  const { method = 'POST', target = '/api/v1/partner/cashin?x=1', body = '{"amount":1}', timestamp } = options;
  const request = { method, target, body, now: clock.now(), timestamp };
  const headers = key.partnerId ? partnerHeaders(key, key.partnerId, request) : terminalHeaders(key, request);
  return wireRequest(method, target, body, headers);
}

export function inboundSigned(key: SignedKey, clock: TestClock, options: RequestOptions = {}): WireRequest {
  const { method = 'POST', target = '/api/v1/inbound/credit', body = '{"amount":1}', timestamp } = options;
  const { nonce, idempotencyKey } = options;
  const request = { method, target, body, now: clock.now(), timestamp };
  return wireRequest(method, target, body, inboundHeaders(key, request, { nonce, idempotencyKey }));
}

export function withHeaders(request: WireRequest, headers: Record<string, string | undefined>): WireRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

export async function accepted(route: Pick<Authentication, 'authenticate'>, request: WireRequest): Promise<Caller> {
  const outcome = await route.authenticate(request);
  assert.ok(!(outcome instanceof Refusal), outcome instanceof Refusal ? `${outcome.code}: ${outcome.message}` : '');
  return outcome;
}

export async function refused(
  route: Pick<Authentication, 'authenticate'>,
  request: WireRequest,
  code: Code,
  message = /^[A-Z].*\.$/,
): Promise<Refusal> {
  const outcome = await route.authenticate(request);
  assert.ok(outcome instanceof Refusal, `accepted instead of refused with ${code}`);
  assert.equal(outcome.code, code);
  assert.match(outcome.message, message);
  return outcome;
}
