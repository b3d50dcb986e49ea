// Approvals for tests: policies set by the only administrator, requests, and decisions of users with a session.
import assert from 'node:assert/strict';
import type { Role } from '../../src/auth/roles.ts';
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import { openSession, type Staff, staffMember } from './staff.ts';

/** A user with an open session. */
export interface User extends Staff {
  token: string;
}

export async function user(kissi: TestGateway, role: Role, extra: Record<string, unknown> = {}): Promise<User> {
  const staff = await staffMember(kissi, role, extra);
  return { ...staff, token: (await openSession(kissi, staff)).token };
}

/** Changes a policy as the only system_admin, whose changes apply at once. */
export async function setPolicy(kissi: TestGateway, action: string, terms: { enabled: boolean; threshold?: number }) {
  const reply = await kissi.asAdmin.put('/admin/approval-policies', { action, ...terms });
  assert.equal(reply.status, 200, reply.text);
  return reply.json.policy as Json;
}

export type Decision = 'approve' | 'reject' | 'withdraw' | 'collect-secrets';

export function decide(
  kissi: TestGateway,
  id: string,
  decision: Decision,
  { token }: { token: string },
): Promise<CallReply> {
  const body = decision === 'reject' ? { body: { reason: 'Not agreed' } } : {};
  return kissi.call('POST', `/api/v1/admin/approvals/${id}/${decision}`, { token, ...body });
}

export async function getApproval(kissi: TestGateway, id: string, { token }: { token: string }): Promise<Json> {
  return assertStatus(await kissi.call('GET', `/api/v1/admin/approvals/${id}`, { token }), 200).json.approval;
}

/** Asserts that the reply is 202 and returns its approval. */
export function pendingOf(reply: CallReply): Json {
  assert.equal(reply.status, 202, reply.text);
  assert.equal(reply.json.success, true);
  assert.equal(reply.json.approval.status, 'pending');
  return reply.json.approval;
}
