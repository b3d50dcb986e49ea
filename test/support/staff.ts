// Staff, API keys and audit queries for tests.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Actor } from '../../src/audit/log.ts';
import { LIMITED_SCOPES, type Role, type Scope } from '../../src/auth/roles.ts';
import type { NewUser } from '../../src/features/admin/users/schemas.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import { lockWaiters } from './citus.ts';
import { ADMIN, assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import { waitFor } from './wait.ts';

export { assertStatus };

export interface Staff {
  id: string;
  email: string;
  password: string;
}

export const PASSWORD = 'Staff-Password-1';

/** No user is the author, so that the users are independent of each other, and no policy applies. */
const AUTHOR: Actor = { caller: { kind: 'service', id: 'test' }, ip: '', requestId: 'test' };

/** Creates a user with this role; `extra` is merged into the request's body. */
export async function staffMember(kissi: TestGateway, role: Role, extra: Record<string, unknown> = {}): Promise<Staff> {
  const email = `${role}.${randomBytes(6).toString('hex')}@example.com`;
  const body = { email, password: PASSWORD, first_name: 'Test', last_name: 'Person', role, ...extra };
  const { users } = kissi.gateway.services;
  await users.ensureFirstAdmin(ADMIN);
  const run = await users.operations.create.plan(AUTHOR, { params: {}, body: body as NewUser });
  const user = run instanceof Refusal ? run : await kissi.db.database.transact(run);
  assert.ok(!(user instanceof Refusal), JSON.stringify(user));
  return { id: user.id, email: user.email, password: String(body.password) };
}

/** Creates a user through the API as the administrator, who is its author. */
export async function createdByAdmin(kissi: TestGateway, role: Role): Promise<Staff> {
  const email = `${role}.${randomBytes(6).toString('hex')}@example.com`;
  const body = { email, password: PASSWORD, first_name: 'Test', last_name: 'Person', role };
  const reply = await kissi.asAdmin.post('/admin/users', body);
  assert.equal(reply.status, 201, reply.text);
  return { id: reply.json.user_id, email, password: PASSWORD };
}

export function login(
  kissi: TestGateway,
  { email, password }: { email: string; password: string },
): Promise<CallReply> {
  return kissi.call('POST', '/api/v1/admin/login', { body: { email, password } });
}

/** Logs in, asserts success and returns the reply. */
export async function openSession(kissi: TestGateway, staff: { email: string; password: string }): Promise<Json> {
  return assertStatus(await login(kissi, staff), 200).json;
}

/** Access token of a new user with this role. */
export async function staffToken(kissi: TestGateway, role: Role): Promise<string> {
  return (await openSession(kissi, await staffMember(kissi, role))).token;
}

export interface TestKey {
  id: string;
  key: string;
  secret: string;
}

/** Creates an API key with a bearer value; `extra` is merged into the request body. */
export async function apiKey(
  kissi: TestGateway,
  scopes: readonly Scope[],
  extra: Record<string, unknown> = {},
): Promise<TestKey> {
  const isLimited = scopes.some((scope) => LIMITED_SCOPES.includes(scope));
  const limit = isLimited ? { daily_limit: Number.MAX_SAFE_INTEGER } : {};
  const body = { name: 'Test key', scopes, bearer: true, ...limit, ...extra };
  const reply = await kissi.asAdmin.post('/admin/api-keys', body);
  assert.equal(reply.status, 201, reply.text);
  return { id: reply.json.api_key.id, key: reply.json.key, secret: reply.json.secret };
}

/** Audit log entries that match the query, newest first, as the API shows them: by default to an administrator without access to PEPs. */
export async function auditLogs(
  kissi: TestGateway,
  query: Record<string, string> = {},
  { token }: { token?: string } = {},
): Promise<Json[]> {
  const path = `/api/v1/audit/logs?${new URLSearchParams(query)}`;
  return assertStatus(await kissi.call('GET', path, { token: token ?? (await kissi.adminToken()) }), 200).json.logs;
}

interface AuditRowFilter {
  action?: string;
  resource_id?: string;
  actor_id?: string;
}

/** Rows of the audit log in the database, newest first: whole, even where the API masks them. */
export async function auditRows(kissi: TestGateway, filter: AuditRowFilter): Promise<Json[]> {
  await kissi.gateway.services.audit.seal();
  const { rows } = await kissi.db.query(
    `select * from audit_log where ($1::text is null or resource_id = $1) and ($2::text is null or action = $2)
      and ($3::text is null or actor_id = $3) order by seq desc`,
    [filter.resource_id ?? null, filter.action ?? null, filter.actor_id ?? null],
  );
  return rows;
}

/** Number of refused attempts in the database's audit log at the end of the minute, including those that are only counted. */
export async function refusedAttemptCount(kissi: TestGateway, filter: AuditRowFilter): Promise<number> {
  kissi.clock.advance(MINUTE_MS);
  await runChore(kissi, 'count refused attempts');
  const entries = await auditRows(kissi, filter);
  return entries.reduce((sum, { details }) => sum + (details.count ?? 1), 0);
}

export async function runChore(kissi: TestGateway, name: string): Promise<void> {
  const chore = kissi.gateway.backgroundTasks.find((each) => each.name === name);
  assert.ok(chore, name);
  await chore.run();
}

/** Until so many calls wait for the lock. */
type Waiting = (count: number) => Promise<unknown>;

/**
 * Forces a race: acquires `lock`, starts the calls with `begin`, waits until `waiters` of them are blocked on a lock,
 * runs `meanwhile` in the locking transaction and commits.
 */
export async function withLockContention<T>(
  kissi: TestGateway,
  {
    lock,
    waiters,
    begin,
    meanwhile = '',
  }: { lock: string; waiters: number; begin: (waiting: Waiting) => Promise<T>; meanwhile?: string },
): Promise<T> {
  const holder = new pg.Client({ connectionString: kissi.db.url });
  await holder.connect();
  try {
    await holder.query(`begin; ${lock}`);
    const waiting: Waiting = (count) =>
      waitFor(`${count} calls wait for the lock`, async () => (await lockWaiters(holder)) >= count);
    const calls = begin(waiting);
    await waiting(waiters);
    await holder.query(`${meanwhile}; commit`);
    return await calls;
  } finally {
    await holder.end();
  }
}

/** The newest message sent to a phone. */
export async function messageTo(kissi: TestGateway, phone: string): Promise<Json> {
  const { json } = await kissi.asAdmin.get('/admin/messages?limit=100');
  return json.messages.find(({ to }: Json) => to === phone);
}

/** Returns the reply, if it is refused with this status and code. */
export function assertRefused(reply: CallReply, status: number, code: string, what = ''): CallReply {
  assert.deepEqual([reply.status, reply.json?.code], [status, code], `${what} ${reply.text}`);
  return reply;
}
